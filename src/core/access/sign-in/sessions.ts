import type { Settings } from '../../../config/schema.ts'
import type { Log } from '../../../observe/log.ts'
import { type Actor, isAdmin } from '../../base/actor.ts'
import { DomainError, invalid, notFound, throttled } from '../../base/errors.ts'
import { insertAuthEntries } from '../../base/write-events.ts'
import type { Store } from '../../database/client.ts'
import { listUsers, userAccess } from '../read.ts'
import { localOf } from '../users/passwords.ts'
import type { UserService } from '../users/service.ts'
import {
  deleteOtherSessions,
  deleteSession,
  deleteSessionOf,
  insertSession,
  listSessions,
  type SessionMethod,
  type SessionOwner,
  type SessionRecord,
  secondFactor,
  sessionIdToken,
  sessionOwner,
  touchSession,
} from '../write-sessions.ts'
import { createSecondFactors } from './second-factor.ts'
import { ALONE, createGuessLimit, type GuessExchange } from './throttle.ts'

export type { SessionRecord }

/** Random bytes in a session's secret. */
const SECRET_OCTETS = 32
const SECRET = /^[\w-]{43}$/
/** Time for which a valid session is trusted without a database query. */
const TRUST_MS = 2000
const REMEMBERED = 10_000
/** Minimum time between writes of a session's last use. */
const TOUCH_MS = 60_000
/** Time allowed for the second factor after the password. */
const FACTOR_MS = 300_000
/** Wrong codes allowed per minute and user. */
const WRONG_CODES = 5

/** The session of a user who has signed in. */
export interface SignInSession {
  readonly id: number
  readonly actor: Actor
  /** `factor`: the session only allows sending the second factor. */
  readonly stage: 'open' | 'factor'
  readonly method: SessionMethod
  /** Token that forms and scripts send with every change. */
  readonly csrf: string
}

/** Origin of a request. */
export interface Visitor {
  readonly address: string
  readonly agent: string
}

export interface SessionDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly users: Pick<UserService, 'checkPassword' | 'setPassword'>
  /** Called after sessions were ended. */
  readonly ended?: () => void
  /** Default: no other process. */
  readonly guesses?: GuessExchange
  /** Epoch ms. */
  readonly now?: () => number
}

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** A session's CSRF token, derived from its secret without revealing it. */
const csrfOf = (secret: string) => sha256(`csrf ${secret}`).slice(0, 32)

/**
 * Sign-in by password and second factor, and sessions. The browser keeps a session's secret, and only its hash is
 * stored. Sessions end after `auth.session_idle` seconds without use, and `auth.session_age` seconds after sign-in.
 */
export function createSessionService({
  store,
  settings,
  log,
  users,
  ended = () => undefined,
  guesses = ALONE,
  now = Date.now,
}: SessionDeps) {
  const remembered = new Map<string, { readonly session: SignInSession; readonly untilMs: number }>()
  const touched = new Map<number, number>()
  const codes = createGuessLimit(
    () => WRONG_CODES,
    now,
    (heard) => guesses.open('code', heard),
  )
  const factors = createSecondFactors({ store, now })
  let generation = 0

  function journal(user: string, address: string, result: string): void {
    insertAuthEntries(store, [{ user, address, result }]).catch((error: unknown) =>
      log.debug({ err: error }, 'login not recorded'),
    )
  }

  function isOver(owner: SessionOwner, nowMs: number): boolean {
    if (owner.enabled !== 1) return true
    if (owner.stage === 'factor') return nowMs - owner.created_ms > FACTOR_MS
    if (nowMs - owner.seen_ms > settings.get('auth.session_idle') * 1000) return true
    return nowMs - owner.created_ms > settings.get('auth.session_age') * 1000
  }

  function sessionOf(owner: SessionOwner, secret: string): SignInSession {
    return {
      id: owner.session_id,
      stage: owner.stage,
      method: owner.method,
      csrf: csrfOf(secret),
      actor: {
        userId: owner.user_id,
        username: owner.username,
        roles: new Set(owner.roles),
        permissions: new Set(owner.permissions),
        dynamicGroups: settings.get('permission.device_group.allow_dynamic'),
        dialect: null,
        readOnly: false,
      },
    }
  }

  async function begin(
    userId: number,
    stage: 'open' | 'factor',
    method: SessionMethod,
    { address, agent }: Visitor,
    idToken: string | null = null,
  ): Promise<string> {
    const secret = crypto.getRandomValues(new Uint8Array(SECRET_OCTETS)).toBase64({
      alphabet: 'base64url',
      omitPadding: true,
    })
    const row = { user_id: userId, secret_hash: sha256(secret), stage, method, id_token: idToken }
    await insertSession(store, { ...row, address: address.slice(0, 64), agent: agent.slice(0, 255).toWellFormed() })
    return secret
  }

  /** The enabled user who signs in by password under this name. */
  async function localUser(username: string) {
    const user = localOf(await listUsers(store, username))
    return user?.enabled === 1 ? user : null
  }

  /** The only enabled user of this name, however it signs in. */
  async function onlyUser(username: string) {
    const named = (await listUsers(store, username)).filter(({ enabled }) => enabled === 1)
    if (named.length > 1)
      log.warn({ user: username, ids: named.map(({ user_id }) => user_id) }, 'the proxy names a user that exists twice')
    return named.length === 1 ? (named[0] ?? null) : null
  }

  function forget(): void {
    generation++
    remembered.clear()
  }

  return {
    /**
     * The session with a secret; null: it is unknown or has ended, or its user is disabled. `used` false: the request
     * does not count as use, so it does not keep the session from ending.
     */
    async find(secret: string, address: string, used = true): Promise<SignInSession | null> {
      if (!SECRET.test(secret)) return null
      const nowMs = now()
      const known = remembered.get(secret)
      if (known !== undefined && known.untilMs > nowMs) return known.session
      remembered.delete(secret)
      const asked = generation
      const owner = await sessionOwner(store, sha256(secret))
      if (owner === null || isOver(owner, nowMs)) return null
      const session = sessionOf(owner, secret)
      if (remembered.size >= REMEMBERED) remembered.clear()
      if (asked === generation) remembered.set(secret, { session, untilMs: nowMs + TRUST_MS })
      if (used && nowMs - (touched.get(session.id) ?? owner.seen_ms) >= TOUCH_MS) {
        if (touched.size >= REMEMBERED) touched.clear()
        touched.set(session.id, nowMs)
        touchSession(store, session.id, address.slice(0, 64)).catch((error: unknown) =>
          log.debug({ err: error }, 'use of a session not recorded'),
        )
      }
      return session
    },

    /**
     * Signs in. Returns the new session's secret, and whether a second factor is still required. Null: wrong name or
     * password. Throws `throttled`.
     */
    async signIn(
      username: string,
      password: string,
      visitor: Visitor,
    ): Promise<{ readonly secret: string; readonly stage: 'open' | 'factor' } | null> {
      if (!(await users.checkPassword(username, password, visitor.address))) {
        journal(username.slice(0, 255).toWellFormed(), visitor.address, 'Sign-in refused')
        return null
      }
      const user = await localUser(username)
      if (user === null) return null
      const factor = await secondFactor(store, user.user_id)
      const stage = factor?.confirmed_at == null ? 'open' : 'factor'
      const secret = await begin(user.user_id, stage, 'password', visitor)
      if (stage === 'open') journal(user.username, visitor.address, 'Signed in')
      return { secret, stage }
    },

    /**
     * The second step of signing in, with a code from the authenticator or a recovery code. Returns the secret of an
     * open session, which replaces the given one; null: wrong code. Throws `throttled`.
     */
    async signInFactor(session: SignInSession, secret: string, code: string, visitor: Visitor): Promise<string | null> {
      const { userId, username } = session.actor
      if (userId === null || session.stage !== 'factor') throw new DomainError('unauthenticated', 'Sign in first')
      if (!codes.take(String(userId))) throw throttled(codes.waitS(String(userId)))
      if (!(await factors.accept(userId, code))) {
        journal(username, visitor.address, 'Second factor refused')
        return null
      }
      codes.giveBack(String(userId))
      await deleteSessionOf(store, sha256(secret))
      forget()
      journal(username, visitor.address, 'Signed in with a second factor')
      return await begin(userId, 'open', 'password', visitor)
    },

    /** Opens a session for the user named by an authenticating proxy; null: no such enabled user, or several. */
    async signInByProxy(username: string, visitor: Visitor): Promise<string | null> {
      const user = await onlyUser(username)
      if (user === null) return null
      journal(user.username, visitor.address, 'Signed in by the proxy')
      return await begin(user.user_id, 'open', 'proxy', visitor)
    },

    /**
     * Opens a session for the user authenticated by an OpenID Connect provider. A second factor is left to the
     * provider. `idToken`: kept for signing out there; null: not needed.
     */
    async signInByProvider(
      user: { readonly user_id: number; readonly username: string },
      visitor: Visitor,
      idToken: string | null,
    ): Promise<string> {
      journal(user.username, visitor.address, 'Signed in by OpenID Connect')
      return await begin(user.user_id, 'open', 'oidc', visitor, idToken)
    },

    /** Records that a sign-in by OpenID Connect was refused. `reason` must not contain a secret. */
    refusedByProvider(username: string, address: string, reason: string): void {
      journal(username.slice(0, 255).toWellFormed(), address, `OpenID Connect refused: ${reason}`.slice(0, 255))
    },

    /** The provider's ID token of a session; null: none. */
    async idToken(secret: string): Promise<string | null> {
      return await sessionIdToken(store, sha256(secret))
    },

    /**
     * The actor with whose eyes the session sees: an administrator who views the pages as user `userId` sees what that
     * user sees, and may change nothing. Everybody else, and without an id or such a user, the session's own actor.
     */
    async seenAs({ actor }: SignInSession, userId: number | null): Promise<Actor> {
      if (userId === null || userId === actor.userId || !isAdmin(actor)) return actor
      const access = await userAccess(store, userId)
      if (access === null) return actor
      return {
        userId,
        username: access.username,
        roles: new Set(access.roles),
        permissions: new Set(access.permissions),
        dynamicGroups: settings.get('permission.device_group.allow_dynamic'),
        dialect: null,
        readOnly: true,
      }
    },

    /** Ends a session. */
    async signOut(secret: string): Promise<void> {
      forget()
      await deleteSessionOf(store, sha256(secret))
      forget()
      ended()
    },

    /** Open sessions of the actor, last used first. */
    async list(actor: Actor): Promise<SessionRecord[]> {
      return actor.userId === null ? [] : await listSessions(store, actor.userId)
    },

    /** Ends a session of the actor. Throws `not_found`. */
    async revoke(actor: Actor, id: number): Promise<void> {
      if (actor.userId === null || !(await deleteSession(store, actor.userId, id))) {
        throw notFound(`Session ${id} does not exist`)
      }
      forget()
      ended()
    },

    /** Ends all sessions of the actor except this one. */
    async revokeOthers({ id, actor }: SignInSession): Promise<void> {
      if (actor.userId !== null) await deleteOtherSessions(store, actor.userId, id)
      forget()
      ended()
    },

    /**
     * Changes the actor's password and ends all other sessions. Throws `invalid` when the old password is wrong or the
     * new one is too short, and `throttled`.
     */
    async changePassword(session: SignInSession, before: string, after: string, address: string): Promise<void> {
      const { username } = session.actor
      if (!(await users.checkPassword(username, before, address))) throw invalid('The current password is wrong')
      await users.setPassword(`id=${session.actor.userId}`, after, session.id)
      journal(username, address, 'Password changed')
      forget()
      ended()
    },

    factors,
    /** Empties the cache. Call it when users, roles or sessions have changed, here or in another process. */
    forget,
  }
}

export type SessionService = ReturnType<typeof createSessionService>
