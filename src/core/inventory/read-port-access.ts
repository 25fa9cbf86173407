import type { portSecurity } from '../../../db/schema/index.ts'
import { portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { type ListChunks, listChunks } from '../database/list-chunks.ts'
import { NAC_RECORD } from '../records/lists.ts'

/** Sessions on ports in scope, by id, historical ones included: all, or those of a device or MAC address. */
export function nacChunks(
  store: Store,
  scope: Scope,
  filter: { readonly deviceId?: number; readonly mac?: string },
): ListChunks {
  const { sql } = store
  return listChunks(store, {
    key: 'n.ports_nac_id',
    columns: NAC_RECORD,
    from: 'ports_nac n join ports p on p.port_id = n.port_id',
    where: sql`${filter.deviceId === undefined ? sql`true` : sql`n.device_id = ${filter.deviceId}`}
      and ${filter.mac === undefined ? sql`true` : sql`n.mac_address = ${filter.mac}`} and ${portInScope(sql, scope)}`,
  })
}

export type PortSecurityRow = typeof portSecurity.$inferSelect

/** Port security of ports in scope, by id: all, or of one device or port. */
export async function listPortSecurity(
  { sql }: Store,
  scope: Scope,
  filter: { readonly deviceId?: number; readonly portId?: number },
): Promise<PortSecurityRow[]> {
  return await sql<PortSecurityRow[]>`
    select s.id::int, s.port_id, s.device_id, s.port_security_enable, s.status, s.max_addresses, s.address_count,
      s.violation_action, s.violation_count, s.last_mac_address, s.sticky_enable
    from port_security s join ports p on p.port_id = s.port_id
    where ${filter.deviceId === undefined ? sql`true` : sql`s.device_id = ${filter.deviceId}`}
      and ${filter.portId === undefined ? sql`true` : sql`s.port_id = ${filter.portId}`}
      and ${portInScope(sql, scope)}
    order by s.id`
}
