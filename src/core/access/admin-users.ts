import type { Settings } from '../../config/schema.ts'
import type { Actor } from '../base/actor.ts'
import { notFound } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import { type Audit, userChange } from './admin-audit.ts'
import type { GrantIds, GrantKind } from './users/grants.ts'
import type { IdentityRecord, NewUserRequest, UserRecord, UserService } from './users/service.ts'
import { deleteOtherSessions, deleteSession, listSessions, type SessionRecord } from './write-sessions.ts'

/** Ids or names of objects, by kind. */
type GrantRefs = Readonly<Partial<Record<GrantKind, readonly string[]>>>

export interface UserAdminDeps {
  readonly store: Store
  readonly config: Settings
  readonly users: UserService
  /** Empties the caches of sessions and tokens, here and in other processes. */
  readonly announce: () => Promise<void>
}

/** Administration of users. */
export function createUserAdmin({ store, config, users, announce }: UserAdminDeps, { guard, record }: Audit) {
  const change = userChange(users, { guard, record })

  return {
    async users(actor: Actor): Promise<UserRecord[]> {
      guard(actor)
      return await users.list()
    },

    /** One user, with open sessions and accounts at identity providers. Throws `not_found`. */
    async user(
      actor: Actor,
      username: string,
    ): Promise<{ user: UserRecord; sessions: SessionRecord[]; identities: IdentityRecord[] }> {
      guard(actor)
      const user = await users.find(username)
      const [open, identities] = await Promise.all([
        listSessions(store, user.user_id),
        users.identities(`id=${user.user_id}`),
      ])
      return { user, sessions: open, identities }
    },

    /** Creates a user; returns the id. Throws `invalid` or `conflict`. */
    async addUser(actor: Actor, request: NewUserRequest): Promise<number> {
      guard(actor)
      const id = await users.create(request)
      const roles = request.roles.join(', ') || 'no role'
      await record(actor, 'access', request.username, `User ${request.username} added with ${roles}`)
      return id
    },

    /** Replaces the roles of a user. Throws `not_found`, `invalid`, `conflict`. */
    async setRoles(actor: Actor, username: string, roles: readonly string[]): Promise<void> {
      guard(actor)
      const user = await users.find(username)
      await users.setRoles(`id=${user.user_id}`, roles)
      const [from, to] = [user.roles, roles].map((list) => list.join(', ') || 'none')
      await record(actor, 'access', user.username, `User ${user.username}: roles changed from ${from} to ${to}`)
    },
    setPassword: change(
      (_actor, username, password: string) => users.setPassword(username, password),
      (_password: string) => 'new password set, sessions ended',
    ),
    /** Whether notes of the user's maintenance windows are appended to those of the devices. Throws `not_found`. */
    setScheduleNotes: change(
      (_actor, username, on: boolean) => users.setScheduleNotes(username, on),
      (on) => `notes of maintenance windows are ${on ? 'also' : 'no longer'} added to devices`,
    ),
    setEnabled: change(
      (_actor, username, enabled: boolean) => users.setEnabled(username, enabled),
      (enabled) => (enabled ? 'enabled' : 'disabled'),
    ),
    /** Records that the actor begins to view the pages as the user; returns the user. Throws `not_found`. */
    viewAs: change(
      (_actor, username) => users.find(username),
      () => 'pages viewed as this user',
    ),
    /** Removes the second factor of a user who has lost it; false: there was none. Throws `not_found`. */
    removeFactor: change(
      (_actor, username) => users.removeFactor(username),
      () => 'second factor removed, sessions ended',
    ),
    deleteUser: change(
      (actor, username) => users.delete(actor, username),
      () => 'deleted, with tokens and grants',
    ),
    endSessions: change(
      async (_actor, username) => {
        await deleteOtherSessions(store, (await users.find(username)).user_id, null)
        await announce()
      },
      () => 'sessions ended',
    ),
    /** Ends one session. Throws `not_found`. */
    endSession: change(
      async (_actor, username, id: number) => {
        if (!(await deleteSession(store, (await users.find(username)).user_id, id)))
          throw notFound(`Session ${id} is over`)
        await announce()
      },
      (id) => `session ${id} ended`,
    ),
    /**
     * Lets an account at the OpenID Connect provider sign in as the user. Throws `not_found`, `invalid`, `conflict`.
     */
    link: change(
      (_actor, username, subject: string, issuer: string | null) => users.link(username, subject, issuer),
      (subject, issuer) => `linked to ${subject} of ${issuer ?? config.get('auth.oidc.issuer')}`,
    ),
    /** Removes the user's accounts at providers; returns how many there were. Throws `not_found`. */
    unlink: change(
      (_actor, username) => users.unlink(username),
      () => 'unlinked from the identity provider, sessions ended',
    ),
    /** Grants an object, by id or name. Throws `not_found`. */
    grant: change(
      async (_actor, username, kind: GrantKind, ref: string) =>
        users.grant(username, await users.grantable({ [kind]: [ref] })),
      (kind, ref) => `granted ${WORDS[kind]} ${ref}`,
    ),
    revoke: change(
      (_actor, username, kind: GrantKind, id: number) => users.revoke(username, { [kind]: [id] } satisfies GrantIds),
      (kind, id) => `grant of ${WORDS[kind]} ${id} revoked`,
    ),

    /** Grants several objects, by ids or names. Throws `not_found`. */
    grantAll: change(
      async (_actor, username, refs: GrantRefs) => users.grant(username, await users.grantable(refs)),
      (refs) => `granted ${refsText(refs)}`,
    ),
    /** Revokes several grants; returns how many there were. Throws `not_found`. */
    revokeAll: change(
      async (_actor, username, refs: GrantRefs) => users.revoke(username, await users.grantable(refs)),
      (refs) => `grants of ${refsText(refs)} revoked`,
    ),
  }
}

const WORDS: Readonly<Record<GrantKind, string>> = {
  deviceIds: 'device',
  deviceGroupIds: 'device group',
  locationIds: 'location',
  portIds: 'port',
  billIds: 'bill',
}

const refsText = (refs: GrantRefs): string =>
  (Object.keys(WORDS) as GrantKind[])
    .flatMap((kind) => (refs[kind] ?? []).map((ref) => `${WORDS[kind]} ${ref}`))
    .join(', ')
