import { toStoreError, Undone } from '../database/errors.ts'
import type { Found } from './table.ts'
import { reasonOf, type Subject, type Unstored } from './unstored.ts'
import type { Tx } from './write-rows.ts'

/** Stores the parts of a discovery. Null: this part could not be stored. */
export interface Parts {
  /** Something that is not a set of rows. */
  one<T>(subject: Subject, work: (tx: Tx) => Promise<T>): Promise<T | null>
  /** A set of rows; `work` may be called with a part of them. */
  set<R, T>(subject: Subject, found: Found<R>, work: (tx: Tx, found: Found<R>) => Promise<T>): Promise<T | null>
}

/** Stores all parts in one transaction. The first error ends it. */
export function together(tx: Tx): Parts {
  return {
    one: (_subject, work) => work(tx),
    set: (_subject, found, work) => work(tx, found),
  }
}

/** In sets with more rows, a row that cannot be stored is not looked for. */
const MAX_SEARCHED = 5000
/** Number of rows left out of a set before it is given up. */
const MAX_LEFT_OUT = 5

/**
 * Stores each part in a savepoint of its own, for a discovery that cannot be stored as a whole: what the database
 * rejects costs a row, or its kind, and not the rest. `unstored` receives what was left out. Errors after which the
 * same call may succeed are thrown.
 */
export function separately(tx: Tx, unstored: Unstored[]): Parts {
  /** The error of the attempt; null: it succeeded and its result is in `done`. */
  async function attempt<T>(work: (inner: Tx) => Promise<T>, done: (result: T) => void): Promise<unknown> {
    try {
      done((await tx.savepoint((inner) => work(inner as Tx))) as T)
      return null
    } catch (error) {
      if (toStoreError(error).retryable) throw error
      return error ?? new Error('unknown')
    }
  }
  /** Whether the database rejects this, which is undone in any case. */
  async function rejects(work: (inner: Tx) => Promise<unknown>): Promise<boolean> {
    const undo = new Undone()
    const error = await attempt(
      async (inner) => {
        await work(inner)
        throw undo
      },
      () => undefined,
    )
    return error !== undo
  }
  return {
    async one<T>(subject: Subject, work: (tx: Tx) => Promise<T>): Promise<T | null> {
      let result: T | null = null
      const error = await attempt(work, (done) => {
        result = done
      })
      if (error !== null) unstored.push({ subject, row: null, kept: false, reason: reasonOf(error) })
      return result
    },
    async set<R, T>(
      subject: Subject,
      found: Found<R>,
      work: (tx: Tx, found: Found<R>) => Promise<T>,
    ): Promise<T | null> {
      let result: T | null = null
      let left = found
      const leftOut: Unstored[] = []
      for (;;) {
        const tried = left
        const error = await attempt(
          (inner) => work(inner, tried),
          (done) => {
            result = done
          },
        )
        if (error === null) break
        const at =
          leftOut.length < MAX_LEFT_OUT && tried.rows.length <= MAX_SEARCHED
            ? await firstRejected(tried.rows, (rows) => rejects((inner) => work(inner, { rows, complete: false })))
            : null
        if (at === null) {
          unstored.push({ subject, row: null, kept: false, reason: reasonOf(error) })
          return null
        }
        leftOut.push({ subject, row: rowText(tried.rows[at]), kept: true, reason: reasonOf(error) })
        // what is left out was found, so nothing that is missing has vanished
        left = { rows: tried.rows.toSpliced(at, 1), complete: false }
      }
      unstored.push(...leftOut)
      return result
    },
  }
}

/** Position of the first row with which the rows up to it are rejected; null: they are accepted. */
async function firstRejected<R>(
  rows: readonly R[],
  rejects: (rows: readonly R[]) => Promise<boolean>,
): Promise<number | null> {
  if (!(await rejects(rows))) return null
  let accepted = 0
  let rejected = rows.length
  while (rejected - accepted > 1) {
    const middle = (accepted + rejected) >> 1
    if (await rejects(rows.slice(0, middle))) rejected = middle
    else accepted = middle
  }
  return rejected - 1
}

/** Members of a row that a message names: its key comes first in all rows. */
const MEMBERS_NAMED = 4
const MAX_ROW_TEXT = 200

/** A row in an event: its first members, which identify it. */
function rowText(row: unknown): string {
  const members = Object.entries((row ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .slice(0, MEMBERS_NAMED)
  return members
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
    .slice(0, MAX_ROW_TEXT)
}
