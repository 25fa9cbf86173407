import type { Store } from '../../store/client.ts'
import { toStoreError } from '../../store/errors.ts'
import { listUsers, passwordHash, type UserRecord } from '../../store/readers/access.ts'
import { listRoles } from '../../store/readers/grants.ts'
import {
  deleteUser,
  insertFirstUser,
  insertUser,
  notifyAccess,
  replaceRoles,
  updateEnabled,
  updatePassword,
  updatePreference,
} from '../../store/writers/access.ts'
import { conflict, invalid, notFound } from '../errors.ts'
import { createGrants } from './grants.ts'

export type { UserRecord }

/** `admin`: everything; `global-read`: sees everything; `user`: sees what was granted. */
export const ROLES = ['admin', 'global-read', 'user'] as const
export type Role = (typeof ROLES)[number]

const MIN_PASSWORD = 8
/** argon2id takes any length; this bounds the work of one login. */
const MAX_PASSWORD = 1024
const USERNAME = /^[^\s\p{C}]{1,255}$/u

export interface NewUserRequest {
  readonly username: string
  /** null or absent: the user cannot log in by password, but can have tokens. */
  readonly password?: string | null
  readonly roles: readonly string[]
  readonly realname?: string
  readonly email?: string
  readonly descr?: string
}

/** The verbs on users. `changed` is called after every change of who may do what. */
export function createUserService({ store, changed }: { readonly store: Store; readonly changed: () => void }) {
  async function tell(): Promise<void> {
    changed()
    await notifyAccess(store)
  }

  async function require(username: string): Promise<UserRecord> {
    const [user] = await listUsers(store, username)
    if (!user) throw notFound(`User ${username} does not exist`)
    return user
  }

  async function checkRoles(roles: readonly string[]): Promise<void> {
    if (roles.every((role) => (ROLES as readonly string[]).includes(role))) return
    const known = new Set([...ROLES, ...(await listRoles(store)).map((role) => role.name)])
    const unknown = roles.find((role) => !known.has(role))
    if (unknown !== undefined) throw invalid(`Unknown role ${unknown}; known are ${[...known].join(', ')}`)
  }

  return {
    /** Creates a user; returns the id. Throws `invalid` (name, role, password) or `conflict` (name taken). */
    async create(request: NewUserRequest): Promise<number> {
      checkUsername(request.username)
      await checkRoles(request.roles)
      const password = request.password == null ? null : await hashPassword(request.password)
      try {
        return await insertUser(store, {
          username: request.username,
          password,
          roles: request.roles,
          realname: request.realname ?? '',
          email: request.email ?? '',
          descr: request.descr ?? '',
        })
      } catch (error) {
        const known = toStoreError(error)
        if (known.code === '23505') throw conflict(`User ${request.username} already exists`)
        throw known
      }
    },

    /** Creates the user `admin` with a random password if there is no user at all. Returns the password, or null. */
    async createFirstAdmin(): Promise<string | null> {
      const password = crypto.getRandomValues(new Uint8Array(12)).toBase64({ alphabet: 'base64url' })
      const created = await insertFirstUser(store, {
        username: 'admin',
        password: await hashPassword(password),
        roles: ['admin'],
        realname: '',
        email: '',
        descr: '',
      })
      return created === null ? null : password
    },

    /** Users by name. */
    async list(): Promise<UserRecord[]> {
      return await listUsers(store)
    },

    /** Sets a new password of at least eight characters. Throws `not_found`, `invalid`. */
    async setPassword(username: string, password: string): Promise<void> {
      const user = await require(username)
      await updatePassword(store, user.user_id, await hashPassword(password))
      await tell()
    },

    /** Whether name and password belong together and the user is enabled. Takes as long for unknown names. */
    async checkPassword(username: string, password: string): Promise<boolean> {
      if (password.length > MAX_PASSWORD) return false
      const [[user], hash] = await Promise.all([listUsers(store, username), passwordHash(store, username)])
      const matches = await Bun.password.verify(password, hash ?? UNKNOWN_HASH)
      return matches && hash !== null && user?.enabled === 1
    },

    /** Locks a user out (all its tokens answer 401), or lets it in again. Throws `not_found`. */
    async setEnabled(username: string, enabled: boolean): Promise<void> {
      await updateEnabled(store, (await require(username)).user_id, enabled)
      await tell()
    },

    /** Whether the notes of a maintenance that the user makes are added to those of its devices. Throws `not_found`. */
    async setScheduleNotes(username: string, on: boolean): Promise<void> {
      await updatePreference(store, (await require(username)).user_id, 'add_schedule_note_to_device', on ? '1' : null)
    },

    /** Replaces the roles of a user. Throws `not_found`, `invalid`. */
    async setRoles(username: string, roles: readonly string[]): Promise<void> {
      await checkRoles(roles)
      await replaceRoles(store, (await require(username)).user_id, roles)
      await tell()
    },

    ...createGrants({ store, tell, require }),

    /** Removes a user with tokens, roles and grants. Throws `not_found`. */
    async delete(username: string): Promise<void> {
      await deleteUser(store, (await require(username)).user_id)
      await tell()
    },
  }
}

export type UserService = ReturnType<typeof createUserService>

function checkUsername(username: string): void {
  if (!USERNAME.test(username)) throw invalid('A username has 1 to 255 characters and no spaces')
}

async function hashPassword(password: string): Promise<string> {
  if (password.length < MIN_PASSWORD) throw invalid(`A password has at least ${MIN_PASSWORD} characters`)
  if (password.length > MAX_PASSWORD) throw invalid(`A password has at most ${MAX_PASSWORD} characters`)
  return await Bun.password.hash(password, 'argon2id')
}

/** Hash of a random password that nobody has: verified against when there is no user, so that both take as long. */
const UNKNOWN_HASH =
  '$argon2id$v=19$m=65536,t=2,p=1$2IF4zjoYUbio3BxAKLki9dbJGQ3kgvM1fUd5ECgmA/Q$hHFac844cmjwQ85TXGmuPOVSQJdrqhFJ6eBdm9WnUgY'
