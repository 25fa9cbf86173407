import type { Sql } from '../database/client.ts'

/**
 * Which objects a query may return: all, or those granted to a user (devices_perms, devices_group_perms,
 * locations_perms, ports_perms).
 * `dynamicGroups`: rule-based groups grant access as well as static ones (setting
 * permission.device_group.allow_dynamic).
 */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'granted'; readonly userId: number; readonly dynamicGroups: boolean }

/** A scope limited to a user's grants. */
export type Granted = Extract<Scope, { kind: 'granted' }>

/**
 * SQL text that selects the device ids granted to a user, directly or through a group or location. `parameter` takes a value and
 * returns its placeholder. For statements assembled as text.
 */
export function grantedDevicesText({ userId, dynamicGroups }: Granted, parameter: (value: number) => string): string {
  const user = parameter(userId)
  const groups = dynamicGroups ? '' : ` and g.type = 'static'`
  return `select device_id from devices_perms where user_id = ${user}
    union all select m.device_id from devices_group_perms q join device_groups g on g.id = q.device_group_id
      join device_group_device m on m.device_group_id = g.id where q.user_id = ${user}${groups}
    union all select l.device_id from locations_perms q join devices l on l.location_id = q.location_id
      where q.user_id = ${user}`
}

/** Selects the device ids granted to a user, directly or through a group or location. */
export function grantedDevices(sql: Sql, { userId, dynamicGroups }: Granted) {
  return sql`select device_id from devices_perms where user_id = ${userId}
    union all select m.device_id from devices_group_perms q join device_groups g on g.id = q.device_group_id
      join device_group_device m on m.device_group_id = g.id
      where q.user_id = ${userId} and (${dynamicGroups} or g.type = 'static')
    union all select l.device_id from locations_perms q join devices l on l.location_id = q.location_id
      where q.user_id = ${userId}`
}

/** SQL condition on table alias `d` (devices): the scope may see the device. */
export function deviceInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`d.device_id in (${grantedDevices(sql, scope)})`
}

/** The condition for any alias of devices, as text without parameters. Safe: a user id is our own number. */
export function deviceInScopeText(scope: Scope, alias: string): string {
  return scope.kind === 'all'
    ? 'true'
    : `${alias}.device_id in (${grantedDevicesText(scope, (id) => String(Math.trunc(id)))})`
}

/** SQL condition on table alias `p` (ports): the port itself or its device is in scope. */
export function portInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`(p.device_id in (${grantedDevices(sql, scope)})
    or p.port_id in (select port_id from ports_perms where user_id = ${scope.userId}))`
}

/** Condition on alias `g`: one of its devices is in scope, or the group itself was granted. */
export function deviceGroupInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`(exists (select from device_group_device m join devices d on d.device_id = m.device_id
      where m.device_group_id = g.id and ${deviceInScope(sql, scope)})
    or g.id in (select device_group_id from devices_group_perms where user_id = ${scope.userId}))`
}
