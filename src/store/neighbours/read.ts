import { deviceInScope, deviceInScopeText, portInScope, type Scope } from '../access/scope.ts'
import type { Sql, Store } from '../client.ts'
import { instantSql } from '../devices/columns.ts'
import { type ListChunks, listChunks } from '../list-chunks.ts'

/** Filter of ARP entries. `network`: CIDR text. */
export type ArpFilter =
  | { readonly by: 'all' }
  | { readonly by: 'device'; readonly deviceId: number }
  | { readonly by: 'mac' | 'address' | 'network'; readonly value: string }

/** ARP entries of ports in scope, by id; MAC addresses are 12 lower-case hex digits. */
export function arpChunks(store: Store, scope: Scope, filter: ArpFilter): ListChunks {
  const { sql } = store
  return listChunks(store, {
    key: 'm.id',
    columns: 'm.id, m.port_id, m.device_id, m.mac_address, m.ipv4_address, m.context_name',
    from: 'ipv4_mac m join ports p on p.port_id = m.port_id',
    where: sql`${arpCondition(sql, filter)} and ${portInScope(sql, scope)}`,
  })
}

function arpCondition(sql: Sql, filter: ArpFilter) {
  switch (filter.by) {
    case 'all':
      return sql`true`
    case 'device':
      return sql`m.device_id = ${filter.deviceId}`
    case 'mac':
      return sql`m.mac_address = ${filter.value}`
    case 'address':
      return sql`m.ipv4_address = ${filter.value}`
    case 'network':
      return sql`m.ipv4_address::inet <<= ${filter.value}::text::inet`
  }
}

export interface LinkRecord {
  readonly id: number
  readonly local_port_id: number | null
  readonly local_device_id: number
  readonly remote_port_id: number | null
  readonly active: number
  readonly protocol: string | null
  readonly remote_hostname: string
  /** 0: the neighbour is not monitored. */
  readonly remote_device_id: number
  readonly remote_port: string
  readonly remote_platform: string | null
  readonly remote_version: string
}

/**
 * A remote device that was deleted or is not in scope appears as not monitored. What it reported to its neighbour is
 * shown.
 */
const LINK_COLUMNS = `l.id, l.local_port_id, l.local_device_id,
  case when r.device_id is not null then l.remote_port_id end as remote_port_id, l.active, l.protocol, l.remote_hostname,
  coalesce(r.device_id, 0) as remote_device_id, l.remote_port, l.remote_platform, l.remote_version`
const linkTables = (scope: Scope) => `links l join devices d on d.device_id = l.local_device_id
  left join devices r on r.device_id = l.remote_device_id and ${deviceInScopeText(scope, 'r')}`

/** Links whose local device is in scope, by id; of one device or all. */
export function linkChunks(store: Store, scope: Scope, deviceId: number | null): ListChunks {
  const { sql } = store
  const where = sql`${deviceId === null ? sql`true` : sql`l.local_device_id = ${deviceId}`} and ${deviceInScope(sql, scope)}`
  return listChunks(store, { key: 'l.id', columns: LINK_COLUMNS, from: linkTables(scope), where })
}

/** A link whose local device is in scope; null: none. */
export async function findLink({ sql }: Store, scope: Scope, id: number): Promise<LinkRecord | null> {
  const [found] = await sql<LinkRecord[]>`
    select ${sql.unsafe(LINK_COLUMNS)} from ${sql.unsafe(linkTables(scope))} where l.id = ${id} and ${deviceInScope(sql, scope)}`
  return found ?? null
}

/** A session of network access control; times are ISO 8601. */
const NAC_COLUMNS = `n.ports_nac_id, n.auth_id, n.device_id, n.port_id, n.domain, n.username, n.mac_address, n.ip_address,
  n.host_mode, n.authz_status, n.authz_by, n.authc_status, n.method, n.timeout, n.time_left, n.vlan, n.time_elapsed,
  ${instantSql('n.created_at', 'iso')} as created_at, ${instantSql('n.updated_at', 'iso')} as updated_at, n.historical`

/** Sessions on ports in scope, by id, historical ones included: all, or those of a device or MAC address. */
export function nacChunks(
  store: Store,
  scope: Scope,
  filter: { readonly deviceId?: number; readonly mac?: string },
): ListChunks {
  const { sql } = store
  return listChunks(store, {
    key: 'n.ports_nac_id',
    columns: NAC_COLUMNS,
    from: 'ports_nac n join ports p on p.port_id = n.port_id',
    where: sql`${filter.deviceId === undefined ? sql`true` : sql`n.device_id = ${filter.deviceId}`}
      and ${filter.mac === undefined ? sql`true` : sql`n.mac_address = ${filter.mac}`} and ${portInScope(sql, scope)}`,
  })
}

export interface PortSecurityRecord {
  readonly id: number
  readonly port_id: number
  readonly device_id: number
  readonly port_security_enable: number | null
  readonly status: string | null
  readonly max_addresses: number | null
  readonly address_count: number | null
  readonly violation_action: string | null
  readonly violation_count: number | null
  readonly last_mac_address: string | null
  readonly sticky_enable: number | null
}

/** Port security of ports in scope, by id: all, or of one device or port. */
export async function listPortSecurity(
  { sql }: Store,
  scope: Scope,
  filter: { readonly deviceId?: number; readonly portId?: number },
): Promise<PortSecurityRecord[]> {
  return await sql<PortSecurityRecord[]>`
    select s.id::int, s.port_id, s.device_id, s.port_security_enable, s.status, s.max_addresses, s.address_count,
      s.violation_action, s.violation_count, s.last_mac_address, s.sticky_enable
    from port_security s join ports p on p.port_id = s.port_id
    where ${filter.deviceId === undefined ? sql`true` : sql`s.device_id = ${filter.deviceId}`}
      and ${filter.portId === undefined ? sql`true` : sql`s.port_id = ${filter.portId}`}
      and ${portInScope(sql, scope)}
    order by s.id`
}
