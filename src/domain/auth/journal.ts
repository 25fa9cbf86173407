import type { Log } from '../../observe/log.ts'
import type { Store } from '../../store/client.ts'
import { type AuthEntry, insertAuthEntries } from '../../store/writers/logs.ts'

/** A token that is used all the time is a login a day. */
const LOGIN_MS = 86_400_000
/** One row for the refusals of an address in this time, with their number. */
const REFUSAL_MS = 60_000
/** Rows of refusals in `REFUSAL_MS`, whatever the number of addresses: the log cannot be flooded. */
const MOST_REFUSALS = 60
/** Users and addresses remembered at most. */
const REMEMBERED = 10_000

interface Refusals {
  /** When the last row was written, epoch ms. */
  writtenMs: number
  /** Refusals since then. */
  since: number
}

export interface JournalDeps {
  readonly store: Store
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
}

/**
 * What goes to the log of logins (authlog): the first use of a user's tokens from an address in a day, and tokens that
 * were refused, with their number, at most once a minute for an address. Nobody waits for the rows.
 */
export function createAuthJournal({ store, log, now }: JournalDeps) {
  const logins = new Map<string, number>()
  const refusals = new Map<string, Refusals>()
  let windowMs = 0
  let written = 0

  function write(entry: AuthEntry): void {
    insertAuthEntries(store, [entry]).catch((error: unknown) => log.debug({ err: error }, 'login not written'))
  }

  return {
    /** A token of the user was found good. */
    accepted(user: string, address: string): void {
      const nowMs = now()
      const key = `${user}\n${address}`
      if (nowMs - (logins.get(key) ?? Number.NEGATIVE_INFINITY) < LOGIN_MS) return
      if (logins.size >= REMEMBERED) logins.clear()
      logins.set(key, nowMs)
      write({ user, address, result: 'API token accepted' })
    },

    /** A token was refused. */
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
      if (++written > MOST_REFUSALS) return
      if (refusals.size >= REMEMBERED) refusals.clear()
      refusals.set(address, { writtenMs: nowMs, since: 0 })
      const before = known === undefined || known.since === 0 ? '' : `, and ${known.since} times since the last entry`
      write({ user: '', address, result: `API token refused${before}` })
    },
  }
}
