import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { graphAnswer } from '../graphs/answer.ts'
import { GraphModel } from '../graphs/model.ts'
import { rowId } from '../lookup.ts'
import { refusals } from '../statuses.ts'
import { GroupModel } from './model.ts'

/** Maximum number of ports in one graph. */
const MAX_PORTS = 1000
const NAME = 'multiport_bits_separate'

const parts = (list: string) =>
  [...new Set(list.split(',').map((part) => part.trim()))].filter(Boolean).slice(0, MAX_PORTS)

/** Traffic of ports by type or by id. Only ports that the caller may see are drawn. */
export const portGroupGraphRoutes = ({ graphs, portGroups }: Pick<Services, 'graphs' | 'portGroups'>) =>
  new Elysia({ name: 'v0.port-group-graphs', prefix: '/portgroups' })
    .use(v0Context)
    .get(
      '/:group',
      async ({ actor, params, query }) => {
        const ids = await portGroups.ofTypes(actor, parts(params.group))
        return graphAnswer(await graphs.ports(ids, query), NAME, query.output)
      },
      {
        ...operation({
          id: 'get_graph_by_portgroup',
          gate: 'PortGroup.viewAny',
          summary: 'Traffic of all ports with a description type: transit, peering, ...',
        }),
        params: GroupModel.types,
        query: GraphModel.deviceQuery,
        response: { 200: GraphModel.image, ...refusals('invalid', 'absent') },
      },
    )
    .get(
      '/multiport/bits/:id',
      async ({ actor, params, query }) => {
        const ids = await portGroups.visible(actor, parts(params.id).map(rowId))
        return graphAnswer(await graphs.ports(ids, query), NAME, query.output)
      },
      {
        ...operation({
          id: 'get_graph_by_portgroup_multiport_bits',
          gate: 'PortGroup.viewAny',
          summary: 'Traffic of ports',
        }),
        params: GroupModel.graphPorts,
        query: GraphModel.deviceQuery,
        response: { 200: GraphModel.image, ...refusals('invalid', 'absent') },
      },
    )
