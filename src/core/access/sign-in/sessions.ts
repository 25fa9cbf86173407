import type { Settings } from '../../../config/schema.ts'
import { clocksOf } from '../../../lib/steady.ts'
import type { Log } from '../../../observe/log.ts'
import { type Actor, isAdmin } from '../../base/actor.ts'
import { invalid, notFound } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { userAccess } from '../read.ts'
import type { UserService } from '../users/service.ts'
import {
  deleteOtherSessions,
  deleteSession,
  deleteSessionOf,
  listSessions,
  type SessionRecord,
  sessionIdToken,
} from '../write-sessions.ts'
import { createSecondFactors } from './second-factor.ts'
import { createSessionLookup, type SignInSession } from './session-lookup.ts'
import { createJournal, createSessionOpening } from './session-opening.ts'
import { hashOf } from './session-secret.ts'
import { ALONE, type ThrottleExchange } from './throttle.ts'

export type { SignInSession } from './session-lookup.ts'
export type { Visitor } from './session-opening.ts'
export type { SessionRecord }

export interface SessionDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly users: Pick<UserService, 'checkPassword' | 'setPassword'>
  /** Called after sessions were ended. */
  readonly ended?: () => void
  /** Default: no other process. */
  readonly throttle?: ThrottleExchange
  /** Epoch ms. */
  readonly now?: () => number
}

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
  throttle = ALONE,
  now: given,
}: SessionDeps) {
  const { now, steady } = clocksOf(given)
  const journal = createJournal(store, log)
  const factors = createSecondFactors({ store, now })
  const { find, forget } = createSessionLookup({ store, settings, log, now, steady })

  return {
    find,
    forget,
    factors,
    ...createSessionOpening({ store, log, users, factors, throttle, steady, forget }, journal),

    /** The provider's ID token of a session; null: none. */
    async idToken(secret: string): Promise<string | null> {
      return await sessionIdToken(store, hashOf(secret))
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
      await deleteSessionOf(store, hashOf(secret))
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
  }
}

export type SessionService = ReturnType<typeof createSessionService>
