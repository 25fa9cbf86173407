import type { Log } from '../../../observe/log.ts'
import { type AuthEntry, insertAuthEntries } from '../../base/write-events.ts'
import type { Store } from '../../database/client.ts'

/** A token in constant use is logged as one login in this time. */
const LOGIN_MS = 86_400_000
/** Refusals of an address within this time are logged as one row with their count. */
const REFUSAL_MS = 60_000
/** Maximum rows of refusals per `REFUSAL_MS` for all addresses, so that the log cannot be flooded. */
const MAX_REFUSALS = 60
/** Maximum number of users and addresses remembered. */
const REMEMBERED = 10_000

interface Refusals {
  /** Time at which the last row was written, steady ms. */
  writtenMs: number
  /** Refusals since then. */
  since: number
}

export interface JournalDeps {
  readonly store: Store
  readonly log: Log
  /** `steadyNow`. */
  readonly now: () => number
}

/**
 * Writes the authentication log (authlog): the first use of a user's tokens from an address each day, and the number of
 * refused tokens, at most once a minute per address. Does not wait for the writes.
 */
export function createAuthJournal({ store, log, now }: JournalDeps) {
  const logins = new Map<string, number>()
  const refusals = new Map<string, Refusals>()
  let windowMs = Number.NEGATIVE_INFINITY
  let written = 0

  function write(entry: AuthEntry): void {
    insertAuthEntries(store, [entry]).catch((error: unknown) => log.debug({ err: error }, 'login not recorded'))
  }

  return {
    /** Call when a valid token of the user was used. */
    accepted(user: string, address: string): void {
      const nowMs = now()
      const key = `${user}\n${address}`
      if (nowMs - (logins.get(key) ?? Number.NEGATIVE_INFINITY) < LOGIN_MS) return
      if (logins.size >= REMEMBERED) logins.clear()
      logins.set(key, nowMs)
      write({ user, address, result: 'API token accepted' })
    },

    /** Call when a token was refused. */
    refused(address: string): void {
      const nowMs = now()
      const known = refusals.get(address)
      if (known !== undefined && nowMs - known.writtenMs < REFUSAL_MS) {
        known.since++
        return
      }
      if (nowMs - windowMs >= REFUSAL_MS) {
        windowMs = nowMs
        written = 0
      }
      if (++written > MAX_REFUSALS) return
      if (refusals.size >= REMEMBERED) refusals.clear()
      refusals.set(address, { writtenMs: nowMs, since: 0 })
      const before = known === undefined || known.since === 0 ? '' : `, and ${known.since} times since the last entry`
      write({ user: '', address, result: `API token refused${before}` })
    },
  }
}
