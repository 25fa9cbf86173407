import type { Installation } from './context.ts'
import { findTable, intOf, type Row, textOf } from './source.ts'
import type { ImportedRole } from './write-access.ts'

const LEVELS: Readonly<Record<string, string>> = { '1': 'user', '5': 'global-read', '10': 'admin' }
const OWN = new Set(['admin', 'global-read', 'user'])
const USER = /User$/

/** Reads roles in any of the three formats that installations have used. */
export async function readRoles(of: Installation): Promise<readonly ImportedRole[]> {
  const all = async (table: string): Promise<readonly Row[]> => {
    const name = findTable(of.source, table)
    const rows: Row[] = []
    if (name !== null) for await (const some of of.source.rows(name)) rows.push(...some)
    return rows
  }
  const users = new Map<string, number[]>()
  const give = (role: string, user: number | null): void => {
    const id = of.idOf('users', user)
    if (role !== '' && id !== null) users.set(role, [...(users.get(role) ?? []), id])
  }
  for (const row of await all('users')) give(LEVELS[textOf(row, 'level')] ?? '', intOf(row, 'user_id'))
  const roles = await all('roles')
  const names = new Map(roles.map((row) => [intOf(row, 'id'), textOf(row, 'name')]))
  for (const row of await all('assigned_roles'))
    if (USER.test(textOf(row, 'entity_type'))) give(names.get(intOf(row, 'role_id')) ?? '', intOf(row, 'entity_id'))
  for (const row of await all('model_has_roles'))
    if (USER.test(textOf(row, 'model_type'))) give(names.get(intOf(row, 'role_id')) ?? '', intOf(row, 'model_id'))
  const permissions = new Map((await all('permissions')).map((row) => [intOf(row, 'id'), textOf(row, 'name')]))
  const granted = Map.groupBy(await all('role_has_permissions'), (row) => names.get(intOf(row, 'role_id')) ?? '')
  return [...new Set([...names.values(), ...users.keys()])]
    .filter((name) => name !== '')
    .map((name) => ({
      name,
      permissions: OWN.has(name)
        ? []
        : (granted.get(name) ?? []).flatMap((row) => permissions.get(intOf(row, 'permission_id')) ?? []),
      userIds: users.get(name) ?? [],
    }))
}
