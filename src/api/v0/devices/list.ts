import type { Actor } from '../../../domain/actor.ts'
import type {
  AddressKind,
  DeviceFilter,
  DeviceList,
  DeviceOrder,
  DeviceService,
} from '../../../domain/devices/service.ts'
import { unusable } from '../../../domain/errors.ts'
import type { PortService } from '../../../domain/ports/service.ts'
import { sharedJson } from '../../respond.ts'
import { rowId } from '../lookup.ts'
import { Unexplained } from '../present-error.ts'

const CONTAINS = ['location', 'hostname', 'display', 'serial', 'version', 'hardware', 'features'] as const
const EXACT = ['os', 'sysName', 'type'] as const
const FLAGS = ['active', 'ignored', 'up', 'down', 'disabled'] as const
const ADDRESSES = ['ipv4', 'ipv6', 'mac'] as const
const IDS = ['device_id', 'location_id'] as const

/** The filter for `type` and `query`. An unknown type lists all devices. Addresses are handled by `byAddress`. */
function filterOf(type: string | undefined, query: string): DeviceFilter {
  const contains = CONTAINS.find((name) => name === type)
  if (contains) return { kind: 'contains', column: contains, text: query }
  const exact = EXACT.find((name) => name === type)
  if (exact) return { kind: 'exact', column: exact, text: query }
  const id = IDS.find((name) => name === type)
  if (id) return { kind: 'id', column: id, id: rowId(query) }
  return { kind: FLAGS.find((name) => name === type) ?? 'all' }
}

const ORDER = /^([A-Za-z_]+)(?: (asc|desc))?$/i

/** Parses `column`, `column ASC` or `column DESC`; anything else orders by hostname. */
function orderOf(order: string | undefined): DeviceOrder {
  const [, column, way] = ORDER.exec(order ?? '') ?? []
  return column === undefined
    ? { column: 'hostname', descending: false }
    : { column, descending: way?.toLowerCase() === 'desc' }
}

/** The answer of list_devices. Throws `unusable` for an unknown column in `order`. */
export async function listDevices(
  services: { readonly devices: DeviceService; readonly ports: PortService },
  actor: Actor,
  query: {
    readonly order?: string | undefined
    readonly type?: string | undefined
    readonly query?: string | undefined
  },
): Promise<Response> {
  const order = orderOf(query.order)
  if (!services.devices.canOrderBy(actor, order.column)) {
    throw new Unexplained(unusable(`Devices cannot be ordered by ${order.column}`))
  }
  const text = query.query ?? ''
  const address = ADDRESSES.find((name) => name === query.type)
  const list =
    address === undefined
      ? await services.devices.listJson(actor, filterOf(query.type, text), order)
      : await byAddress(services, actor, address, text, order)
  return sharedJson(list, () => `{"status":"ok","devices":${list.json},"count":${list.count}}`)
}

/** Device rows merged with the matching port, whose members win as in LibreNMS. */
async function byAddress(
  { devices, ports }: { readonly devices: DeviceService; readonly ports: PortService },
  actor: Actor,
  kind: AddressKind,
  address: string,
  order: DeviceOrder,
): Promise<DeviceList> {
  const found = await devices.byAddress(actor, kind, address)
  const portOf = new Map(found.map((pair) => [pair.device_id, pair.port_id]))
  const [list, records] = await Promise.all([
    devices.listJson(actor, { kind: 'ids', ids: [...portOf.keys()] }, order),
    ports.records([...portOf.values()]),
  ])
  const recordOf = new Map(records.map((record) => [record.port_id, record]))
  const rows: unknown = JSON.parse(list.json)
  const merged = (Array.isArray(rows) ? rows : []).map((row: { device_id: number }) => ({
    ...row,
    ...recordOf.get(portOf.get(row.device_id) ?? -1),
  }))
  return { json: JSON.stringify(merged), count: merged.length }
}
