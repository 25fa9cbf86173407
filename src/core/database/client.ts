import { PgPreparedQuery } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as schema from '../../../db/schema/index.ts'
import { ARRAY_TYPES } from './array-types.ts'
import { converted, type Sql } from './converted.ts'
import { StoreError } from './errors.ts'
import { createListenSession, type ListenSession } from './listen-session.ts'
import { signInPace } from './sign-in-pace.ts'
import { countStatement } from './statements.ts'

export type { Sql, Tx } from './converted.ts'

/**
 * Drizzle wraps the errors of its queries in one whose message contains all values: passwords, communities, tokens. It
 * does so in the method through which its cache is used; without a cache, the query is all there is to it.
 */
Object.defineProperty(PgPreparedQuery.prototype, 'queryWithCache', {
  value: (_text: string, _values: unknown, query: () => Promise<unknown>) => query(),
})

/**
 * Drizzle over the inventory's schema: single records, short lists and single writes
 * (docs/adr/0008-drizzle-and-sql.md).
 */
export type Db = PostgresJsDatabase<typeof schema>

/** A transaction of `Db`. */
export type DbTx = Parameters<Parameters<Db['transaction']>[0]>[0]

/** The connections of one process to its database. Whatever fails fails with StoreError. */
export interface Store {
  readonly db: Db
  readonly sql: Sql
  /** The address given to `connect`. */
  readonly url: string
  /** Hears notifications, in a session of its own that is opened by the first subscriber. */
  readonly notifications: ListenSession
  /** Number of statements waiting for a connection. */
  waiting(): number
  /** Waits up to `timeoutS` seconds (default 5) for running statements, then closes all connections. */
  close(timeoutS?: number): Promise<void>
}

/** Identifies this process to the database server: its connections have the application_name `portlight INSTANCE`. */
export const INSTANCE = crypto.randomUUID().slice(0, 8)

export interface ConnectOptions {
  /** Called before each statement and transaction; while it returns false, they fail with a retryable StoreError. */
  readonly allowed?: () => boolean
  /** Seconds without data after which a connection is closed; for statements with a longer timeout of their own. */
  readonly answerTimeoutS?: number
  /** Maximum connections for Drizzle; the other client gets half as many, at least two. Default 8. */
  readonly max?: number
}

/** The server cancels statements of the API and of bulk writes after this time. */
const STATEMENT_TIMEOUT_MS = 300_000

/** Longer than the server's own limit, so it applies only when the server hangs or has vanished. */
const ANSWER_TIMEOUT_S = STATEMENT_TIMEOUT_MS / 1000 + 15

/**
 * Connects lazily: the first statement opens a connection, and a lost connection is reopened. `url` is a PostgreSQL
 * URL; a `host` parameter that is a path (`postgres://user@localhost:5432/db?host=%2Frun%2Fpg`) selects the unix socket
 * there. Uses two clients, because Drizzle changes how its client handles dates.
 */
export function connect(url: string, options: ConnectOptions = {}): Store {
  const max = options.max ?? 8
  const { allowed = () => true } = options
  const refusal = () =>
    allowed() ? null : new StoreError('unavailable', 'this process is no longer the leader', true, null)
  const forDrizzle = converted(driver(url, max, options.answerTimeoutS), refusal)
  const sql = converted(driver(url, Math.max(2, Math.ceil(max / 2)), options.answerTimeoutS), refusal)
  const notifications = createListenSession({
    open: (on) => listener(url, on),
    send: (channel, payload) => sql`select pg_notify(${channel}, ${payload})`,
  })
  return {
    db: drizzle(forDrizzle, { schema }),
    sql,
    url,
    notifications,
    waiting: () => forDrizzle.waiting() + sql.waiting(),
    async close(timeoutS = 5) {
      await Promise.all([notifications.close(), forDrizzle.end({ timeout: timeoutS }), sql.end({ timeout: timeoutS })])
    },
  }
}

/**
 * A postgres.js client for the address; the caller closes it. Fails with StoreError. The server cancels statements after
 * STATEMENT_TIMEOUT_MS. If nothing arrives for `answerTimeoutS` seconds, the connection is closed and its statements
 * fail with ANSWER_TIMEOUT, which is retryable. null: no limit, for sessions that lift the server's limit. `session`
 * adds PostgreSQL settings for its sessions.
 */
export function client(...options: Parameters<typeof driver>): Sql {
  return converted(driver(...options))
}

function driver(
  address: string,
  max: number,
  answerTimeoutS: number | null = ANSWER_TIMEOUT_S,
  session: Readonly<Record<string, string | number>> = {},
  hooks: ClientHooks = {},
): Sql {
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
    // In seconds. The driver's default grows to 20 s, which would delay polling after the server returns.
    backoff: (retries: number) => Math.max(Math.min(0.25, 0.05 * 2 ** retries), signInPace.waitMs() / 1000),
    // The driver would close the session of a migration that takes longer than half an hour.
    ...(answerTimeoutS === null ? { max_lifetime: null } : { answer_timeout: answerTimeoutS }),
    connection: {
      application_name: `portlight ${INSTANCE}`,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      // Reads of packed samples look large to the planner and are short: starting parallel workers or a compiler for one
      // takes several times as long as the read. The embedded server has the same settings.
      max_parallel_workers_per_gather: 0,
      jit: 'off',
      // A database may have other ones. Numbers are read as text, which is exact at 1 or more, and the driver reads octets
      // as hexadecimal digits. Otherwise NULL in an array were a word, and a backslash in a text not itself. Claims and
      // locks rely on seeing what others have committed meanwhile.
      extra_float_digits: 1,
      datestyle: 'ISO',
      intervalstyle: 'postgres',
      array_nulls: 'on',
      bytea_output: 'hex',
      standard_conforming_strings: 'on',
      default_transaction_isolation: 'read committed',
      ...session,
    },
    onanswer: countStatement,
    ...hooks,
    // Idempotent DDL sends notices ("already exists, skipping") that need no log entry.
    onnotice: () => {},
    fetch_types: false,
    array_types: ARRAY_TYPES,
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

/** Called by a client about its connections; known to the driver, though not declared in its types. */
interface ClientHooks {
  readonly onnotify?: (channel: string, payload: string) => void
  readonly onclose?: () => void
  readonly max_lifetime?: null
}

/** How long LISTEN may take before the connection counts as lost, s. */
const LISTEN_S = 10

/** A client with one connection that is kept open and hears notifications. */
function listener(
  address: string,
  on: { readonly heard: (channel: string, payload: string) => void; readonly lost: () => void },
): Sql {
  return client(address, 1, LISTEN_S, {}, { onnotify: on.heard, onclose: on.lost, max_lifetime: null })
}
