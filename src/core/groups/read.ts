import { deviceGroupInScope, deviceInScope, portInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { escaped } from '../database/patterns.ts'

/** A device group; `rules` is JSON text as received, null for static groups. */
export interface DeviceGroupRecord {
  readonly id: number
  readonly name: string
  readonly desc: string | null
  readonly type: 'static' | 'dynamic'
  readonly rules: string | null
  readonly pattern: string | null
}

const columns = (sql: Sql) => sql`g.id, g.name, g."desc", g.type, g.rules, g.pattern`

/** Device groups in scope by name; `deviceId` limits the list to groups of that device. */
export async function listDeviceGroups(
  { sql }: Store,
  scope: Scope,
  deviceId: number | null,
): Promise<DeviceGroupRecord[]> {
  const member = sql`g.id in (select device_group_id from device_group_device where device_id = ${deviceId})`
  return await sql<DeviceGroupRecord[]>`
    select ${columns(sql)} from device_groups g
    where ${deviceGroupInScope(sql, scope)} and ${deviceId === null ? sql`true` : member} order by lower(g.name), g.id`
}

/** The group that a client names: digits are an id, other text a case-insensitive name. null: none in scope. */
export async function findDeviceGroup({ sql }: Store, scope: Scope, ref: string): Promise<DeviceGroupRecord | null> {
  const [group] = await sql<DeviceGroupRecord[]>`
    select ${columns(sql)} from device_groups g where ${named(sql, ref)} and ${deviceGroupInScope(sql, scope)}`
  return group ?? null
}

/** Condition on alias `g`; an id out of range matches nothing. */
function named(sql: Sql, ref: string) {
  if (!/^\d+$/.test(ref)) return sql`lower(g.name) = lower(${ref})`
  return ref.length <= 10 && Number(ref) <= 2_147_483_647 ? sql`g.id = ${Number(ref)}` : sql`false`
}

/** Ids of the members in scope, ascending. */
export async function deviceGroupMembers({ sql }: Store, scope: Scope, groupId: number): Promise<number[]> {
  const rows = await sql<{ device_id: number }[]>`
    select d.device_id from device_group_device m join devices d on d.device_id = m.device_id
    where m.device_group_id = ${groupId} and ${deviceInScope(sql, scope)} order by d.device_id`
  return rows.map((row) => row.device_id)
}

/** Ids of the members in scope of all groups, ascending, by group; groups without any are absent. */
export async function deviceGroupsMembers({ sql }: Store, scope: Scope): Promise<ReadonlyMap<number, number[]>> {
  const rows = await sql<{ id: number; members: number[] }[]>`
    select m.device_group_id as id, array_agg(d.device_id order by d.device_id) as members
    from device_group_device m join devices d on d.device_id = m.device_id
    where ${deviceInScope(sql, scope)} group by m.device_group_id`
  return new Map(rows.map(({ id, members }) => [id, members]))
}

/** Whether a group other than `exceptId` has the name, case-insensitive. */
export async function isGroupNameTaken(
  { sql }: Store,
  table: 'device_groups' | 'port_groups',
  name: string,
  exceptId: number,
): Promise<boolean> {
  const rows = await sql`select 1 from ${sql(table)} where lower(name) = lower(${name}) and id <> ${exceptId}`
  return rows.length > 0
}

/** The ids that no device (or port) has. */
export async function unknownIds(
  { sql }: Store,
  table: 'devices' | 'ports',
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const column = table === 'devices' ? 'device_id' : 'port_id'
  const rows = await sql<{ id: number }[]>`
    select q.id from unnest(${[...ids]}::int[]) q(id) where q.id not in (select ${sql(column)} from ${sql(table)})`
  return new Set(rows.map((row) => row.id))
}

/** Dynamic groups and their rules, by id. */
export async function dynamicGroups({ sql }: Store): Promise<{ id: number; rules: string }[]> {
  return await sql<{ id: number; rules: string }[]>`
    select id, rules from device_groups where type = 'dynamic' and rules is not null order by id`
}

export interface PortGroupRecord {
  readonly id: number
  readonly name: string
  readonly desc: string | null
}

/** Condition on alias `g`: one of its ports is in scope. */
function portGroupInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`exists (select from port_group_port m join ports p on p.port_id = m.port_id
    where m.port_group_id = g.id and ${portInScope(sql, scope)})`
}

/** Port groups in scope by name. */
export async function listPortGroups({ sql }: Store, scope: Scope): Promise<PortGroupRecord[]> {
  return await sql<PortGroupRecord[]>`
    select g.id, g.name, g."desc" from port_groups g where ${portGroupInScope(sql, scope)} order by lower(g.name), g.id`
}

/**
 * The port group that a client names, as for device groups; null: none in scope. `orEmpty`: include groups without
 * ports.
 */
export async function findPortGroup(
  { sql }: Store,
  scope: Scope,
  ref: string,
  { orEmpty = false }: { readonly orEmpty?: boolean } = {},
): Promise<PortGroupRecord | null> {
  const isEmpty = sql`${orEmpty} and not exists (select from port_group_port m where m.port_group_id = g.id)`
  const [group] = await sql<PortGroupRecord[]>`
    select g.id, g.name, g."desc" from port_groups g
    where ${named(sql, ref)} and (${portGroupInScope(sql, scope)} or ${isEmpty})`
  return group ?? null
}

/** Ids of the members in scope, ascending; deleted ports remain members but are not shown. */
export async function portGroupMembers({ sql }: Store, scope: Scope, groupId: number): Promise<number[]> {
  const rows = await sql<{ port_id: number }[]>`
    select p.port_id from port_group_port m join ports p on p.port_id = m.port_id
    where m.port_group_id = ${groupId} and p.deleted = 0 and ${portInScope(sql, scope)} order by p.port_id`
  return rows.map((row) => row.port_id)
}

/** Number of members in scope of all port groups, by group; groups without any are absent. */
export async function portGroupSizes({ sql }: Store, scope: Scope): Promise<ReadonlyMap<number, number>> {
  const rows = await sql<{ id: number; size: number }[]>`
    select m.port_group_id as id, count(*)::int as size from port_group_port m join ports p on p.port_id = m.port_id
    where p.deleted = 0 and ${portInScope(sql, scope)} group by m.port_group_id`
  return new Map(rows.map(({ id, size }) => [id, size]))
}

/** Ports in scope whose port_descr_type is one of the types, case-insensitive; `@` matches any text. */
export async function portsOfTypes({ sql }: Store, scope: Scope, types: readonly string[]): Promise<number[]> {
  const patterns = types.map((type) => escaped(type).replaceAll('@', '%'))
  const rows = await sql<{ port_id: number }[]>`
    select p.port_id from ports p
    where p.port_descr_type ilike any(${patterns}::text[]) and p.deleted = 0 and p.disabled = 0 and p.ignore = 0
      and ${portInScope(sql, scope)} order by p.port_id`
  return rows.map((row) => row.port_id)
}

/** The ids of ports in scope that are not deleted, ascending. */
export async function visiblePorts({ sql }: Store, scope: Scope, ids: readonly number[]): Promise<number[]> {
  const rows = await sql<{ port_id: number }[]>`
    select p.port_id from ports p where p.port_id = any(${[...ids]}::int[]) and p.deleted = 0
      and ${portInScope(sql, scope)} order by p.port_id`
  return rows.map((row) => row.port_id)
}
