import { and, asc, eq } from 'drizzle-orm'
import { portsStack, vlans } from '../../../db/schema/index.ts'
import { deviceInScope, grantedDevices, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { selectList } from '../database/columns.ts'
import { type ListChunks, listChunks } from '../database/list-chunks.ts'
import { FDB_RECORD } from '../records/lists.ts'

/** A row of ifStackTable. */
export type PortStackRow = typeof portsStack.$inferSelect

/** Active rows of a device's ifStackTable, by the higher interface. */
export async function listPortStack({ db }: Store, deviceId: number): Promise<PortStackRow[]> {
  return await db
    .select()
    .from(portsStack)
    .where(and(eq(portsStack.device_id, deviceId), eq(portsStack.ifStackStatus, 'active')))
    .orderBy(asc(portsStack.high_ifIndex), asc(portsStack.low_ifIndex))
}

/** A VLAN without its ids. */
export interface DeviceVlanRecord {
  readonly vlan_vlan: number | null
  readonly vlan_domain: number | null
  readonly vlan_name: string | null
  readonly vlan_type: string | null
  readonly vlan_state: number
}

/** VLANs of a device by id. */
export async function listDeviceVlans({ sql }: Store, deviceId: number): Promise<DeviceVlanRecord[]> {
  return await sql<DeviceVlanRecord[]>`
    select vlan_vlan, vlan_domain, vlan_name, vlan_type, vlan_state from vlans where device_id = ${deviceId}
    order by vlan_id`
}

/** VLANs in scope by id; of one device or all. */
export function vlanChunks(store: Store, scope: Scope, deviceId: number | null): ListChunks {
  const { sql } = store
  return listChunks(store, {
    key: 'v.vlan_id',
    columns: selectList(vlans, 'v'),
    from: 'vlans v join devices d on d.device_id = v.device_id',
    where: sql`${deviceInScope(sql, scope)} and ${deviceId === null ? sql`true` : sql`v.device_id = ${deviceId}`}`,
  })
}

/** Filter of entries; empty: all. */
export interface FdbFilter {
  readonly deviceId?: number
  readonly portId?: number
  /** 12 lower-case hex digits. */
  readonly mac?: string
}

/** Condition on alias `f`: the entry's device or port was granted. */
function inScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`(f.device_id in (${grantedDevices(sql, scope)})
    or f.port_id in (select port_id from ports_perms where user_id = ${scope.userId}))`
}

/** Entries in scope by id. */
export function fdbChunks(store: Store, scope: Scope, filter: FdbFilter): ListChunks {
  const { sql } = store
  const { deviceId, portId, mac } = filter
  return listChunks(store, {
    key: 'f.ports_fdb_id',
    columns: FDB_RECORD,
    from: 'ports_fdb f',
    where: sql`${inScope(sql, scope)} and ${deviceId === undefined ? sql`true` : sql`f.device_id = ${deviceId}`}
      and ${portId === undefined ? sql`true` : sql`f.port_id = ${portId}`}
      and ${mac === undefined ? sql`true` : sql`f.mac_address = ${mac}`}`,
  })
}

/** Where a MAC address was seen, with names; null: unknown. */
export interface FdbDetailRow {
  readonly hostname: string
  readonly sysName: string | null
  readonly ifName: string | null
  readonly ifAlias: string | null
  readonly ifDescr: string | null
  readonly updated_at: Date
  /** Seconds since `updated_at`. */
  readonly age: number
}

/** Maximum entries of a detailed list. */
const MAX_DETAILS = 1000

/** Where a MAC address was seen, latest first. */
export async function fdbDetails({ sql }: Store, scope: Scope, mac: string): Promise<FdbDetailRow[]> {
  return await sql<FdbDetailRow[]>`
    select d.hostname, d."sysName", p."ifName", p."ifAlias", p."ifDescr", f.updated_at,
      extract(epoch from now() - f.updated_at)::float8 as age
    from ports_fdb f join devices d on d.device_id = f.device_id left join ports p on p.port_id = f.port_id
    where f.mac_address = ${mac} and ${inScope(sql, scope)}
    order by f.updated_at desc, f.ports_fdb_id limit ${MAX_DETAILS}`
}

/** A port and the number of MAC addresses behind it. */
export interface PortOfMac {
  readonly port_id: number
  readonly fdb_entries_count: number
}

/** Ports that report a MAC address, those with the fewest addresses first: the edge of the network. */
export async function portsOfMac({ sql }: Store, scope: Scope, mac: string): Promise<PortOfMac[]> {
  return await sql<PortOfMac[]>`
    select p.port_id, (select count(*)::int from ports_fdb c where c.port_id = p.port_id) as fdb_entries_count
    from ports p
    where p.deleted = 0
      and p.port_id in (select f.port_id from ports_fdb f where f.mac_address = ${mac} and ${inScope(sql, scope)})
    order by fdb_entries_count, p.port_id`
}
