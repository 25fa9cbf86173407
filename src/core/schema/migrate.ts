import type postgres from 'postgres'
import { MIGRATIONS, type Migration } from '../../../db/migrations.ts'
import { SERIES_SQL } from '../../../db/series.ts'
import type { Log } from '../../observe/log.ts'
import { grafanaViewsSql } from '../../series/grafana.ts'
import { KIND_LIST } from '../../series/kinds.ts'
import { tablesSql, viewsSql } from '../../series/sql.ts'
import { client, type Sql } from '../database/client.ts'
import { DEADLOCK, StoreError, toStoreError } from '../database/errors.ts'
import { explainRefusal } from '../database/refusals.ts'
import { restoreState, unfinishedText } from '../database/restore-state.ts'

/** Edition of TimescaleDB on the server: none, Apache, or full (with the columnstore). */
export type SeriesMode = 'plain' | 'apache' | 'tsl'

export interface MigrateResult {
  /** Migrations applied by this run, by name. */
  readonly applied: readonly string[]
  readonly mode: SeriesMode
  /** For example `18.4`. */
  readonly serverVersion: string
  /** null: the extension is not installed in this database. */
  readonly timescaleVersion: string | null
  /** Number of compressed chunks, if this edition of TimescaleDB cannot read them; otherwise 0. */
  readonly unreadable: number
}

/** Number of migrations in this program. */
export const MIGRATION_COUNT = MIGRATIONS.length

export interface MigrateOptions {
  /** True for the restore that marked the database as being restored; other callers are refused until it has ended. */
  readonly restoring?: boolean
  /** False: apply only the migrations, because the series SQL does not fit a schema with only some of them. */
  readonly series?: boolean
  /** True: throw StoreError `invalid` if the database has no tables of this program, instead of creating them. */
  readonly existing?: boolean
  /** True: wait for the end of a recovery, instead of working with a database that takes no writes yet. */
  readonly writable?: boolean
}

const LOCK = 0x706f7274 // "port"
const LOCK_TIMEOUT_MS = 600_000
const RECOVERY_TIMEOUT_MS = 300_000
const MIN_SERVER = 150_000
/**
 * First line of a migration that must not run in a transaction (CREATE INDEX CONCURRENTLY); such a file has one
 * statement.
 */
const NO_TRANSACTION = '-- no transaction'

/**
 * Brings the database to this program's schema: pending migrations, then the series SQL if it changed. Safe to call
 * from several processes: one works, the others wait. Throws StoreError `invalid` when the server is too old, when an
 * applied migration was edited, when the database is newer than the program, and when it was restored only in part.
 */
export async function migrate(
  url: string,
  log: Log,
  migrations = MIGRATIONS,
  { restoring = false, series = true, existing = false, writable = false }: MigrateOptions = {},
): Promise<MigrateResult> {
  // The lock has its own session, because creating the extension needs a fresh one afterwards.
  const gate = client(url, 1, null)
  try {
    await gate.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}; set statement_timeout = 0`).simple()
    if (writable) await endOfRecovery(gate, log)
    await gate`select pg_advisory_lock(${LOCK})`
    const serverVersion = await checkServer(gate)
    const unfinished = restoring ? null : await restoreState(gate)
    if (unfinished !== null) throw invalid(unfinishedText(unfinished))
    if (existing) await requireTables(gate, url)
    await createExtension(gate, url, log)
    const worker = client(url, 1, null)
    try {
      await worker.unsafe('set statement_timeout = 0').simple()
      const applied = await applyMigrations(worker, migrations)
      const timescaleVersion = await installedTimescale(worker)
      const mode = await seriesMode(worker, timescaleVersion)
      const refreshed = series && (await applySeries(worker, mode))
      if (applied.length > 0) log.info({ applied }, 'database migrated')
      log.info({ serverVersion, timescaleVersion, mode, refreshed }, 'database schema is current')
      const unreadable = mode === 'apache' ? await compressedChunks(worker) : 0
      if (unreadable > 0) log.warn({ chunks: unreadable }, UNREADABLE)
      return { applied, mode, serverVersion, timescaleVersion, unreadable }
    } finally {
      await worker.end({ timeout: 5 })
    }
  } catch (error) {
    throw explainRefusal(toStoreError(error), url)
  } finally {
    await gate.end({ timeout: 5 })
  }
}

/** Waits while a server replays its log after a crash, a restore or a failover. */
async function endOfRecovery(gate: Sql, log: Log): Promise<void> {
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS
  for (let first = true; ; first = false) {
    const [row] = await gate<{ recovering: boolean }[]>`select pg_is_in_recovery() as recovering`
    if (row?.recovering !== true) return
    if (first) log.warn('the database is recovering or a standby, and takes no writes: waiting until it does')
    if (performance.now() > deadline) {
      const text = `the database still takes no writes after ${RECOVERY_TIMEOUT_MS / 60_000} minutes, because it is recovering or a standby: promote it, or correct database_url`
      throw new StoreError('unavailable', text, true, null)
    }
    await Bun.sleep(500)
  }
}

async function checkServer(sql: Sql): Promise<string> {
  const [row] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number,
           split_part(current_setting('server_version'), ' ', 1) as version`
  if (row === undefined || row.number < MIN_SERVER) {
    throw invalid(`PostgreSQL 15 or newer is required; this server is version ${row?.version}`)
  }
  return row.version
}

async function requireTables(gate: Sql, address: string): Promise<void> {
  const [row] = await gate<{ made: boolean }[]>`select to_regclass('schema_migrations') is not null as made`
  if (row?.made === true) return
  const { host, pathname } = new URL(address)
  throw invalid(
    `database ${decodeURIComponent(pathname.slice(1)) || 'postgres'}${host === '' ? '' : ` of ${host}`} has no tables of Portlight: check --database-url (setting database_url, DATABASE_URL); to create them there, run portlight migrate or start the server`,
  )
}

/** Creates extension timescaledb if the server has it and allows us to, but not on top of tables made without it. */
async function createExtension(gate: Sql, url: string, log: Log): Promise<void> {
  const [row] = await gate<{ offered: boolean; made: boolean }[]>`
    select exists (select from pg_available_extensions where name = 'timescaledb' and installed_version is null) as offered,
           to_regclass('ts.series') is not null as made`
  if (row?.offered !== true || row.made === true) return
  const fresh = client(url, 1, null)
  try {
    await fresh.unsafe('create extension if not exists timescaledb').simple()
    log.info('extension timescaledb created')
  } catch (error) {
    log.warn(
      { reason: toStoreError(error).message },
      'the server offers timescaledb but the extension cannot be created; continuing without it',
    )
  } finally {
    await fresh.end({ timeout: 5 })
  }
}

async function installedTimescale(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ extversion: string }[]>`select extversion from pg_extension where extname = 'timescaledb'`
  return row?.extversion ?? null
}

async function seriesMode(sql: Sql, timescaleVersion: string | null): Promise<SeriesMode> {
  if (timescaleVersion === null) return 'plain'
  const [row] = await sql<{ license: string | null }[]>`select current_setting('timescaledb.license', true) as license`
  return row?.license === 'timescale' ? 'tsl' : 'apache'
}

/** The effect of going back from the full edition to the Apache edition; the full edition can read the data again. */
export const UNREADABLE =
  'compressed samples cannot be read under the Apache edition of TimescaleDB and are missing from every answer; set timescaledb.license to timescale and restart the server, then decompress the chunks before you change the edition'

/** Number of compressed chunks of the series, under any edition. */
async function compressedChunks(sql: Sql): Promise<number> {
  // Most databases have no table with compression, and checking that first is quicker than counting chunks.
  const [row] = await sql<{ chunks: number }[]>`
    select case when exists (select from timescaledb_information.hypertables
        where hypertable_schema = 'ts' and compression_enabled)
      then (select count(*)::int from timescaledb_information.chunks where hypertable_schema = 'ts' and is_compressed)
      else 0 end as chunks`
  return row?.chunks ?? 0
}

async function applyMigrations(sql: Sql, migrations: readonly Migration[]): Promise<string[]> {
  const [known] = await sql<{ made: boolean }[]>`
    select to_regclass('schema_migrations') is not null and to_regclass('schema_series') is not null as made`
  // a current schema needs no writes, so read commands work on a full disk too
  if (known?.made !== true)
    await sql
      .unsafe(`
    create table if not exists schema_migrations (
      number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());
    create table if not exists schema_series (name text primary key, checksum text not null)`)
      .simple()
  const rows = await sql<{ number: number; name: string; checksum: string }[]>`
    select number, name, checksum from schema_migrations`
  const done = new Map(rows.map((row) => [row.number, row]))
  const newest = Math.max(0, ...migrations.map((m) => m.number))
  for (const number of done.keys()) {
    if (number > newest) {
      throw invalid(
        `the database is newer than this program (migration ${number}; the program knows up to ${newest}) and cannot be downgraded: upgrade the program, or restore an earlier backup into an empty database`,
      )
    }
  }
  const applied: string[] = []
  for (const migration of migrations.toSorted((a, b) => a.number - b.number)) {
    const earlier = done.get(migration.number)
    const sum = checksum(migration.text)
    if (earlier === undefined) {
      await applyMigration(sql, migration, sum)
      applied.push(migration.name)
    } else if (earlier.checksum !== sum) {
      throw invalid(`migration ${migration.number} (${earlier.name}) was changed after it had been applied`)
    }
  }
  return applied
}

/**
 * This program's migrations that a database or backup has applied. Throws StoreError `invalid` if one of them is
 * unknown to this program or has a different text.
 */
export function knownMigrations(
  applied: readonly { readonly number: number; readonly name: string; readonly checksum: string }[],
): readonly Migration[] {
  const own = new Map(MIGRATIONS.map((migration) => [migration.number, migration]))
  return applied.map(({ number, name, checksum: sum }) => {
    const migration = own.get(number)
    if (migration === undefined)
      throw invalid(
        `migration ${number} (${name}) was made by a newer version of the program, and there is no downgrade`,
      )
    if (checksum(migration.text) !== sum)
      throw invalid(`migration ${number} (${name}) differs from this program's: it was made by another version`)
    return migration
  })
}

/** SQLSTATEs of statements that did not get a lock: lock timeout, deadlock. */
const NO_LOCK = new Set(['55P03', DEADLOCK])
/** Longest wait of a migration's statement for a lock; short, because other users of the table queue up behind it. */
const STATEMENT_LOCK_MS = 1000
const RETRY_MS = 500

/**
 * Runs a transaction that changes the schema while other sessions read and write. If it does not get a lock it rolls
 * back and tries again, for ten minutes.
 */
async function givingWay(
  sql: Sql,
  what: string,
  work: (tx: postgres.TransactionSql) => Promise<unknown>,
): Promise<void> {
  const until = performance.now() + LOCK_TIMEOUT_MS
  for (;;) {
    try {
      await sql.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = ${STATEMENT_LOCK_MS}`)
        await work(tx)
      })
      return
    } catch (error) {
      const known = toStoreError(error)
      if (known.code === null || !NO_LOCK.has(known.code)) throw error
      if (performance.now() > until)
        throw new StoreError(
          'unavailable',
          `${what} did not get its locks within ten minutes because other sessions hold the tables: end them and try again`,
          true,
          known.code,
          { cause: error },
        )
      await Bun.sleep(RETRY_MS)
    }
  }
}

async function applyMigration(sql: Sql, { number, name, text }: Migration, sum: string): Promise<void> {
  if (text.startsWith(NO_TRANSACTION)) {
    await sql.unsafe(text).simple()
    await sql`insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${sum})`
    return
  }
  await givingWay(sql, `migration ${number} (${name})`, async (tx) => {
    await tx.unsafe(text).simple()
    await tx`insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${sum})`
  })
}

/** The series SQL files in order, and between them the SQL derived from the declared kinds. */
const SERIES_STEPS: readonly string[] = [
  SERIES_SQL['10-base.sql'],
  SERIES_SQL['20-rollup.sql'],
  SERIES_SQL['24-packed-form.sql'],
  SERIES_SQL['25-pack.sql'],
  SERIES_SQL['26-packed-views.sql'],
  SERIES_SQL['27-move-packed.sql'],
  SERIES_SQL['28-pack-in.sql'],
  tablesSql(KIND_LIST),
  SERIES_SQL['30-tables.sql'],
  SERIES_SQL['40-maintain.sql'],
  SERIES_SQL['45-status.sql'],
  SERIES_SQL['50-views.sql'],
  viewsSql(KIND_LIST),
  grafanaViewsSql(KIND_LIST),
  SERIES_SQL['60-grafana.sql'],
  SERIES_SQL['65-grafana-functions.sql'],
]

/** The newest migration and the checksum of the series SQL in a database that `migrate` has brought up to date. */
export function currentSchema(mode: SeriesMode): { readonly migration: number; readonly series: string } {
  return { migration: Math.max(0, ...MIGRATIONS.map((m) => m.number)), series: seriesChecksum(mode) }
}

function seriesChecksum(mode: SeriesMode): string {
  return checksum(`${mode}\n${SERIES_STEPS.join('\n')}`)
}

/** Runs the series files in one transaction if one of them or the edition of TimescaleDB has changed. */
async function applySeries(sql: Sql, mode: SeriesMode): Promise<boolean> {
  const sum = seriesChecksum(mode)
  const [row] = await sql<{ checksum: string }[]>`select checksum from schema_series where name = 'series'`
  if (row?.checksum === sum) return false
  await givingWay(sql, 'the schema of the series', async (tx) => {
    for (const text of SERIES_STEPS) await tx.unsafe(text).simple()
    await tx`insert into schema_series (name, checksum) values ('series', ${sum})
      on conflict (name) do update set checksum = excluded.checksum`
  })
  return true
}

function checksum(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

function invalid(message: string): StoreError {
  return new StoreError('invalid', message, false, null)
}
