import type { Actor } from '../../base/actor.ts'
import { conflict, invalid } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { toStoreError } from '../../database/errors.ts'
import { hasUsers, listUsers, type UserRecord } from '../read.ts'
import { listRoles } from '../read-grants.ts'
import type { IdentityRecord } from '../read-identities.ts'
import {
  deleteUser,
  insertFirstUser,
  insertUser,
  notifyAccess,
  replaceRoles,
  updateEnabled,
  updatePassword,
  updatePreference,
} from '../write.ts'
import { deleteOtherSessions, deleteSecondFactor } from '../write-sessions.ts'
import { findUser, isUsername } from './find.ts'
import { createGrants } from './grants.ts'
import { createIdentities } from './identities.ts'
import { createPasswordCheck, hashPassword, type PasswordDeps } from './passwords.ts'

export type { IdentityRecord, UserRecord }

/** `admin` may do everything, `global-read` sees everything, `user` sees granted objects. */
export const ROLES = ['admin', 'global-read', 'user'] as const
export type Role = (typeof ROLES)[number]

export interface NewUserRequest {
  readonly username: string
  /** null or absent: the user cannot log in by password, but can have tokens. */
  readonly password?: string | null
  readonly roles: readonly string[]
  readonly realname?: string
  readonly email?: string
  readonly descr?: string
}

export interface UserDeps extends PasswordDeps {
  /** Called after every change of permissions. */
  readonly changed: () => void
}

/** Operations on users. */
export function createUserService({ changed, ...deps }: UserDeps) {
  const { store } = deps
  async function announce(): Promise<void> {
    changed()
    await notifyAccess(store)
  }

  async function require(username: string): Promise<UserRecord> {
    return await findUser(store, username)
  }

  async function checkRoles(roles: readonly string[]): Promise<void> {
    if (roles.every((role) => (ROLES as readonly string[]).includes(role))) return
    const known = new Set([...ROLES, ...(await listRoles(store)).map((role) => role.name)])
    const unknown = roles.find((role) => !known.has(role))
    if (unknown !== undefined) throw invalid(`Unknown role ${unknown}; roles are ${[...known].join(', ')}`)
  }

  return {
    /** Creates a user; returns the id. Throws `invalid` (name, role, password) or `conflict` (name in use). */
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

    createFirstAdmin: () => createFirstAdmin(store),

    /** The user called by this name or id. Throws `not_found`, or `conflict` with the ids if several share the name. */
    find: require,

    /** Users in order of name. */
    async list(): Promise<UserRecord[]> {
      return await listUsers(store)
    },

    /**
     * Removes the second factor of a user who has lost it, and ends the user's sessions; false: there was none. Throws
     * `not_found`.
     */
    async removeFactor(username: string): Promise<boolean> {
      const user = await require(username)
      const had = await deleteSecondFactor(store, user.user_id)
      await deleteOtherSessions(store, user.user_id, null)
      await announce()
      return had
    },

    /**
     * Sets a new password of at least eight characters and ends the user's sessions, except `keepSession`. Throws
     * `not_found`, `invalid`; `conflict` for a user whose password is kept elsewhere.
     */
    async setPassword(username: string, password: string, keepSession: number | null = null): Promise<void> {
      const user = await require(username)
      if (user.auth_type !== 'local') throw conflict(keptElsewhere(user))
      await updatePassword(store, user.user_id, await hashPassword(password))
      await deleteOtherSessions(store, user.user_id, keepSession)
      await announce()
    },

    checkPassword: createPasswordCheck(deps),

    /**
     * Disables a user, whose tokens then get status 401 and whose sessions are over for good, or enables it. Throws
     * `not_found`, or `conflict` for the last enabled administrator.
     */
    async setEnabled(username: string, enabled: boolean): Promise<void> {
      const user = await require(username)
      if (!(await updateEnabled(store, user.user_id, enabled))) throw lastAdmin(user.username)
      if (!enabled) await deleteOtherSessions(store, user.user_id, null)
      await announce()
    },

    /** Sets whether notes of the user's maintenance windows are appended to those of devices. Throws `not_found`. */
    async setScheduleNotes(username: string, on: boolean): Promise<void> {
      await updatePreference(store, (await require(username)).user_id, 'add_schedule_note_to_device', on ? '1' : null)
    },

    /**
     * Replaces the roles of a user. Throws `not_found`, `invalid`, or `conflict` for the role of the last
     * administrator.
     */
    async setRoles(username: string, roles: readonly string[]): Promise<void> {
      await checkRoles(roles)
      if (!(await replaceRoles(store, (await require(username)).user_id, roles))) throw lastAdmin(username)
      await announce()
    },

    ...createIdentities({ store, settings: deps.settings, announce, require }),
    ...createGrants({ store, settings: deps.settings, announce, require }),

    /**
     * Deletes a user with its tokens, roles and grants. Throws `not_found`, or `conflict` for the actor itself and the
     * last administrator.
     */
    async delete(actor: Actor, username: string): Promise<void> {
      const { user_id } = await require(username)
      if (user_id === actor.userId) throw conflict('A user cannot delete itself')
      if (!(await deleteUser(store, user_id))) throw lastAdmin(username)
      await announce()
    },
  }
}

export type UserService = ReturnType<typeof createUserService>

/** Creates user `admin` with a random password if there are no users. Returns the password, or null. */
async function createFirstAdmin(store: Store): Promise<string | null> {
  // before the password is hashed, which takes a third of the time of a start
  if (await hasUsers(store)) return null
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
}

/** Who keeps the passwords of users that sign in by this method (LibreNMS: auth_mechanism). */
const KEEPERS: Readonly<Record<string, string>> = {
  ldap: 'the LDAP directory',
  'ldap-authorization': 'the LDAP directory',
  active_directory: 'Active Directory',
  'ad-authorization': 'Active Directory',
  'http-auth': 'the web server',
  radius: 'the RADIUS server',
  sso: 'the single sign-on provider',
  socialite: 'the single sign-on provider',
}

const keptElsewhere = ({ username, auth_type: method }: UserRecord): string => {
  const keeper = (method !== null && KEEPERS[method]) || `sign-in method ${method ?? 'unknown'}`
  return `The password of ${username} is kept by ${keeper}, not here: change it there`
}

const lastAdmin = (username: string) =>
  conflict(`${username} is the last enabled administrator: give another user role admin first`)

function checkUsername(username: string): void {
  if (isUsername(username)) return
  throw invalid('A username must have 1 to 255 characters and no spaces, and must not look like an id (id=7)')
}
