import type { Actor } from '../../../core/base/actor.ts'
import { absent } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { graphAnswer } from '../graphs/answer.ts'
import { GraphModel } from '../graphs/model.ts'
import { lookUpDevice, rowId } from '../lookup.ts'
import { refusals } from '../statuses.ts'
import { HealthModel } from './model.ts'
import { healthGraph, itemGraph, wirelessGraph } from './names.ts'

const graph = (documented: string, summary: string, id = documented) =>
  operation({ id, documented, gate: 'Device.viewAny', summary })
const response = { 200: GraphModel.image, ...refusals('invalid', 'forbidden', 'not_found', 'absent') }

/** Graphs of the sensors of a device: all of a class, or one. */
export const healthGraphRoutes = ({ devices, graphs }: Pick<Services, 'devices' | 'graphs'>) => {
  const all = async (actor: Actor, hostname: string, type: string, query: GraphQuery) => {
    const { device_id } = await lookUpDevice(devices, actor, hostname)
    return graphAnswer(await graphs.device(device_id, type, query), type, query.output)
  }
  const one = async (actor: Actor, hostname: string, type: string, id: string, query: GraphQuery) => {
    const { device_id } = await lookUpDevice(devices, actor, hostname)
    const outcome = await graphs.device(device_id, type, query, rowId(id))
    if (outcome.kind === 'unknown-type') throw absent(`${itemGraph(type)} template missing`)
    return graphAnswer(outcome, itemGraph(type), query.output)
  }

  return new Elysia({ name: 'v0.health-graphs', prefix: '/devices/:hostname/graphs' })
    .use(v0Context)
    .get('/health/:type', ({ actor, params, query }) => all(actor, params.hostname, healthGraph(params.type), query), {
      ...graph('get_health_graph', 'Graph of all sensors of a class, or of processors, storage, memory pools'),
      params: HealthModel.type,
      query: GraphModel.deviceQuery,
      response,
    })
    .get(
      '/health/:type/:sensor_id',
      ({ actor, params, query }) => one(actor, params.hostname, healthGraph(params.type), params.sensor_id, query),
      {
        ...graph('get_health_graph', 'Graph of one sensor', 'get_health_sensor_graph'),
        params: HealthModel.item,
        query: GraphModel.deviceQuery,
        response,
      },
    )
    .get(
      '/wireless/:type',
      ({ actor, params, query }) => all(actor, params.hostname, wirelessGraph(params.type), query),
      {
        ...graph('get_wireless_graph', 'Graph of all wireless sensors of a class'),
        params: HealthModel.wirelessType,
        query: GraphModel.deviceQuery,
        response,
      },
    )
    .get(
      '/wireless/:type/:sensor_id',
      ({ actor, params, query }) => one(actor, params.hostname, wirelessGraph(params.type), params.sensor_id, query),
      {
        ...graph('get_wireless_graph', 'Graph of one wireless sensor', 'get_wireless_sensor_graph'),
        params: HealthModel.wirelessItem,
        query: GraphModel.deviceQuery,
        response,
      },
    )
}

type GraphQuery = typeof GraphModel.deviceQuery.static
