import type { ReservedSql } from 'postgres'
import { type LineSum, NO_LINES } from '../../lib/line-sums.ts'
import { quoted } from '../database/archived.ts'
import { client, type Sql } from '../database/client.ts'
import { StoreError } from '../database/errors.ts'
import { type ArchivedTable, listTables, TEXT_SETTINGS, tableName } from './read-catalogue.ts'

/** A connection reserved for one user. */
export type SnapshotSession = ReservedSql<{ bigint: number | string }>

/** The database at one moment, seen by several sessions. */
export interface Snapshot {
  readonly sessions: readonly SnapshotSession[]
  /** Time of the snapshot. */
  readonly made: Date
  readonly tables: readonly ArchivedTable[]
  close(): Promise<void>
}

/** How long a backup waits for a table that retention or a migration holds, before it gives up. */
const LOCK_TIMEOUT_MS = 120_000

/**
 * Opens a snapshot that `connections` sessions share. Every table is locked against being dropped, including its
 * partitions and chunks: retention waits until the snapshot is closed, readers and writers do not. A single session
 * reads if the server's disk is full: a backup is needed most before anything is removed.
 */
export async function openSnapshot(url: string, connections: number): Promise<Snapshot> {
  return await openWith(url, connections).catch(async (error: unknown) => {
    if (error instanceof NotShared) return await openWith(url, 1)
    throw error
  })
}

async function openWith(url: string, connections: number): Promise<Snapshot> {
  const pool = client(url, Math.max(1, connections), null)
  try {
    const first = await open(pool)
    const archived = await listTables(first)
    if (archived.length === 0)
      throw new StoreError('invalid', 'the database has no tables: there is nothing to copy', false, null)
    await first.unsafe('begin isolation level repeatable read read only')
    // before the first query, which takes the snapshot, so that nothing in it can be dropped afterwards
    await first.unsafe(`lock table ${archived.map((t) => quoted(t.schema, t.table)).join(', ')} in access share mode`)
    const tables = await listTables(first)
    const held = new Set(archived.map(tableName))
    const added = tables.find((table) => !held.has(tableName(table)))
    if (added !== undefined) {
      throw new StoreError('unavailable', `table ${tableName(added)} was created just now: try again`, true, null)
    }
    const [now] = await first<{ at: Date }[]>`select now() as at`
    const sessions = [first]
    if (connections > 1) {
      const shared = await exportSnapshot(first)
      for (let i = 1; i < connections; i++) {
        const session = await open(pool)
        await session.unsafe('begin isolation level repeatable read read only')
        await session.unsafe(`set transaction snapshot '${shared}'`)
        sessions.push(session)
      }
    }
    return { sessions, made: now?.at ?? new Date(), tables, close: () => pool.end({ timeout: 1 }) }
  } catch (error) {
    await pool.end({ timeout: 1 })
    throw error
  }
}

/**
 * The name by which other sessions share the snapshot. Throws NotShared if the server cannot tell them, because that
 * takes a file, for which a full disk has no room.
 */
async function exportSnapshot(session: SnapshotSession): Promise<string> {
  try {
    const [exported] = await session<{ id: string }[]>`select pg_export_snapshot() as id`
    return exported?.id ?? ''
  } catch {
    throw new NotShared()
  }
}

class NotShared extends Error {
  override readonly name = 'NotShared'
}

/** A session without timeouts that writes values in the form that backups use. */
export async function open(pool: Sql): Promise<SnapshotSession> {
  const session = await pool.reserve()
  await session
    .unsafe(
      `${TEXT_SETTINGS}; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${LOCK_TIMEOUT_MS}`,
    )
    .simple()
  return session
}

/** Runs statements of a session as one transaction. */
export async function inTransaction<T>(session: SnapshotSession, work: () => Promise<T>): Promise<T> {
  await session.unsafe('begin')
  try {
    const made = await work()
    await session.unsafe('commit')
    return made
  } catch (error) {
    await session.unsafe('rollback').catch(() => undefined)
    throw error
  }
}

/** The part of a table that one session reads: a time range, or all of it. */
export interface SnapshotShare {
  readonly table: ArchivedTable
  /** As in the table's parts; null: unlimited. */
  readonly from: string | null
  readonly to: string | null
  /** What to read its columns from instead of the table, as SQL. */
  readonly source?: string
}

/** The shares of a table: one for each of its parts, and one before and one after them; without parts, a single one. */
export function sharesOf(table: ArchivedTable): readonly SnapshotShare[] {
  const bounds = [...new Set(table.parts.flatMap(({ from, to }) => [from, to]))].toSorted()
  if (table.time === null || bounds.length === 0) return [{ table, from: null, to: null }]
  return [null, ...bounds].map((from, i) => ({ table, from, to: bounds[i] ?? null }))
}

/** Rows of a share in COPY's text format, in pieces of whole rows and of at least `octets` bytes, except the last. */
export async function* copyOut(
  sql: Sql,
  { table, from, to, source }: SnapshotShare,
  octets: number,
): AsyncGenerator<Buffer> {
  const time = table.time === null ? '' : quoted(table.time)
  const conditions = [...(from === null ? [] : [`${time} >= '${from}'`]), ...(to === null ? [] : [`${time} < '${to}'`])]
  const columns = table.columns.map(({ name }) => quoted(name)).join(', ')
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  yield* copyQuery(sql, `select ${columns} from ${source ?? quoted(table.schema, table.table)}${where}`, octets)
}

/** Rows of a query in the same form. */
export async function* copyQuery(sql: Sql, query: string, octets: number): AsyncGenerator<Buffer> {
  const rows = await sql.unsafe(`copy (${query}) to stdout`).readable()
  let held: Buffer[] = []
  let size = 0
  for await (const row of rows) {
    held.push(row)
    size += row.length
    if (size < octets) continue
    yield Buffer.concat(held, size)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held, size)
}

/** The sum of no lines for each table, by name. */
export function emptySums(tables: readonly ArchivedTable[]): Map<string, LineSum> {
  return new Map(tables.map((table) => [tableName(table), NO_LINES]))
}
