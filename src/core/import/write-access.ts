import type { ImportTx } from './write-tables.ts'

/** A role with what it allows and who has it. */
export interface ImportedRole {
  readonly name: string
  /** Names as `device.update`; empty for the program's own roles. */
  readonly permissions: readonly string[]
  readonly userIds: readonly number[]
}

/** Adds roles, their permissions and their users to the existing ones. */
export async function addRoles(tx: ImportTx, roles: readonly ImportedRole[]): Promise<void> {
  for (const { name, permissions, userIds } of roles) {
    await tx`insert into roles (name) values (${name}) on conflict do nothing`
    await tx`
      insert into model_has_roles (role_id, model_id)
      select r.id, u.user_id from roles r, users u
      where r.name = ${name} and u.user_id = any(${`{${userIds.join()}}`}::text::int[]) on conflict do nothing`
    for (const permission of permissions) {
      await tx`insert into permissions (name) values (${permission}) on conflict do nothing`
      await tx`
        insert into role_has_permissions (role_id, permission_id)
        select r.id, p.id from roles r, permissions p where r.name = ${name} and p.name = ${permission}
        on conflict do nothing`
    }
  }
}

/** Stores settings that are not set here yet; returns the names of those stored. */
export async function addSettings(
  tx: ImportTx,
  settings: readonly { readonly name: string; readonly value: unknown }[],
): Promise<readonly string[]> {
  const stored: string[] = []
  for (const { name, value } of settings) {
    const done = await tx`
      insert into config (name, value) values (${name}, ${JSON.stringify(value)}::text::jsonb) on conflict do nothing`
    if (done.count > 0) stored.push(name)
  }
  return stored
}
