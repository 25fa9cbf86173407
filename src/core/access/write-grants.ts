import type { Store } from '../database/client.ts'
import { GRANT_TABLES, type GrantIds, type GrantKind } from './read-grants.ts'

const kinds = (ids: GrantIds) =>
  (Object.keys(GRANT_TABLES) as GrantKind[]).flatMap((kind) => {
    const list = [...new Set(ids[kind] ?? [])]
    return list.length === 0 ? [] : [{ ...GRANT_TABLES[kind], list }]
  })

/** Grants objects to a user of role `user`; granting twice is no error. Throws 23503 when an object does not exist. */
export async function insertGrants({ sql }: Store, userId: number, ids: GrantIds): Promise<void> {
  return await sql.begin(async (tx) => {
    for (const { table, column, list } of kinds(ids)) {
      await tx`insert into ${tx(table)} (user_id, ${tx(column)})
          select ${userId}, id from unnest(${list}::int[]) id on conflict do nothing`
    }
  })
}

/** Revokes grants; returns how many were removed. */
export async function deleteGrants({ sql }: Store, userId: number, ids: GrantIds): Promise<number> {
  return await sql.begin(async (tx) => {
    let gone = 0
    for (const { table, column, list } of kinds(ids)) {
      const { count } = await tx`
          delete from ${tx(table)} where user_id = ${userId} and ${tx(column)} = any(${list}::int[])`
      gone += count
    }
    return gone
  })
}

/** Replaces the permissions of a role and creates the role if needed. Names are lower case. */
export async function replacePermissions({ sql }: Store, role: string, permissions: readonly string[]): Promise<void> {
  return await sql.begin(async (tx) => {
    const names = [...new Set(permissions)]
    await tx`insert into roles (name) values (${role}) on conflict do nothing`
    // of two that replace them, the second waits here
    await tx`select from roles where name = ${role} for no key update`
    await tx`insert into permissions (name) select unnest(${names}::text[]) on conflict do nothing`
    await tx`delete from role_has_permissions where role_id in (select id from roles where name = ${role})`
    await tx`insert into role_has_permissions (role_id, permission_id)
        select r.id, p.id from roles r join permissions p on p.name = any(${names}::text[]) where r.name = ${role}`
  })
}

/** Deletes a role and removes it from its users. Returns false when it does not exist. */
export async function deleteRole({ sql }: Store, role: string): Promise<boolean> {
  const { count } = await sql`delete from roles where name = ${role}`
  return count > 0
}
