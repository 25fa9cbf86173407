import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { lookUpDevice } from '../lookup.ts'
import { unknownRoute } from '../present-error.ts'
import { refusals } from '../statuses.ts'
import { graphAnswer } from './answer.ts'
import { GraphModel } from './model.ts'

/** Path segments after a hostname that belong to other operations and are never graph names. */
const NOT_GRAPHS: ReadonlySet<string> = new Set([
  'fdb',
  'links',
  'nac',
  'parents',
  'port',
  'port_stack',
  'rename',
  'services',
  'transceivers',
  'vlans',
  'wireless-sensors',
])

/** Graphs of a device, and the list of them. `/devices/:hostname/:type` matches whatever no other device route does. */
export const graphRoutes = ({ devices, graphs }: Pick<Services, 'devices' | 'graphs'>) =>
  new Elysia({ name: 'v0.graphs', prefix: '/devices/:hostname' })
    .use(v0Context)
    .get(
      '/graphs',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const list = await graphs.deviceTypes(device_id)
        return { status: 'ok' as const, message: '' as const, graphs: list, count: list.length }
      },
      {
        ...operation({ id: 'get_graphs', gate: 'Device.viewAny', summary: 'Graphs that a device has' }),
        params: GraphModel.hostname,
        response: { 200: GraphModel.list, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/:type',
      async ({ actor, params, query }) => {
        if (NOT_GRAPHS.has(params.type)) return unknownRoute()
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        return graphAnswer(await graphs.device(device_id, params.type, query), params.type, query.output)
      },
      {
        ...operation({
          id: 'get_graph_generic_by_hostname',
          gate: 'Device.viewAny',
          summary: 'Graph of a device: device_bits, device_uptime, device_processor, ...',
        }),
        params: GraphModel.deviceParams,
        query: GraphModel.deviceQuery,
        response: { 200: GraphModel.image, ...refusals('invalid', 'forbidden', 'not_found', 'absent') },
      },
    )
