import type { Settings } from '../../../config/schema.ts'
import { clocksOf } from '../../../lib/steady.ts'
import type { Log } from '../../../observe/log.ts'
import type { Actor } from '../../base/actor.ts'
import { throttled } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { tokenOwner } from '../read.ts'
import { hashToken } from '../tokens/service.ts'
import { touchTokens } from '../write.ts'
import { createAuthJournal } from './journal.ts'
import { createKnownTokens } from './known-tokens.ts'
import { ALONE, clientKey, createHold, createSignInThrottle, type ThrottleExchange } from './throttle.ts'

/** Time for which a valid token is trusted without a database query. */
const TRUST_MS = 2000
/** Maximum number of tokens cached, so that many valid tokens cannot exhaust memory. */
const REMEMBERED = 10_000
/** Minimum time between writes of a token's last use. */
const TOUCH_MS = 60_000
/** More than any token's length; longer texts are not even hashed. */
const MAX_TOKEN = 256

interface Remembered {
  readonly actor: Actor
  readonly tokenId: number
  /** Steady, ms. */
  readonly untilMs: number
  /** When the token expires, epoch ms. */
  readonly endMs: number
}

export interface AuthDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Default: no other process. */
  readonly throttle?: ThrottleExchange
  /** Epoch ms. */
  readonly now?: () => number
}

/**
 * Authenticates tokens. Unknown tokens are never cached, so a new token works at once. Valid ones are cached for two
 * seconds; `forget` drops them all when users, roles or tokens change. Once a client has sent more wrong tokens than
 * setting `auth.wrong_tokens`, further wrong ones are answered with a delay; a valid one is not.
 */
export function createAuthService({ store, settings, log, throttle = ALONE, now: given }: AuthDeps) {
  const { now, steady } = clocksOf(given)
  const journal = createAuthJournal({ store, log, now: steady })
  const wrong = createSignInThrottle(
    () => settings.get('auth.wrong_tokens'),
    steady,
    (heard) => throttle.open('token', heard),
  )
  const knownTokens = createKnownTokens(store, steady)
  const { hold } = createHold()
  const remembered = new Map<string, Remembered>()
  const touched = new Map<number, number>()
  /** Number of calls of `forget`; results of look-ups that began before the last one are not cached. */
  let generation = 0

  function touch(tokenId: number): void {
    const nowMs = steady()
    if (nowMs - (touched.get(tokenId) ?? Number.NEGATIVE_INFINITY) < TOUCH_MS) return
    if (touched.size >= REMEMBERED) touched.clear()
    touched.set(tokenId, nowMs)
    touchTokens(store, [tokenId]).catch((error: unknown) => log.debug({ err: error }, 'time of token use not recorded'))
  }

  /**
   * Refuses a client that has sent too many wrong tokens: after a second, or with `throttled` when too many responses
   * are already being delayed.
   */
  async function refuseLate(client: string, address: () => string): Promise<null> {
    journal.refused(address())
    if (!(await hold(client))) throw throttled(wrong.waitS(client))
    return null
  }

  async function sessionActor(token: string, address: () => string): Promise<Actor | null> {
    const [nowMs, beganMs] = [now(), steady()]
    const asked = generation
    const hash = hashToken(token)
    const client = clientKey(address())
    const free = wrong.take(client)
    if (!free && !(await knownTokens.has(hash))) return await refuseLate(client, address)
    const owner = await tokenOwner(store, hash).catch((error: unknown) => {
      if (free) wrong.giveBack(client) // the token was not wrong
      throw error
    })
    const locked = owner?.enabled !== 1 && settings.get('auth_requires_enabled')
    const endMs = owner?.expires_at?.getTime() ?? Number.POSITIVE_INFINITY
    if (owner?.disabled !== 0 || locked || endMs <= nowMs) {
      if (!free) return await refuseLate(client, address)
      journal.refused(address())
      return null
    }
    if (free) wrong.giveBack(client)
    journal.accepted(owner.username, address())
    const actor: Actor = {
      userId: owner.user_id,
      username: owner.username,
      roles: new Set(owner.roles),
      permissions: new Set(owner.permissions),
      dynamicGroups: settings.get('permission.device_group.allow_dynamic'),
      dialect: owner.dialect,
      readOnly: owner.scope === 'read',
    }
    if (remembered.size >= REMEMBERED) remembered.clear()
    if (asked === generation)
      remembered.set(token, { actor, tokenId: owner.token_id, untilMs: beganMs + TRUST_MS, endMs })
    touch(owner.token_id)
    return actor
  }

  return {
    /**
     * The actor of a token; null: the token is missing, unknown, disabled or expired, or the user is disabled. Returns
     * synchronously if the token was used within the last two seconds. Rejects when the database is unavailable, and
     * with `throttled`. `address` returns the client's address for the authentication log; it is called only if the
     * token is not cached.
     */
    authenticate(token: string, address: () => string): Actor | Promise<Actor | null> | null {
      if (token === '' || token.length > MAX_TOKEN) return null
      const known = remembered.get(token)
      if (known && known.untilMs > steady() && known.endMs > now()) return known.actor
      remembered.delete(token)
      return sessionActor(token, address)
    },

    /** Empties the cache. Call it when users, roles or tokens have changed, here or in another process. */
    forget(): void {
      generation++
      remembered.clear()
      knownTokens.forget()
    },
  }
}

export type AuthService = ReturnType<typeof createAuthService>
