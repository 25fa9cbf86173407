import type { Duplex } from 'node:stream'
import type postgres from 'postgres'
import { DEADLOCK, StoreError, toStoreError } from './errors.ts'

/** A client for hand-written SQL: bulk writes and series. Returns int8 as a number where exact, as text beyond 2^53. */
export type Sql = postgres.Sql<{ bigint: number | string }>

/** A transaction of `Sql`. */
export type Tx = postgres.TransactionSql<{ bigint: number | string }>

/** What is used of the driver's clients, whose overloads and types of rows are of no interest here. */
interface Client {
  (...args: readonly unknown[]): unknown
  unsafe(...args: readonly unknown[]): Query
  file(...args: readonly unknown[]): Query
  begin(...args: readonly unknown[]): Promise<unknown>
  savepoint(...args: readonly unknown[]): Promise<unknown>
  reserve(): Promise<Client>
}

/** A query of the driver, also with members that its types leave out. It runs once it is awaited. */
interface Query extends Promise<unknown> {
  handler(query: Query): void
  reject(error: unknown): void
  cursor(...args: readonly unknown[]): Query | AsyncIterable<unknown>
  readable(): Promise<Duplex>
  writable(): Promise<Duplex>
}

type Work = (tx: Client) => unknown
type Refusal = () => StoreError | null

/** How often a transaction is begun again that PostgreSQL has undone to end a deadlock. */
const REPEATS = 4
/** Longest wait before it begins again, ms; at random, so that two do not meet again. */
const REPEAT_MS = 100

/**
 * The client with every error of the driver converted to StoreError: of statements, however they are run and read, of
 * transactions, savepoints and reserved connections. What the work of a transaction throws itself passes unchanged.
 * While `refusal` returns an error, statements outside of transactions, transactions and reservations fail with it.
 *
 * The work of a transaction that loses a deadlock runs again: it must leave nothing behind outside of the database.
 */
export function converted(driver: Sql, refusal: Refusal = () => null): Sql {
  const sql = driver as unknown as Client
  const check = () => {
    const refused = refusal()
    if (refused !== null) throw refused
  }
  return Object.assign(statements(sql, { refusal }), {
    async begin(...args: readonly unknown[]) {
      for (let repeats = 0; ; repeats++) {
        check()
        try {
          return await transaction((work) => sql.begin(...args.slice(0, -1), work), args.at(-1) as Work)
        } catch (error) {
          if (!(error instanceof StoreError && error.code === DEADLOCK) || repeats === REPEATS) throw error
          await Bun.sleep(Math.random() * REPEAT_MS)
        }
      }
    },
    async reserve() {
      check()
      try {
        return statements(await sql.reserve())
      } catch (error) {
        throw toStoreError(error)
      }
    },
  }) as unknown as Sql
}

/** Runs `work` in the transaction or savepoint that `open` opens. */
async function transaction(open: (work: Work) => Promise<unknown>, work: Work): Promise<unknown> {
  const seen: { first?: StoreError; thrown?: unknown } = {}
  const failed = (error: StoreError) => {
    seen.first ??= error
  }
  try {
    return await open(async (tx) => {
      const inner = Object.assign(statements(tx, { failed }), {
        savepoint: (...args: readonly unknown[]) =>
          transaction((part) => tx.savepoint(...args.slice(0, -1), part), args.at(-1) as Work),
      })
      try {
        const made = work(inner)
        return await (Array.isArray(made) ? Promise.all(made) : made)
      } catch (error) {
        seen.thrown = error
        throw error
      }
    })
  } catch (error) {
    // once a statement has failed, the others say only that the transaction was aborted
    if (error instanceof StoreError && error.code === '25P02') throw seen.first ?? error
    throw error === seen.thrown ? error : toStoreError(error)
  }
}

interface Watch {
  /** Called with each error of a statement. */
  readonly failed?: (error: StoreError) => void
  /** Asked for each statement. */
  readonly refusal?: Refusal
}

/** A client, or one connection of it, with what runs single statements converted. */
function statements(sql: Client, { failed, refusal }: Watch = {}): Client {
  const own = (query: Query): Query => {
    const { reject } = query
    query.reject = (thrown) => {
      const error = toStoreError(thrown)
      failed?.(error)
      reject(error)
    }
    query.cursor = cursor
    query.readable = readable
    query.writable = writable
    const refused = refusal?.() ?? null
    if (refused !== null) query.handler = () => reject(refused)
    return query
  }
  const tagged = (...args: readonly unknown[]): unknown => {
    const made = sql(...args)
    // names and lists of values are no promises
    return made instanceof Promise ? own(made as Query) : made
  }
  return Object.assign(tagged, sql, {
    unsafe: (...args: readonly unknown[]) => own(sql.unsafe(...args)),
    file: (...args: readonly unknown[]) => own(sql.file(...args)),
  })
}

/** The driver's own methods of a query. */
const ofDriver = (query: Query): Query => Object.getPrototypeOf(query)

/** While a cursor is iterated, errors do not pass through `reject`. */
function cursor(this: Query, ...args: readonly unknown[]): Query | AsyncIterable<unknown> {
  const made = ofDriver(this).cursor.call(this, ...args)
  if (made === this || made instanceof Promise) return made
  return {
    [Symbol.asyncIterator]() {
      const rows = made[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            return await rows.next()
          } catch (error) {
            throw toStoreError(error)
          }
        },
        return: async () => (await rows.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}

async function readable(this: Query): Promise<Duplex> {
  return ofStream(await ofDriver(this).readable.call(this))
}

async function writable(this: Query): Promise<Duplex> {
  return ofStream(await ofDriver(this).writable.call(this))
}

/** The stream of a COPY, which ends with a StoreError when its connection is lost. */
function ofStream(stream: Duplex): Duplex {
  const { destroy } = stream
  stream.destroy = (error, ...rest) => destroy.call(stream, error ? toStoreError(error) : error, ...rest)
  return stream
}
