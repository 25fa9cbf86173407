import type { AddressPart } from '../base/address-text.ts'
import { deviceInScope, deviceInScopeText, portInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { escaped } from '../database/patterns.ts'
import { isUplink, macsOn } from './edge-port.ts'
import { deviceName, portName } from './names.ts'
import { EDGE_MACS, type SightingKind } from './sighting.ts'

/** Filters of sightings; absent ones do not apply. */
export interface SightingQuery {
  /** First digits of MAC addresses. */
  readonly mac?: string
  readonly address?: AddressPart
  /** The beginning of a user name, regardless of case, or address blocks of manufacturers. */
  readonly name?: { readonly username: string; readonly blocks: readonly string[] }
  readonly deviceId?: number
  readonly portId?: number
  readonly vlan?: number
  readonly kind?: SightingKind
  /** Only those that had not ended at this time, and only those that had begun at this time; epoch ms. */
  readonly since?: number
  readonly until?: number
  /** True: only open ones; false: only those that ended. */
  readonly open?: boolean
}

export interface SightingRow {
  readonly sighting_id: number
  readonly kind: SightingKind
  /** 12 lower-case hex digits. */
  readonly mac: string
  readonly vlan: number | null
  readonly address: string | null
  readonly username: string | null
  readonly first_seen: Date
  /** For what is there now: when the device's table was last read completely. */
  readonly last_seen: Date
  readonly open: boolean
  readonly device_id: number
  /** null: the device is not granted, only the port. */
  readonly device: string | null
  /** null: the port no longer exists. */
  readonly port_id: number | null
  readonly port: string | null
  readonly alias: string | null
}

/** Rows are counted up to this number, and later ones are never listed. */
export const MAX_LISTED = 10_000

const LAST_SEEN = `coalesce(s.last_seen, greatest(s.first_seen, r.complete_at))`

const FROM = `sightings s join devices d on d.device_id = s.device_id left join ports p on p.port_id = s.port_id
  left join sighting_readings r on r.device_id = s.device_id and r.kind = s.kind`

/** Whoever was granted only a port does not see the name of its device. */
const columnsFor = (
  scope: Scope,
): string => `s.sighting_id, s.kind, s.mac_address as mac, s.vlan, host(s.address) as address, s.username,
  s.first_seen, ${LAST_SEEN} as last_seen, s.last_seen is null as open, d.device_id,
  case when ${deviceInScopeText(scope, 'd')} then ${deviceName('d')} end as device, p.port_id,
  case when p.port_id is not null then ${portName('p')} end as port, p."ifAlias" as alias`

/** A sighting on a port that no longer exists is in scope if its device is. */
const inScope = (sql: Sql, scope: Scope) =>
  scope.kind === 'all'
    ? sql`true`
    : sql`(p.port_id is not null and ${portInScope(sql, scope)} or p.port_id is null and ${deviceInScope(sql, scope)})`

function wanted(sql: Sql, q: SightingQuery) {
  const parts = [
    q.mac !== undefined && (q.mac.length === 12 ? sql`s.mac_address = ${q.mac}` : beginning(sql, q.mac)),
    q.address !== undefined && addressIn(sql, q.address),
    q.name !== undefined && sql`s.sighting_id in (${named(sql, q.name)})`,
    q.deviceId !== undefined && sql`s.device_id = ${q.deviceId}`,
    q.portId !== undefined && sql`s.port_id = ${q.portId}`,
    q.vlan !== undefined && sql`s.vlan = ${q.vlan}`,
    q.kind !== undefined && sql`s.kind = ${q.kind}`,
    q.since !== undefined && sql`${sql.unsafe(LAST_SEEN)} >= ${new Date(q.since)}`,
    q.until !== undefined && sql`s.first_seen <= ${new Date(q.until)}`,
    q.open !== undefined && (q.open ? sql`s.last_seen is null` : sql`s.last_seen is not null`),
  ]
  return parts.reduce<ReturnType<Sql>>((all, part) => (part === false ? all : sql`${all} and ${part}`), sql`true`)
}

const beginning = (sql: Sql, digits: string) => sql`(s.mac_address >= ${digits} and s.mac_address < ${`${digits}g`})`

/** Ids of sightings by a name. Two lists, because one condition for both could use no index. */
const named = (sql: Sql, { username, blocks }: NonNullable<SightingQuery['name']>) => sql`
  (select x.sighting_id from sightings x
    where x.username is not null and x.username ilike ${`${escaped(username)}%`} limit ${MAX_LISTED})
  union all
  (select x.sighting_id from unnest(${`{${blocks.join()}}`}::text[]) b
    join sightings x on x.mac_address >= b collate "C" and x.mac_address < (b || 'g') collate "C" limit ${MAX_LISTED})`

const addressIn = (sql: Sql, part: AddressPart) => {
  if ('network' in part) return sql`s.address <<= ${part.text}::text::inet`
  // the whole octets as a network, which the index has
  const octets = part.begin.split('.').slice(0, -1)
  const network = `${[...octets, 0, 0, 0, 0].slice(0, 4).join('.')}/${octets.length * 8}`
  return sql`(s.address <<= ${octets.every((octet) => Number(octet) < 256) ? network : '0.0.0.0/32'}::text::inet
    and host(s.address) like ${`${escaped(part.begin)}%`})`
}

/**
 * Sightings in scope, the latest first, and how many there are, counted up to MAX_LISTED. Throws StoreError.
 */
export async function listSightings(
  { sql }: Store,
  scope: Scope,
  query: SightingQuery,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: readonly SightingRow[]; readonly total: number }> {
  const from = sql.unsafe(FROM)
  const where = sql`${wanted(sql, query)} and ${inScope(sql, scope)}`
  // without a filter only the primary key is in this order; with one it must not be walked
  const order = Object.values(query).every((value) => value === undefined)
    ? sql`s.sighting_id desc`
    : sql`s.first_seen desc, s.sighting_id desc`
  const [rows, [counted]] = await Promise.all([
    sql<SightingRow[]>`
      select ${sql.unsafe(columnsFor(scope))} from ${from} where ${where} order by ${order}
      limit ${Math.max(0, Math.min(limit, MAX_LISTED - offset))} offset ${Math.min(offset, MAX_LISTED)}`,
    sql<{ n: number }[]>`select count(*)::int as n from (select from ${from} where ${where} limit ${MAX_LISTED}) c`,
  ])
  return { rows, total: counted?.n ?? 0 }
}

/** Where a MAC address is now. */
export interface StationPlace extends SightingRow {
  /** The port leads to another device, as far as is known. */
  readonly uplink: boolean
  /** MAC addresses on the port, counted up to MAX_PORT_MACS. */
  readonly macs: number
}

export const MAX_PORT_MACS = 1000
const MAX_PLACES = 200

/**
 * The ports in scope that a MAC address is on now, by forwarding databases and network access control: the edge first,
 * then ports without a known neighbour by the number of addresses on them, then uplinks. Throws StoreError.
 */
export async function placesOf({ sql }: Store, scope: Scope, mac: string): Promise<StationPlace[]> {
  return await sql<StationPlace[]>`
    select * from (
      select ${sql.unsafe(columnsFor(scope))}, ${sql.unsafe(isUplink('s.port_id'))} as uplink,
        ${sql.unsafe(macsOn('s.device_id', 's.port_id', MAX_PORT_MACS))} as macs
      from ${sql.unsafe(FROM)}
      where s.mac_address = ${mac} and s.kind in ('fdb', 'nac') and s.last_seen is null and p.deleted = 0
        and ${inScope(sql, scope)}
    ) x
    order by uplink, macs > ${EDGE_MACS}, case when macs <= ${EDGE_MACS} then first_seen end desc, macs, device, port
    limit ${MAX_PLACES}`
}

/** The IP addresses that a MAC address has now, of the ARP and neighbour tables in scope, the latest first. */
export async function addressesOf({ sql }: Store, scope: Scope, mac: string, limit: number): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`
    select host(s.address) as address from ${sql.unsafe(FROM)}
    where s.mac_address = ${mac} and s.last_seen is null and s.address is not null and ${inScope(sql, scope)}
    group by s.address order by max(s.first_seen) desc, s.address limit ${limit}`
  return rows.map(({ address }) => address)
}

/** A MAC address that a search finds, with the place that says most about it. */
export interface StationHit extends SightingRow {
  readonly uplink: boolean
}

/** MAC addresses that are looked at before the best are chosen. */
const CANDIDATES = 100

/** MAC addresses whose sightings in scope match, those on an edge port now first. Throws StoreError. */
export async function findStations(
  { sql }: Store,
  scope: Scope,
  query: SightingQuery,
  limit: number,
): Promise<StationHit[]> {
  return await sql<StationHit[]>`
    with m as materialized (
      select distinct s.mac_address from ${sql.unsafe(FROM)}
      where ${wanted(sql, query)} and ${inScope(sql, scope)} limit ${CANDIDATES})
    select b.* from m cross join lateral (
      select ${sql.unsafe(columnsFor(scope))}, ${sql.unsafe(isUplink('s.port_id'))} as uplink
      from ${sql.unsafe(FROM)} where s.mac_address = m.mac_address and ${inScope(sql, scope)}
      order by s.last_seen is null desc, s.kind in ('fdb', 'nac') desc, uplink,
        ${sql.unsafe(macsOn('s.device_id', 's.port_id', EDGE_MACS + 1))}, s.first_seen desc, s.sighting_id desc limit 1) b
    order by b.open desc, b.uplink, b.last_seen desc, b.mac limit ${limit}`
}
