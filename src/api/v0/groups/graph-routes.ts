import { Elysia } from 'elysia'
import type { Services } from '../../../domain/services.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { graphAnswer } from '../graphs/answer.ts'
import { GraphModel } from '../graphs/model.ts'
import { rowId } from '../lookup.ts'
import { GroupModel } from './model.ts'

/** Most ports that one picture is asked for. */
const MOST_PORTS = 1000
const NAME = 'multiport_bits_separate'

const parts = (list: string) =>
  [...new Set(list.split(',').map((part) => part.trim()))].filter(Boolean).slice(0, MOST_PORTS)

/** Traffic of the ports of a type, or of ports that are named. Only ports that the caller may see are drawn. */
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
          summary: 'Traffic of all ports that are described as of a type: transit, peering, ...',
        }),
        params: GroupModel.types,
        query: GraphModel.deviceQuery,
        response: { 200: GraphModel.image, 400: ErrorModel, 500: ErrorModel },
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
        response: { 200: GraphModel.image, 400: ErrorModel, 500: ErrorModel },
      },
    )
