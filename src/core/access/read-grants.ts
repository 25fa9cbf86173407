import { type Granted, grantedDevices } from '../base/scope.ts'
import type { Store } from '../database/client.ts'

/**
 * Objects that can be granted to users of role `user`: the table of grants, and the object's own table with its id and
 * name.
 */
export const GRANT_TABLES = {
  deviceIds: { table: 'devices_perms', column: 'device_id', of: 'devices', name: 'hostname' },
  deviceGroupIds: { table: 'devices_group_perms', column: 'device_group_id', of: 'device_groups', name: 'name' },
  locationIds: { table: 'locations_perms', column: 'location_id', of: 'locations', name: 'location' },
  portIds: { table: 'ports_perms', column: 'port_id', of: 'ports', name: 'ifName' },
  billIds: { table: 'bill_perms', column: 'bill_id', of: 'bills', name: 'bill_name' },
} as const
/** Kinds of objects, named after their list of ids. */
export type GrantKind = keyof typeof GRANT_TABLES

/** Ids by kind. */
export type GrantIds = Readonly<Partial<Record<GrantKind, readonly number[]>>>

export interface GrantRecord {
  readonly kind: 'device' | 'device_group' | 'location' | 'port' | 'bill'
  readonly id: number
  /** Name of the object. A port's name is followed by its device's. */
  readonly name: string
  /** Number of devices that the grant shows now; null: it is for something else. */
  readonly devices: number | null
}

/**
 * Objects granted to a user (devices, groups, locations, ports, bills), each kind by name. `dynamicGroups`: whether
 * grants of dynamic groups count.
 */
export async function listGrants({ sql }: Store, userId: number, dynamicGroups: boolean): Promise<GrantRecord[]> {
  return await sql<GrantRecord[]>`
    select * from (
      select 'device' as kind, d.device_id as id, d.hostname as name, 1 as devices
        from devices_perms q join devices d using (device_id) where q.user_id = ${userId}
      union all select 'device_group', g.id, g.name, case when ${dynamicGroups} or g.type = 'static'
            then (select count(*)::int from device_group_device m where m.device_group_id = g.id) else 0 end
        from devices_group_perms q join device_groups g on g.id = q.device_group_id where q.user_id = ${userId}
      union all select 'location', l.id, l.location,
          (select count(*)::int from devices d where d.location_id = l.id)
        from locations_perms q join locations l on l.id = q.location_id where q.user_id = ${userId}
      union all select 'port', p.port_id, coalesce(p."ifName", '') || ' of ' || d.hostname, null
        from ports_perms q join ports p using (port_id) join devices d using (device_id) where q.user_id = ${userId}
      union all select 'bill', b.bill_id, b.bill_name, null
        from bill_perms q join bills b using (bill_id) where q.user_id = ${userId}) x
    order by array_position(array['device', 'device_group', 'location', 'port', 'bill'], kind), lower(name), id`
}

/** Number of devices that a user's grants show together. */
export async function grantedDeviceCount({ sql }: Store, scope: Granted): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(distinct device_id)::int as n from (${grantedDevices(sql, scope)}) x`
  return row?.n ?? 0
}

/** Finds an object by id or case-insensitive name; ports by id only. null: not found, or the name is ambiguous. */
export async function findGrantable({ sql }: Store, kind: GrantKind, ref: string): Promise<number | null> {
  const { of, name } = GRANT_TABLES[kind]
  const id = kind === 'deviceGroupIds' || kind === 'locationIds' ? 'id' : GRANT_TABLES[kind].column
  const isId = /^\d{1,9}$/.test(ref)
  if (!isId && kind === 'portIds') return null
  const rows = await sql<{ id: number }[]>`
    select ${sql(id)} as id from ${sql(of)}
    where ${isId ? sql`${sql(id)} = ${Number(ref)}` : sql`lower(${sql(name)}) = lower(${ref})`} limit 2`
  return rows.length === 1 ? (rows[0]?.id ?? null) : null
}

/** Roles and their permissions, by name. */
export async function listRoles({ sql }: Store): Promise<{ name: string; permissions: string[]; users: number }[]> {
  return await sql<{ name: string; permissions: string[]; users: number }[]>`
    select r.name,
      array(select p.name from role_has_permissions h join permissions p on p.id = h.permission_id
        where h.role_id = r.id order by p.name) as permissions,
      (select count(*) from model_has_roles m where m.role_id = r.id)::int as users
    from roles r order by r.name`
}
