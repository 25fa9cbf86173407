import { invalid, notFound } from '../../../core/base/errors.ts'
import { isPortColumn } from '../../../core/ports/service.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { Addresses } from '../addresses/model.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel, isSet } from '../envelope.ts'
import { graphAnswer } from '../graphs/answer.ts'
import { GraphModel } from '../graphs/model.ts'
import { listAnswer } from '../list-answer.ts'
import { lookUpDevice } from '../lookup.ts'
import { pick, presentPortStats } from '../records/port-stats.ts'
import { refusals } from '../statuses.ts'
import { PortModel } from './model.ts'
import { portPath } from './port-path.ts'

const DEFAULT_GRAPH = 'port_bits'

/** The requested columns of the port record, `fallback` by default. Throws 400 naming the unknown ones. */
export function portColumns(columns: string | undefined, fallback: readonly string[]): readonly string[] {
  if (columns === undefined) return fallback
  const names = [...new Set(columns.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const unknown = names.filter((name) => !isPortColumn(name))
  if (unknown.length > 0) throw invalid(`Invalid columns: ${unknown.join(',')}`)
  return names.length === 0 ? fallback : names
}

/** Ports of a device: list, addresses, one port by name, its graphs. */
export const devicePortRoutes = ({
  devices,
  ports,
  graphs,
  log,
}: Pick<Services, 'devices' | 'ports' | 'graphs' | 'log'>) =>
  new Elysia({ name: 'v0.device-ports', prefix: '/devices/:hostname' })
    .use(v0Context)
    .get(
      '/ports',
      async ({ actor, params, query }) => {
        const vlans = query.with === 'vlans'
        const columns = portColumns(query.columns, ['ifName'])
        const none = () => {
          throw notFound('No ports found')
        }
        const device = await devices.resolve(params.hostname)
        if (!device) return none()
        const shown = vlans ? [...new Set([...columns, 'port_id'])] : columns
        const where = { kind: 'device', deviceId: device.device_id } as const
        const list = ports.list(actor, where, { columns: shown, vlans, order: 'ifIndex' })
        return await listAnswer(list, log, { name: 'ports', message: true, whenEmpty: none })
      },
      {
        ...operation({ id: 'get_device_ports', gate: 'Device.viewAny', summary: 'Ports of a device' }),
        params: PortModel.hostname,
        query: PortModel.deviceListQuery,
        response: { 200: PortModel.list, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/ip',
      async ({ actor, params }) => {
        const missing = `Device ${params.hostname} does not have any IP addresses`
        const { device_id } = await lookUpDevice(devices, actor, params.hostname, missing)
        const addresses = await ports.addresses({ deviceId: device_id })
        if (addresses.length === 0) throw notFound(`Device ${device_id} does not have any IP addresses`)
        return { status: 'ok' as const, message: '' as const, addresses, count: addresses.length }
      },
      {
        ...operation({
          id: 'get_device_ip_addresses',
          route: 'get_ip_addresses',
          gate: 'Device.viewAny',
          summary: 'Addresses of a device',
        }),
        params: PortModel.hostname,
        response: { 200: Addresses, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/ports/:ifname',
      async ({ actor, params, query, request }) => {
        const { ifname } = portPath(request.url)
        const { port_id } = await ports.requireByName(actor, params.hostname, 'ifName', ifname)
        const [row] = await ports.records([port_id])
        if (!row) throw notFound(`Port ${ifname} does not exist`)
        const port = pick(presentPortStats(row), query.columns)
        return { status: 'ok' as const, port, count: Object.keys(port).length }
      },
      {
        ...operation({
          id: 'get_port_stats_by_port_hostname',
          gate: 'Device.viewAny',
          summary: 'One port of a device by ifName, with its traffic',
        }),
        params: PortModel.byName,
        query: PortModel.listQuery,
        response: { 200: PortModel.stats, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/ports/:ifname/:type',
      ({ actor, params, query, request }) => portGraph({ ports, graphs }, actor, params.hostname, query, request.url),
      {
        ...operation({
          id: 'get_graph_by_port_hostname',
          gate: 'Device.viewAny',
          summary: 'Graph of a port: port_bits, port_upkts, port_nupkts, port_errors, port_etherlike',
        }),
        params: GraphModel.portParams,
        query: GraphModel.portQuery,
        response: { 200: GraphModel.image, ...refusals('invalid', 'forbidden', 'not_found', 'absent') },
      },
    )
    .get(
      '/ports/:ifname/:type/*',
      ({ actor, params, query, request }) => portGraph({ ports, graphs }, actor, params.hostname, query, request.url),
      {
        detail: { hide: true },
        beforeHandle: operation({ id: '', gate: 'Device.viewAny', summary: '' }).beforeHandle,
        query: GraphModel.portQuery,
      },
    )

async function portGraph(
  { ports, graphs }: Pick<Services, 'ports' | 'graphs'>,
  actor: Parameters<Services['ports']['requireByName']>[0],
  hostname: string,
  query: typeof GraphModel.portQuery.static,
  url: string,
): Promise<Response> {
  const { ifname, type } = portPath(url)
  const column = isSet(query.ifDescr) ? 'ifDescr' : 'ifName'
  const { port_id } = await ports.requireByName(actor, hostname, column, ifname)
  return graphAnswer(await graphs.port(port_id, type ?? DEFAULT_GRAPH, query), type ?? DEFAULT_GRAPH, query.output)
}
