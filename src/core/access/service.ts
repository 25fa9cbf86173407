import { isSettingName, isStorable, SETTING_NAMES } from '../../config/names.ts'
import { allowedValues } from '../../config/parse.ts'
import { SETTINGS, type Setting, type SettingName, type Settings } from '../../config/schema.ts'
import { isSecret, withoutSecrets } from '../../config/secrets.ts'
import { type Actor, isAdmin } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { auditText, differences } from '../base/differences.ts'
import { forbidden, invalid, notFound } from '../base/errors.ts'
import { type ChangeKind, type ChangeRow, lastSettingChanges, listChanges } from '../base/write-changes.ts'
import type { Store } from '../database/client.ts'
import type { SettingsService } from '../settings/service.ts'
import type { TokenRecord, TokenTerms } from './tokens/service.ts'
import type { GrantIds, GrantKind } from './users/grants.ts'
import type { IdentityRecord, NewUserRequest, UserRecord, UserService } from './users/service.ts'
import { deleteOtherSessions, deleteSession, listSessions, type SessionRecord } from './write-sessions.ts'

export type { ChangeRow }

/** A setting for display. Secrets are masked in `value` and `fallback`. */
export interface SettingRow {
  readonly name: SettingName
  readonly setting: Setting
  /** As text, for a form field; '' for secrets. */
  readonly value: string
  readonly secret: boolean
  readonly origin: ReturnType<Settings['origin']>
  /** Whether it can be stored in the database and no source with precedence overrides it. */
  readonly editable: boolean
  /** Description of the allowed values. */
  readonly allowed: string
  /** The default as text. */
  readonly fallback: string
  /** The last change; null: none is recorded. */
  readonly changed: Pick<ChangeRow, 'at' | 'username'> | null
}

const MAX_CHANGES = 200

/** Ids or names of objects, by kind. */
type GrantRefs = Readonly<Partial<Record<GrantKind, readonly string[]>>>

export interface AdminDeps {
  readonly store: Store
  readonly config: Settings
  readonly settings: SettingsService
  readonly users: UserService
  /** Empties the caches of sessions and tokens, here and in other processes. */
  readonly announce: () => Promise<void>
}

/**
 * Administration of settings and users, with an audit of who changed what. Every operation throws `forbidden` for
 * actors without role `admin`.
 */
export function createAdminService({ store, config, settings, users, announce }: AdminDeps) {
  function guard(actor: Actor): void {
    if (!isAdmin(actor)) throw forbidden('Only administrators may do this')
  }
  const record = (actor: Actor, kind: ChangeKind, subject: string, message: string) =>
    recordChange(store, actor, kind, subject, message)

  /** The setting's current value as text, including secrets. */
  async function valueBefore(name: string): Promise<string> {
    const stored = (await settings.stored()).get(name)
    if (stored !== undefined) return valueText(stored)
    return isSettingName(name) ? valueText(config.get(name)) : ''
  }

  /** Runs a change of a user, given by name or id, and records it in the audit. */
  const change =
    <A extends readonly unknown[], R>(
      work: (actor: Actor, username: string, ...args: A) => Promise<R>,
      words: (...args: A) => string,
    ) =>
    async (actor: Actor, username: string, ...args: A): Promise<R> => {
      guard(actor)
      const user = await users.find(username)
      const result = await work(actor, `id=${user.user_id}`, ...args)
      await record(actor, 'access', user.username, `User ${user.username}: ${words(...args)}`)
      return result
    }

  return {
    /** Every setting, in order of declaration. */
    async settings(actor: Actor): Promise<SettingRow[]> {
      guard(actor)
      const [stored, changes] = await Promise.all([settings.stored(), lastSettingChanges(store)])
      const changed = new Map(changes.map((row) => [row.subject, row]))
      return SETTING_NAMES.map((name) => {
        const weak = ['default', 'stored'].includes(config.origin(name))
        // a value that was just stored counts even before this process has been notified of it
        const origin = weak ? (stored.has(name) ? 'stored' : 'default') : config.origin(name)
        const value = weak ? (stored.has(name) ? stored.get(name) : SETTINGS[name].default) : config.get(name)
        const last = changed.get(name)
        return {
          name,
          setting: SETTINGS[name],
          value: isSecret(name) ? '' : valueText(withoutSecrets(name, value)),
          secret: isSecret(name),
          origin,
          editable: isStorable(name) && weak,
          allowed: allowedValues(name),
          fallback: valueText(SETTINGS[name].default),
          changed: last === undefined ? null : { at: last.at, username: last.username },
        }
      })
    },

    /** Stores a setting, given as text. Throws `not_found`, or `invalid` with the allowed values. */
    async setSetting(actor: Actor, name: string, text: string): Promise<void> {
      guard(actor)
      if (isSettingName(name) && !isStorable(name))
        throw invalid(`${name} is needed before the database is open: set it by file, environment or flag`)
      const before = await valueBefore(name)
      await settings.set(name, text)
      const words = isHidden(name)
        ? 'changed to a new value (not recorded)'
        : `changed from ${auditText(before)} to ${auditText(text)}`
      await record(actor, 'settings', name, `Setting ${name} ${words}`)
    },

    /** Removes the stored value, so that the default applies; false: none was stored. Throws `not_found`. */
    async unsetSetting(actor: Actor, name: string): Promise<boolean> {
      guard(actor)
      const before = await valueBefore(name)
      const had = await settings.unset(name)
      const was = isHidden(name) ? '' : ` from ${auditText(before)}`
      if (had) await record(actor, 'settings', name, `Setting ${name} back to its default${was}`)
      return had
    },

    /** The audit, latest first; at most 200 rows. */
    async changes(actor: Actor, before: number | null): Promise<ChangeRow[]> {
      guard(actor)
      return await listChanges(store, { limit: MAX_CHANGES, before })
    },

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

    /** Creates or changes a custom role. Throws `invalid`. */
    async defineRole(actor: Actor, role: string, permissions: readonly string[]): Promise<void> {
      guard(actor)
      const before = (await users.roles()).find(({ name }) => name === role)
      await users.defineRole(role, permissions)
      const was = before === undefined ? '' : `, before ${before.permissions.join(', ') || 'nothing'}`
      await record(actor, 'access', role, `Role ${role} may now ${permissions.join(', ') || 'nothing'}${was}`)
    },

    /** Deletes a custom role. Throws `invalid` or `not_found`. */
    async deleteRole(actor: Actor, role: string): Promise<void> {
      guard(actor)
      await users.deleteRole(role)
      await record(actor, 'access', role, `Role ${role} deleted`)
    },

    /** Records what users change of their own account, which has already been done. `what` holds no secret. */
    async noteOwn(actor: Actor, what: string): Promise<void> {
      await record(actor, 'access', actor.username, `User ${actor.username}: ${what}`)
    },

    /** Records a change of a token's terms, which the token service has already made. */
    async noteTokenTerms(actor: Actor, before: TokenRecord, terms: Partial<TokenTerms>): Promise<void> {
      const { scope, expires_at: expiresAt, dialect } = before
      const what = differences({ scope, expiresAt, dialect }, { scope, expiresAt, dialect, ...terms })
      if (what === '') return
      await record(actor, 'access', 'API tokens', `API token ${before.id} of ${before.username}: ${what}`)
    },

    /** Records a change of a token, which the token service has already made. */
    async noteToken(actor: Actor, message: string): Promise<void> {
      await record(actor, 'access', 'API tokens', message)
    },
  }
}

export type AdminService = ReturnType<typeof createAdminService>

const WORDS: Readonly<Record<GrantKind, string>> = {
  deviceIds: 'device',
  deviceGroupIds: 'device group',
  locationIds: 'location',
  portIds: 'port',
  billIds: 'bill',
}

/** Names that are not settings, such as the module switches, are not secret. */
const isHidden = (name: string): boolean => isSettingName(name) && isSecret(name)

const refsText = (refs: GrantRefs): string =>
  (Object.keys(WORDS) as GrantKind[])
    .flatMap((kind) => (refs[kind] ?? []).map((ref) => `${WORDS[kind]} ${ref}`))
    .join(', ')

function valueText(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.some((item) => /[,\s[]/.test(item) || item === '') ? JSON.stringify(value) : value.join(', ')
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
