import type { Sql } from '../client.ts'

/** Which objects a query may return: all, or those granted to a user (devices_perms, ports_perms). */
export type Scope = { readonly kind: 'all' } | { readonly kind: 'granted'; readonly userId: number }

/** SQL condition on table alias `d` (devices): the scope may see the device. */
export function deviceInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`d.device_id in (select device_id from devices_perms where user_id = ${scope.userId})`
}

/** SQL condition on table alias `p` (ports): the port itself or its device is in scope. */
export function portInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`(p.device_id in (select device_id from devices_perms where user_id = ${scope.userId})
    or p.port_id in (select port_id from ports_perms where user_id = ${scope.userId}))`
}
