import type { Settings } from '../../../config/schema.ts'
import type { Log } from '../../../observe/log.ts'
import type { Actor } from '../../base/actor.ts'
import type { Store } from '../../database/client.ts'
import { type SessionMethod, type SessionOwner, sessionOwner, touchSession } from '../write-sessions.ts'
import { csrfOf, hashOf, isSecret } from './session-secret.ts'

/** Time for which a valid session is trusted without a database query. */
const TRUST_MS = 2000
const REMEMBERED = 10_000
/** Minimum time between writes of a session's last use. */
const TOUCH_MS = 60_000
/** Time allowed for the second factor after the password. */
const FACTOR_MS = 300_000

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

export interface SessionLookupDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
  /** `steadyNow`. */
  readonly steady: () => number
}

/** Finds sessions by their secrets, and remembers them for a moment. */
export interface SessionLookup {
  /**
   * The session with a secret; null: it is unknown or has ended, or its user is disabled. `used` false: the request
   * does not count as use, so it does not keep the session from ending.
   */
  find(secret: string, address: string, used?: boolean): Promise<SignInSession | null>
  /** Empties the cache. Call it when users, roles or sessions have changed, here or in another process. */
  forget(): void
}

export function createSessionLookup({ store, settings, log, now, steady }: SessionLookupDeps): SessionLookup {
  const remembered = new Map<string, { readonly session: SignInSession; readonly untilMs: number }>()
  const touched = new Map<number, number>()
  let generation = 0

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

  return {
    async find(secret: string, address: string, used = true) {
      if (!isSecret(secret)) return null
      const beganMs = steady()
      const known = remembered.get(secret)
      if (known !== undefined && known.untilMs > beganMs) return known.session
      remembered.delete(secret)
      const asked = generation
      const nowMs = now()
      const owner = await sessionOwner(store, hashOf(secret))
      if (owner === null || isOver(owner, nowMs)) return null
      const session = sessionOf(owner, secret)
      if (remembered.size >= REMEMBERED) remembered.clear()
      if (asked === generation) remembered.set(secret, { session, untilMs: beganMs + TRUST_MS })
      // one that was used later than now was used while the clock was ahead
      const sinceMs = nowMs < owner.seen_ms - TOUCH_MS ? TOUCH_MS : nowMs - owner.seen_ms
      const touchedMs = touched.get(session.id)
      if (used && (touchedMs === undefined ? sinceMs : beganMs - touchedMs) >= TOUCH_MS) {
        if (touched.size >= REMEMBERED) touched.clear()
        touched.set(session.id, beganMs)
        touchSession(store, session.id, address.slice(0, 64)).catch((error: unknown) =>
          log.debug({ err: error }, 'use of a session not recorded'),
        )
      }
      return session
    },

    forget() {
      generation++
      remembered.clear()
    },
  }
}
