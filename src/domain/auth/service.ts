import type { Settings } from '../../config/schema.ts'
import type { Log } from '../../observe/log.ts'
import type { Store } from '../../store/client.ts'
import { tokenOwner } from '../../store/readers/access.ts'
import { touchTokens } from '../../store/writers/access.ts'
import type { Actor } from '../actor.ts'
import { hashToken } from '../tokens/service.ts'
import { createAuthJournal } from './journal.ts'

/** How long a token that was found good is believed without asking the database. */
const TRUST_MS = 2000
/** Tokens remembered at most: the memory of an attack with many good tokens stays bounded. */
const REMEMBERED = 10_000
/** How often the time of a token's use is written. */
const TOUCH_MS = 60_000
/** No token of ours is longer; nothing else is hashed. */
const MAX_TOKEN = 256

interface Remembered {
  readonly actor: Actor
  readonly tokenId: number
  readonly untilMs: number
}

export interface AuthDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Epoch ms. */
  readonly now?: () => number
}

/**
 * Tokens to actors. Unknown tokens are never remembered, so a new one works at once; good ones are for two seconds, and
 * `forget` drops them all when users, roles or tokens change.
 */
export function createAuthService({ store, settings, log, now = Date.now }: AuthDeps) {
  const journal = createAuthJournal({ store, log, now })
  const remembered = new Map<string, Remembered>()
  const touched = new Map<number, number>()
  /** Counts calls of `forget`: an answer that was under way then is not remembered. */
  let generation = 0

  function touch(tokenId: number, nowMs: number): void {
    if (nowMs - (touched.get(tokenId) ?? 0) < TOUCH_MS) return
    if (touched.size >= REMEMBERED) touched.clear()
    touched.set(tokenId, nowMs)
    touchTokens(store, [tokenId]).catch((error: unknown) => log.debug({ err: error }, 'time of token use not written'))
  }

  async function look(token: string, nowMs: number, address: () => string): Promise<Actor | null> {
    const asked = generation
    const owner = await tokenOwner(store, hashToken(token))
    const locked = owner?.enabled !== 1 && settings.get('auth_requires_enabled')
    if (owner?.disabled !== 0 || locked) {
      journal.refused(address())
      return null
    }
    journal.accepted(owner.username, address())
    const actor: Actor = {
      userId: owner.user_id,
      username: owner.username,
      roles: new Set(owner.roles),
      permissions: new Set(owner.permissions),
      dynamicGroups: settings.get('permission.device_group.allow_dynamic'),
      dialect: owner.dialect,
    }
    if (remembered.size >= REMEMBERED) remembered.clear()
    if (asked === generation) remembered.set(token, { actor, tokenId: owner.token_id, untilMs: nowMs + TRUST_MS })
    touch(owner.token_id, nowMs)
    return actor
  }

  return {
    /**
     * The actor of a token; null: missing, unknown or disabled token, or a disabled user. Answers without a promise
     * when the token was seen within the last two seconds. Rejects when the database is away. `address` tells where the
     * request came from, for the log of logins; it is asked when the token was not seen lately.
     */
    authenticate(token: string, address: () => string): Actor | Promise<Actor | null> | null {
      if (token === '' || token.length > MAX_TOKEN) return null
      const nowMs = now()
      const known = remembered.get(token)
      if (known && known.untilMs > nowMs) return known.actor
      remembered.delete(token)
      return look(token, nowMs, address)
    },

    /** Drops what is remembered. To be called when users, roles or tokens changed here or in another process. */
    forget(): void {
      generation++
      remembered.clear()
    },
  }
}

export type AuthService = ReturnType<typeof createAuthService>
