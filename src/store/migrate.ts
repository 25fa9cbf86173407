import { MIGRATIONS, type Migration } from '../../db/migrations.ts'
import { SERIES_SQL } from '../../db/series.ts'
import type { Log } from '../observe/log.ts'
import { client, type Sql } from './client.ts'
import { StoreError, toStoreError } from './errors.ts'

/** What the server can do: no TimescaleDB, its Apache edition, or its full edition (with the columnstore). */
export type SeriesMode = 'plain' | 'apache' | 'tsl'

export interface MigrateResult {
  /** Migrations applied now, by name. */
  readonly applied: readonly string[]
  readonly mode: SeriesMode
  /** For example `18.4`. */
  readonly serverVersion: string
  /** null: the extension is not installed in this database. */
  readonly timescaleVersion: string | null
}

const LOCK = 0x706f7274 // «port»
const LOCK_TIMEOUT_MS = 600_000
const OLDEST_SERVER = 150_000
/** First line of a migration that must not run in a transaction (CREATE INDEX CONCURRENTLY): it holds one statement. */
const NO_TRANSACTION = '-- no transaction'

/**
 * Brings the database to this program's schema: migrations once each, then the series SQL where it changed. Any number
 * of processes may call it at once; one works, the others wait. Throws StoreError `invalid` when the server is too old,
 * when an applied migration was edited, and when the database is newer than the program.
 */
export async function migrate(url: string, log: Log, migrations = MIGRATIONS): Promise<MigrateResult> {
  // The lock lives in a session of its own: creating the extension wants a fresh one after it.
  const gate = client(url, 1)
  try {
    await gate.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}; set statement_timeout = 0`).simple()
    await gate`select pg_advisory_lock(${LOCK})`
    const serverVersion = await checkServer(gate)
    await createExtension(gate, url, log)
    const worker = client(url, 1)
    try {
      await worker.unsafe('set statement_timeout = 0').simple()
      const applied = await applyMigrations(worker, migrations)
      const timescaleVersion = await installedTimescale(worker)
      const mode = await seriesMode(worker, timescaleVersion)
      const refreshed = await applySeries(worker, mode)
      if (applied.length > 0) log.info({ applied }, 'database migrated')
      log.info({ serverVersion, timescaleVersion, mode, refreshed }, 'database schema is current')
      return { applied, mode, serverVersion, timescaleVersion }
    } finally {
      await worker.end({ timeout: 5 })
    }
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await gate.end({ timeout: 5 })
  }
}

async function checkServer(sql: Sql): Promise<string> {
  const [row] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number,
           split_part(current_setting('server_version'), ' ', 1) as version`
  if (row === undefined || row.number < OLDEST_SERVER) {
    throw invalid(`PostgreSQL 15 or newer is needed; this server is ${row?.version}`)
  }
  return row.version
}

/** TimescaleDB where the server has it and lets us, but not under tables that were made without it. */
async function createExtension(gate: Sql, url: string, log: Log): Promise<void> {
  const [row] = await gate<{ offered: boolean; made: boolean }[]>`
    select exists (select from pg_available_extensions where name = 'timescaledb' and installed_version is null) as offered,
           to_regclass('ts.series') is not null as made`
  if (row?.offered !== true || row.made === true) return
  const fresh = client(url, 1)
  try {
    await fresh.unsafe('create extension if not exists timescaledb').simple()
    log.info('extension timescaledb created')
  } catch (error) {
    log.warn(
      { reason: toStoreError(error).message },
      'the server offers timescaledb but it cannot be created; going on without',
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

async function applyMigrations(sql: Sql, migrations: readonly Migration[]): Promise<string[]> {
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
        `the database is newer than this program (migration ${number}, the program knows ${newest}): upgrade it`,
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

async function applyMigration(sql: Sql, { number, name, text }: Migration, sum: string): Promise<void> {
  if (text.startsWith(NO_TRANSACTION)) {
    await sql.unsafe(text).simple()
    await sql`insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${sum})`
    return
  }
  await sql.begin(async (tx) => {
    await tx.unsafe(text).simple()
    await tx`insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${sum})`
  })
}

/** Runs the series files when one of them, or what the server can do, has changed; all in one transaction. */
async function applySeries(sql: Sql, mode: SeriesMode): Promise<boolean> {
  const sum = checksum(`${mode}\n${SERIES_SQL.map((f) => f.text).join('\n')}`)
  const [row] = await sql<{ checksum: string }[]>`select checksum from schema_series where name = 'series'`
  if (row?.checksum === sum) return false
  await sql.begin(async (tx) => {
    for (const file of SERIES_SQL) await tx.unsafe(file.text).simple()
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
