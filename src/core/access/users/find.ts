import { conflict, notFound } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { listUsers, type UserRecord } from '../read.ts'

/** What a user is called by: the name, the id, or `id=7` for sure. */
export const BY_ID = /^id=(\d{1,9})$/
const USERNAME = /^[^\s\p{C}]{1,255}$/u

/** Whether a new user can have this name. Not `id=7`, with which commands mean another user. */
export const isUsername = (name: string): boolean => USERNAME.test(name) && !BY_ID.test(name)

/**
 * The user called by this name or id. A name that consists of digits goes before an id. Two users can share a name if
 * they sign in in different ways (LibreNMS: auth_type), so such a name is refused with the ids. Throws `not_found`,
 * `conflict`.
 */
export async function findUser(store: Store, ref: string): Promise<UserRecord> {
  const id = BY_ID.exec(ref)?.[1]
  const named = id === undefined ? await listUsers(store, ref) : []
  const isId = id !== undefined || (named.length === 0 && /^\d{1,9}$/.test(ref))
  const [user, ...others] = isId ? await listUsers(store, Number(id ?? ref)) : named
  if (user === undefined) throw notFound(`User ${ref} does not exist`)
  if (others.length === 0) return user
  const ids = named.map(({ user_id, auth_type, enabled }) => {
    return `id ${user_id} (${auth_type ?? 'local'}${enabled === 1 ? '' : ', disabled'})`
  })
  throw conflict(`There are ${named.length} users named ${ref}: ${ids.join(', ')}. Give the id: ${user.user_id}`)
}
