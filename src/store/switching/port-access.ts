import { portInScope, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'
import { instantSql } from '../devices/columns.ts'
import { type ListChunks, listChunks } from '../list-chunks.ts'

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
