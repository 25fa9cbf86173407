import { deviceInScope, grantedDevices, type Scope } from '../access/scope.ts'
import type { Sql, Store } from '../client.ts'
import { instantSql } from '../devices/columns.ts'
import { type ListChunks, listChunks } from '../list-chunks.ts'

/** A row of ifStackTable, with the member names that older and newer clients use. */
export interface PortStackRecord {
  readonly id: number
  readonly device_id: number
  readonly high_ifIndex: number
  readonly high_port_id: number | null
  readonly low_ifIndex: number
  readonly low_port_id: number | null
  readonly ifStackStatus: string
  /** ifIndexes under their former names. */
  readonly port_id_high: number
  readonly port_id_low: number
}

/** Active rows of a device's ifStackTable, by the higher interface. */
export async function listPortStack({ sql }: Store, deviceId: number): Promise<PortStackRecord[]> {
  return await sql<PortStackRecord[]>`
    select id, device_id, "high_ifIndex", high_port_id, "low_ifIndex", low_port_id, "ifStackStatus",
      "high_ifIndex" as port_id_high, "low_ifIndex" as port_id_low
    from ports_stack where device_id = ${deviceId} and "ifStackStatus" = 'active'
    order by "high_ifIndex", "low_ifIndex"`
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
    columns: 'v.vlan_id, v.device_id, v.vlan_vlan, v.vlan_domain, v.vlan_name, v.vlan_type, v.vlan_state',
    from: 'vlans v join devices d on d.device_id = v.device_id',
    where: sql`${deviceInScope(sql, scope)} and ${deviceId === null ? sql`true` : sql`v.device_id = ${deviceId}`}`,
  })
}

/** An entry of a forwarding database. `port_id` 0: unknown port; `vlan_id` 0: unknown VLAN; times are ISO 8601. */
const FDB_COLUMNS = `f.ports_fdb_id, coalesce(f.port_id, 0) as port_id, f.mac_address, coalesce(f.vlan_id, 0) as vlan_id,
  f.device_id, ${instantSql('f.created_at', 'iso')} as created_at, ${instantSql('f.updated_at', 'iso')} as updated_at`

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
    columns: FDB_COLUMNS,
    from: 'ports_fdb f',
    where: sql`${inScope(sql, scope)} and ${deviceId === undefined ? sql`true` : sql`f.device_id = ${deviceId}`}
      and ${portId === undefined ? sql`true` : sql`f.port_id = ${portId}`}
      and ${mac === undefined ? sql`true` : sql`f.mac_address = ${mac}`}`,
  })
}

/** Where a MAC address was seen, with names. */
export interface FdbDetailRecord {
  readonly hostname: string
  readonly sysName: string
  readonly ifName: string
  readonly ifAlias: string
  readonly ifDescr: string
  /** Local `Y-m-d H:i:s`. */
  readonly updated_at: string
  /** Seconds since `updated_at`. */
  readonly age: number
}

/** Maximum entries of a detailed list. */
const MAX_DETAILS = 1000

/** Where a MAC address was seen, latest first. */
export async function fdbDetails({ sql }: Store, scope: Scope, mac: string): Promise<FdbDetailRecord[]> {
  return await sql<FdbDetailRecord[]>`
    select d.hostname, coalesce(d."sysName", '') as "sysName", coalesce(p."ifName", '') as "ifName",
      coalesce(p."ifAlias", '') as "ifAlias", coalesce(p."ifDescr", '') as "ifDescr",
      ${sql.unsafe(instantSql('f.updated_at', 'local'))} as updated_at,
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
