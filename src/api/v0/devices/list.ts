import type { Actor } from '../../../core/base/actor.ts'
import { invalid, unusable } from '../../../core/base/errors.ts'
import {
  type AddressKind,
  type DeviceFilter,
  type DeviceList,
  type DeviceOrder,
  type DevicePage,
  type DeviceService,
  isDeviceMember,
} from '../../../core/devices/service.ts'
import type { PortService } from '../../../core/ports/service.ts'
import { jsonText, sharedParts } from '../../respond.ts'
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
    readonly columns?: string | undefined
    readonly limit?: string | undefined
    readonly offset?: string | undefined
  },
): Promise<Response> {
  const page = pageOf(query)
  const order = orderOf(query.order)
  if (!services.devices.canOrderBy(actor, order.column)) {
    throw new Unexplained(unusable(`Devices cannot be ordered by ${order.column}`))
  }
  const text = query.query ?? ''
  const address = ADDRESSES.find((name) => name === query.type)
  if (address !== undefined) {
    const found = await byAddress(services, actor, address, text, order)
    return page === null
      ? whole({ json: JSON.stringify(found), count: found.length })
      : jsonText(pageAnswer(cut(found, page)))
  }
  const filter = filterOf(query.type, text)
  return page === null
    ? whole(await services.devices.listJson(actor, filter, order))
    : jsonText(pageAnswer(await services.devices.listPage(actor, filter, order, page)))
}

/** A page of the list; `columns` null: all members. */
type Page = Parameters<DeviceService['listPage']>[3]

/** The requested page; null: the whole list with all members. Throws 400 for an invalid number or an unknown column. */
function pageOf({
  columns,
  limit,
  offset,
}: {
  readonly columns?: string | undefined
  readonly limit?: string | undefined
  readonly offset?: string | undefined
}): Page | null {
  const names = [...new Set((columns ?? '').split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const unknown = names.filter((name) => !isDeviceMember(name))
  if (unknown.length > 0) throw invalid(`Invalid columns: ${unknown.join(',')}`)
  if (names.length === 0 && limit === undefined && offset === undefined) return null
  return {
    columns: names.length === 0 ? null : names,
    limit: limit === undefined ? Number.MAX_SAFE_INTEGER : numberOf('limit', limit),
    offset: offset === undefined ? 0 : numberOf('offset', offset),
  }
}

function numberOf(name: string, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw invalid(`Invalid ${name}: ${text}`)
  return number
}

function pageAnswer({ json, count, total }: DevicePage): string {
  return `{"status":"ok","devices":${json},"count":${count},"total":${total}}`
}

/** A page of a list in memory. A port's members can be requested only if a device has members of the same name. */
function cut(rows: readonly Readonly<Record<string, unknown>>[], { columns, limit, offset }: Page): DevicePage {
  const part = rows.slice(offset, offset + limit).map((row) => {
    return columns === null ? row : Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))
  })
  return { json: JSON.stringify(part), count: part.length, total: rows.length }
}

/** The whole list; a cached list is encoded only once. */
const whole = (list: DeviceList): Response =>
  sharedParts(list, () => ['{"status":"ok","devices":', list.json, `,"count":${list.count}}`])

/** Device rows merged with the matching port, whose members win as in LibreNMS. */
async function byAddress(
  { devices, ports }: { readonly devices: DeviceService; readonly ports: PortService },
  actor: Actor,
  kind: AddressKind,
  address: string,
  order: DeviceOrder,
): Promise<Readonly<Record<string, unknown>>[]> {
  const found = await devices.byAddress(actor, kind, address)
  const portOf = new Map(found.map((pair) => [pair.device_id, pair.port_id]))
  const [list, records] = await Promise.all([
    devices.listJson(actor, { kind: 'ids', ids: [...portOf.keys()] }, order),
    ports.records([...portOf.values()]),
  ])
  const recordOf = new Map(records.map((record) => [record.port_id, record]))
  const rows: unknown = JSON.parse(list.json)
  return (Array.isArray(rows) ? rows : []).map((row: { device_id: number }) => ({
    ...row,
    ...recordOf.get(portOf.get(row.device_id) ?? -1),
  }))
}
