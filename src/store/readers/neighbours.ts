import type { Sql, Store } from '../client.ts'
import { instantSql } from './device-columns.ts'
import { deviceInScope, portInScope, type Scope } from './scope.ts'

export interface ArpRecord {
  readonly id: number
  readonly port_id: number
  readonly device_id: number
  /** 12 lower-case hex digits. */
  readonly mac_address: string
  readonly ipv4_address: string
  readonly context_name: string | null
}

/** Which ARP entries. `network`: CIDR text. */
export type ArpFilter =
  | { readonly by: 'all' }
  | { readonly by: 'device'; readonly deviceId: number }
  | { readonly by: 'mac' | 'address' | 'network'; readonly value: string }

/** ARP entries of ports in scope, by id. */
export async function listArp({ sql }: Store, scope: Scope, filter: ArpFilter): Promise<ArpRecord[]> {
  return await sql<ArpRecord[]>`
    select m.id::int, m.port_id, m.device_id, m.mac_address, m.ipv4_address, m.context_name
    from ipv4_mac m join ports p on p.port_id = m.port_id
    where ${arpCondition(sql, filter)} and ${portInScope(sql, scope)} order by m.id`
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

/** Links whose local device is in scope, by id: all, those of a device, or one. */
export async function listLinks(
  { sql }: Store,
  scope: Scope,
  filter: { readonly deviceId?: number; readonly id?: number },
): Promise<LinkRecord[]> {
  // A far device that was deleted since is not known any more; the next discovery of the local one says so as well.
  return await sql<LinkRecord[]>`
    select l.id, l.local_port_id, l.local_device_id, l.remote_port_id, l.active, l.protocol, l.remote_hostname,
      coalesce(r.device_id, 0) as remote_device_id, l.remote_port, l.remote_platform, l.remote_version
    from links l join devices d on d.device_id = l.local_device_id left join devices r on r.device_id = l.remote_device_id
    where ${filter.deviceId === undefined ? sql`true` : sql`l.local_device_id = ${filter.deviceId}`}
      and ${filter.id === undefined ? sql`true` : sql`l.id = ${filter.id}`}
      and ${deviceInScope(sql, scope)}
    order by l.id`
}

/** A session of network access control; times are ISO 8601. */
export interface NacRecord {
  readonly ports_nac_id: number
  readonly auth_id: string
  readonly device_id: number
  readonly port_id: number
  readonly domain: string
  readonly username: string
  readonly mac_address: string
  readonly ip_address: string
  readonly host_mode: string
  readonly authz_status: string
  readonly authz_by: string
  readonly authc_status: string
  readonly method: string
  readonly timeout: string
  readonly time_left: string | null
  readonly vlan: number | null
  readonly time_elapsed: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly historical: number
}

/** Sessions on ports in scope, by id, historical ones as well: all, those of a device, or of a MAC address. */
export async function listNac(
  { sql }: Store,
  scope: Scope,
  filter: { readonly deviceId?: number; readonly mac?: string },
): Promise<NacRecord[]> {
  return await sql<NacRecord[]>`
    select n.ports_nac_id, n.auth_id, n.device_id, n.port_id, n.domain, n.username, n.mac_address, n.ip_address,
      n.host_mode, n.authz_status, n.authz_by, n.authc_status, n.method, n.timeout, n.time_left, n.vlan,
      n.time_elapsed, ${sql.unsafe(instantSql('n.created_at', 'iso'))} as created_at,
      ${sql.unsafe(instantSql('n.updated_at', 'iso'))} as updated_at, n.historical
    from ports_nac n join ports p on p.port_id = n.port_id
    where ${filter.deviceId === undefined ? sql`true` : sql`n.device_id = ${filter.deviceId}`}
      and ${filter.mac === undefined ? sql`true` : sql`n.mac_address = ${filter.mac}`}
      and ${portInScope(sql, scope)}
    order by n.ports_nac_id`
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

/** Port security of ports in scope, by id: all, those of a device, or of one port. */
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
