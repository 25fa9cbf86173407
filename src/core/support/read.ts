import type { Store } from '../database/client.ts'

/** Settings of the server that are neither secrets nor addresses. */
const SERVER_SETTINGS = [
  ...['max_connections', 'shared_buffers', 'work_mem', 'maintenance_work_mem', 'effective_cache_size', 'wal_level'],
  ...['max_wal_size', 'min_wal_size', 'checkpoint_timeout', 'synchronous_commit', 'fsync', 'full_page_writes'],
  ...['max_worker_processes', 'max_parallel_workers', 'autovacuum', 'autovacuum_naptime', 'autovacuum_max_workers'],
  ...['random_page_cost', 'jit', 'statement_timeout', 'lock_timeout', 'timezone', 'server_encoding', 'lc_collate'],
  ...['server_version', 'shared_preload_libraries', 'archive_mode', 'max_locks_per_transaction', 'track_io_timing'],
]

/** Size of the database, its running statements and the server's settings, for a support bundle. */
export interface DatabaseReport {
  readonly server: Readonly<Record<string, string>>
  readonly extensions: Readonly<Record<string, string>>
  readonly migrations: readonly { readonly number: number; readonly name: string }[]
  /** The largest first, with their indexes. */
  readonly tables: readonly {
    readonly table: string
    readonly octets: number
    readonly rows: number
    readonly dead: number
    readonly vacuumed: Date | null
  }[]
  /** Statements under way, longest first; `text` has no values. */
  readonly activity: readonly {
    readonly program: string
    readonly state: string
    readonly seconds: number
    readonly waits: string | null
    readonly text: string
  }[]
  /** From pg_stat_statements, those with the longest total time; null: the server does not have it. */
  readonly statements:
    | readonly { readonly text: string; readonly calls: number; readonly totalMs: number; readonly rows: number }[]
    | null
}

const MAX_TABLES = 100
const MAX_STATEMENTS = 50

/** Throws StoreError. */
export async function databaseReport({ sql }: Store): Promise<DatabaseReport> {
  const server = await sql<{ name: string; setting: string }[]>`
      select name, concat(setting, unit) as setting from pg_settings
      where name in (select jsonb_array_elements_text(${JSON.stringify(SERVER_SETTINGS)}::text::jsonb)) order by name`
  const extensions = await sql<{ name: string; version: string }[]>`
      select extname as name, extversion as version from pg_extension order by 1`
  const migrations = await sql<{ number: number; name: string }[]>`
      select number, name from schema_migrations order by number`
  const tables = await sql<DatabaseReport['tables'][number][]>`
      select s.relid::regclass::text as "table", pg_total_relation_size(s.relid)::float8 as octets,
        s.n_live_tup::float8 as rows, s.n_dead_tup::float8 as dead, greatest(s.last_vacuum, s.last_autovacuum) as vacuumed
      from pg_stat_user_tables s order by 2 desc limit ${MAX_TABLES}`
  const activity = await sql<DatabaseReport['activity'][number][]>`
      select application_name as program, coalesce(state, '') as state,
        extract(epoch from clock_timestamp() - coalesce(query_start, backend_start))::float8 as seconds,
        wait_event_type || ' ' || wait_event as waits, left(query, 1000) as text
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      order by 3 desc limit ${MAX_STATEMENTS}`
  const known = extensions.some(({ name }) => name === 'pg_stat_statements')
  return {
    server: Object.fromEntries(server.map(({ name, setting }) => [name, setting])),
    extensions: Object.fromEntries(extensions.map(({ name, version }) => [name, version])),
    migrations,
    tables,
    activity: activity.map((row) => ({ ...row, text: withoutValues(row.text) })),
    statements: known ? await slowest(sql) : null,
  }
}

async function slowest(sql: Store['sql']): Promise<DatabaseReport['statements']> {
  try {
    const rows = await sql<{ text: string; calls: number; totalMs: number; rows: number }[]>`
      select left(query, 1000) as text, calls::float8 as calls, total_exec_time::float8 as "totalMs", rows::float8 as rows
      from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = current_database()
      order by total_exec_time desc limit ${MAX_STATEMENTS}`
    return rows.map((row) => ({ ...row, text: withoutValues(row.text) }))
  } catch {
    return null // installed, but not loaded or not allowed
  }
}

/** The statement with string literals (such as passwords in ALTER ROLE) and long numbers replaced. */
function withoutValues(text: string): string {
  return text
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "'?'")
    .replaceAll(/'(?:[^']|'')*'?/g, "'?'")
    .replaceAll(/\b\d{5,}\b/g, '?')
}
