import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as schema from '../../db/schema/index.ts'

/** Drizzle over the inventory's schema: single records, short lists and single writes (docs/adr/0008-drizzle-and-sql.md). */
export type Db = PostgresJsDatabase<typeof schema>

/** A transaction of `Db`. */
export type DbTx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** A client for hand-written SQL: bulk writes and series. Its int8 are numbers where exact, text beyond 2^53. */
export type Sql = postgres.Sql<{ bigint: number | string }>

/** The connections of one process to its database. */
export interface Store {
  readonly db: Db
  readonly sql: Sql
  /** The address given to `connect`. */
  readonly url: string
  /** Waits up to `timeoutS` seconds (5) for statements under way, then closes every connection. */
  close(timeoutS?: number): Promise<void>
}

export interface ConnectOptions {
  /** Most connections for Drizzle; the other client has half as many, at least two. Default 8. */
  readonly max?: number
}

/** Statements of the API and of bulk writes that take longer than this are given up by the server. */
const STATEMENT_TIMEOUT_MS = 300_000

/**
 * Connects lazily: the first statement opens a connection, a lost one is opened again. `url` is a PostgreSQL URL; a
 * `host` parameter that is a path (`postgres://user@localhost:5432/db?host=%2Frun%2Fpg`) means the unix socket there.
 * Two clients, because Drizzle changes the date handling of the one it is given.
 */
export function connect(url: string, options: ConnectOptions = {}): Store {
  const max = options.max ?? 8
  const forDrizzle = client(url, max)
  const sql = client(url, Math.max(2, Math.ceil(max / 2)))
  return {
    db: drizzle(forDrizzle, { schema }),
    sql,
    url,
    async close(timeoutS = 5) {
      await Promise.all([forDrizzle.end({ timeout: timeoutS }), sql.end({ timeout: timeoutS })])
    },
  }
}

/** One postgres.js client for the address; the caller ends it. */
export function client(address: string, max: number): Sql {
  const url = new URL(address)
  const socketFolder = url.searchParams.get('host')
  let path: string | undefined
  if (socketFolder?.startsWith('/') === true) {
    path = `${socketFolder}/.s.PGSQL.${url.port || '5432'}`
    url.searchParams.delete('host')
  }
  return postgres(url.href, {
    max,
    ...(path !== undefined && { path }),
    connect_timeout: 10,
    // Seconds; the driver's own goes up to 20, and polling would wait that long after the server is back.
    backoff: (retries: number) => Math.min(1, 0.05 * 2 ** retries),
    connection: { application_name: 'portlight', statement_timeout: STATEMENT_TIMEOUT_MS },
    // Notices of idempotent DDL («already exists, skipping») are no news.
    onnotice: () => {},
    types: {
      bigint: {
        to: 20,
        from: [20],
        serialize: (value: number | string) => String(value),
        parse: (text: string) => {
          const number = Number(text)
          return Number.isSafeInteger(number) ? number : text
        },
      },
    },
  })
}
