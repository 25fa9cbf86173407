import { isIP } from 'node:net'
import { asc, eq, or, sql } from 'drizzle-orm'
import { devices } from '../../../db/schema/index.ts'
import { parseMac } from '../../lib/mac.ts'
import { deviceInScope, deviceInScopeText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { prepared } from '../database/prepared.ts'
import { sharedReadsOf } from '../database/shared-reads.ts'
import { DEVICE_SECRETS, deviceColumnOrder } from '../records/device.ts'

/** Id and names of a device. */
export interface DeviceKey {
  readonly device_id: number
  readonly hostname: string
}

/**
 * The device that a client names: digits are an id; other text is a hostname (case-insensitive), then an address of a
 * device. null: no such device. Ignores scope. Identical concurrent requests share a read that begins after they
 * arrived.
 */
export function findDevice(store: Store, ref: string): Promise<DeviceKey | null> {
  return shared(store)(ref, () => readKey(store, ref))
}

const shared = sharedReadsOf<DeviceKey | null>()

async function readKey(store: Store, ref: string): Promise<DeviceKey | null> {
  if (/^\d+$/.test(ref)) {
    const id = Number(ref)
    if (id > 2_147_483_647) return null
    const [row] = await byId(store.db).execute({ id })
    return row ?? null
  }
  const named = await deviceByHostname(store, ref)
  return named === null && isAddress(ref) ? await deviceByAddress(store, ref) : named
}

/** A device known by this name, regardless of case, which is not its hostname. */
export interface AlsoNamed extends DeviceKey {
  readonly as: 'sysName' | 'display name'
}

/** Devices in scope whose sysName or display name this is, at most three, in order of id. */
export async function devicesAlsoNamed(
  { sql }: Store,
  name: string,
  scope: Scope = { kind: 'all' },
): Promise<AlsoNamed[]> {
  return await sql<AlsoNamed[]>`
    select device_id, hostname, case when lower("sysName") = lower(${name}) then 'sysName' else 'display name' end as "as"
    from devices d where ${name} <> '' and (lower("sysName") = lower(${name}) or lower(display) = lower(${name}))
      and ${deviceInScope(sql, scope)}
    order by device_id limit 3`
}

/** `findDevice` for several names, in three statements in total. */
export async function findDevices({ sql }: Store, refs: readonly string[]): Promise<(DeviceKey | null)[]> {
  type Found = DeviceKey & { readonly ref: string }
  const found = new Map<string, DeviceKey>()
  const keep = (rows: readonly Found[]) => {
    for (const { ref, device_id, hostname } of rows) found.set(ref, { device_id, hostname })
  }
  const ids = refs.filter((ref) => /^\d+$/.test(ref))
  const names = refs.filter((ref) => !/^\d+$/.test(ref))
  const possible = ids.map(Number).filter((id) => id <= 2_147_483_647)
  const devicesById = new Map<number, DeviceKey>()
  if (possible.length > 0) {
    const rows = await sql<DeviceKey[]>`
        select device_id, hostname from devices where device_id = any(${`{${possible.join()}}`}::int4[])`
    for (const row of rows) devicesById.set(row.device_id, row)
  }
  if (names.length > 0) {
    keep(
      await sql<Found[]>`select r.ref, d.device_id, d.hostname
          from unnest(${names}::text[]) r(ref) join devices d on lower(d.hostname) = lower(r.ref)`,
    )
  }
  const addresses = names.filter((name) => isAddress(name) && !found.has(name))
  if (addresses.length > 0) {
    keep(
      await sql<Found[]>`with r(ref) as (select unnest(${addresses}::text[]))
          select distinct on (ref) ref, device_id, hostname from (
            select ref, device_id, hostname from r join devices d on d.ip = r.ref::inet
            union all select ref, device_id, hostname from r join devices d on d.overwrite_ip = r.ref) x
          order by ref, device_id`,
    )
  }
  return refs.map((ref) => (/^\d+$/.test(ref) ? devicesById.get(Number(ref)) : found.get(ref)) ?? null)
}

/** Those of the devices that are in scope. */
export async function devicesInScope({ sql }: Store, scope: Scope, ids: readonly number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select d.device_id as id from devices d where d.device_id = any(${[...ids]}::int[]) and ${deviceInScope(sql, scope)}`
  return new Set(rows.map(({ id }) => id))
}

/** Whether the device is in scope. */
export async function maySeeDevice({ sql }: Store, scope: Scope, deviceId: number): Promise<boolean> {
  if (scope.kind === 'all') return true
  const [row] = await sql`select 1 from devices d where d.device_id = ${deviceId} and ${deviceInScope(sql, scope)}`
  return row !== undefined
}

/** Filters of `list_devices`. `exact` compares text case-insensitively. */
export type DeviceFilter =
  | { readonly kind: 'all' | 'active' | 'ignored' | 'up' | 'down' | 'disabled' }
  | { readonly kind: 'exact'; readonly column: 'os' | 'sysName' | 'type'; readonly text: string }
  | { readonly kind: 'id'; readonly column: 'device_id' | 'location_id'; readonly id: number }
  | { readonly kind: 'contains'; readonly column: ContainsColumn; readonly text: string }
  | { readonly kind: 'ids'; readonly ids: readonly number[] }

export const CONTAINS_COLUMNS = [
  'location',
  'hostname',
  'display',
  'serial',
  'version',
  'hardware',
  'features',
] as const
export type ContainsColumn = (typeof CONTAINS_COLUMNS)[number]

export interface DeviceOrder {
  readonly column: string
  readonly descending: boolean
}

/** Whether devices can be ordered by the column: it exists and the order reveals no secret. */
export function isDeviceOrderColumn(name: string, secrets: boolean): boolean {
  return deviceColumnOrder(name) !== null && (secrets || !DEVICE_SECRETS.has(name))
}

const FLAG_CONDITIONS: Readonly<Record<'all' | 'active' | 'ignored' | 'up' | 'down' | 'disabled', string>> = {
  all: 'true',
  active: 'd.ignore = 0 and d.disabled = 0',
  ignored: 'd.ignore = 1 and d.disabled = 0',
  up: 'd.status = 1 and d.ignore = 0 and d.disabled = 0',
  down: 'd.status = 0 and d.ignore = 0 and d.disabled = 0',
  disabled: 'd.disabled = 1',
}

/** SQL condition of a filter over `d` and `l`; `parameter` takes a value and returns its placeholder. */
export function condition(
  filter: DeviceFilter,
  parameter: (value: string | number | readonly number[]) => string,
): string {
  switch (filter.kind) {
    case 'exact':
      return `lower(d."${filter.column}") = lower(${parameter(filter.text)})`
    case 'id':
      return `d.${filter.column} = ${parameter(filter.id)}`
    case 'ids':
      return `d.device_id = any(${parameter(filter.ids)}::int[])`
    case 'contains': {
      const column = filter.column === 'location' ? 'l.location' : `d."${filter.column}"`
      return `position(lower(${parameter(filter.text)}) in lower(${column})) > 0`
    }
    default:
      return FLAG_CONDITIONS[filter.kind]
  }
}

/** Ordered without NULLS FIRST or LAST, so that an index can be used. */
const NEVER_NULL: ReadonlySet<string> = new Set(['hostname', 'device_id'])

/** SQL order by columns of `d`: text case-insensitive, NULL first ascending and last descending. */
export function orderSql(order: DeviceOrder): string {
  const column = `d."${order.column}"`
  const key = deviceColumnOrder(order.column) === 'text' ? `lower(${column})` : column
  const nulls = NEVER_NULL.has(order.column) ? '' : order.descending ? ' nulls last' : ' nulls first'
  const way = `${order.descending ? 'desc' : 'asc'}${nulls}`
  // unique, so that it needs no second key and its index gives the order
  if (order.column === 'hostname') return `${key} ${way}`
  return `${key} ${way}, d.device_id ${order.descending ? 'desc' : 'asc'}`
}

/** Parents of `d` in scope, as `x`: comma-separated ids and names. */
export const parentsOf = (scope: Scope) => `left join lateral (
  select string_agg(r.parent_device_id::text, ',' order by r.parent_device_id) as ids,
    string_agg(m.hostname, ',' order by r.parent_device_id) as names
  from device_relationships r join devices m on m.device_id = r.parent_device_id and ${deviceInScopeText(scope, 'm')}
  where r.child_device_id = d.device_id) x on true`

/** Addresses that devices can be found by: their own IP addresses, or a MAC address in a port's ARP table. */
export type AddressKind = 'ipv4' | 'ipv6' | 'mac'

/** Devices and ports with the address, by hostname. IPv6 in full or compressed form; MAC with or without separators. */
export async function portsByAddress(
  { sql }: Store,
  scope: Scope,
  kind: AddressKind,
  address: string,
): Promise<{ device_id: number; port_id: number }[]> {
  const match = {
    ipv4: () => sql`select port_id from ipv4_addresses where ipv4_address = ${address}`,
    ipv6: () => sql`select port_id from ipv6_addresses
      where ipv6_address = lower(${address}) or ipv6_compressed = lower(${address})`,
    mac: () => sql`select port_id from ipv4_mac where mac_address = ${parseMac(address)}`,
  }[kind]()
  return await sql<{ device_id: number; port_id: number }[]>`
    select distinct on (lower(d.hostname)) d.device_id, p.port_id
    from ports p join devices d on d.device_id = p.device_id
    where p.port_id in (${match}) and ${deviceInScope(sql, scope)}
    order by lower(d.hostname), p.port_id`
}

/** Ids and names of devices, by hostname. */
export async function listDeviceKeys({ sql }: Store, scope: Scope): Promise<DeviceKey[]> {
  return await sql<DeviceKey[]>`
    select d.device_id, d.hostname from devices d where ${deviceInScope(sql, scope)} order by lower(d.hostname)`
}

/** The device with this hostname, case-insensitive; null: none. */
export async function deviceByHostname({ db }: Store, hostname: string): Promise<DeviceKey | null> {
  const [row] = await byHostname(db).execute({ hostname })
  return row ?? null
}

/** Whether PostgreSQL accepts the text as an `inet` host: IPv4, or IPv6 without a zone. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%')
}

/** The first device that is polled at this address (see `isAddress`); null: none. */
export async function deviceByAddress({ db }: Store, address: string): Promise<DeviceKey | null> {
  const [row] = await db
    .select(KEY)
    .from(devices)
    .where(or(eq(devices.ip, sql`${address}::inet`), eq(devices.overwrite_ip, address), eq(devices.hostname, address)))
    .orderBy(asc(devices.device_id))
    .limit(1)
  return row ?? null
}

/** The first device with this sysName; null: none. */
export async function deviceBySysName({ db }: Store, sysName: string): Promise<DeviceKey | null> {
  const [row] = await db
    .select(KEY)
    .from(devices)
    .where(sql`lower(${devices.sysName}) = lower(${sysName})`)
    .orderBy(asc(devices.device_id))
    .limit(1)
  return row ?? null
}

const KEY = { device_id: devices.device_id, hostname: devices.hostname }
const byId = prepared((db) =>
  db
    .select(KEY)
    .from(devices)
    .where(eq(devices.device_id, sql.placeholder('id')))
    .prepare('device_by_id'),
)
const byHostname = prepared((db) =>
  db
    .select(KEY)
    .from(devices)
    .where(sql`lower(${devices.hostname}) = lower(${sql.placeholder('hostname')})`)
    .prepare('device_by_hostname'),
)
