import type { TransactionSql } from 'postgres'
import type { Sql, Store } from '../database/client.ts'
import { StoreError } from '../database/errors.ts'

/** Result of indexing for the search, or why it has no index. */
export type SearchIndex =
  | { readonly kind: 'made'; readonly partitions: number }
  /** The server has no pg_trgm, or it cannot be created: searches read every message. */
  | { readonly kind: 'missing'; readonly reason: string }

/** Partitions indexed in one run, the newest first. */
const MAX_PARTITIONS = 2
/** A partition is indexed this long after the end of its time range. */
const REST = '1 hour'
const LOCK_MS = 3000

/**
 * Indexes past partitions of the syslog for the search, the newest first, a few per call. The current one is not
 * indexed, because storing a message would then take many times as long (docs/adr/0042-logs-by-time.md).
 */
export async function indexSyslog({ sql }: Store): Promise<SearchIndex> {
  const missing = await extension(sql)
  if (missing !== null) return { kind: 'missing', reason: missing }
  const due = await sql<{ part: string; name: string }[]>`
      select p.part::text as part, replace(p.part::text, 'log_parts.', '') || '_search' as name
      from log_partitions('syslog') p
      where p.to_time < now() - ${REST}::interval
        and to_regclass('log_parts.' || quote_ident(replace(p.part::text, 'log_parts.', '') || '_search')) is null
      order by p.from_time desc limit ${MAX_PARTITIONS}`
  let partitions = 0
  for (const { part, name } of due) {
    await sql.begin((tx) => trigrams(tx, name, part, 'msg'))
    partitions++
  }
  return { kind: 'made', partitions }
}

/**
 * Indexes the names of ports for the search, once. Without pg_trgm a search reads the names of all ports (26 ms for
 * 100,000). Creating the index blocks writers, as for the others: about a second for 100,000 ports.
 */
export async function indexPorts({ sql }: Store): Promise<SearchIndex> {
  const missing = await extension(sql)
  if (missing !== null) return { kind: 'missing', reason: missing }
  const [known] = await sql`select from pg_class where oid = to_regclass('public.ports_search')`
  if (known !== undefined) return { kind: 'made', partitions: 0 }
  await sql.begin((tx) => trigrams(tx, 'ports_search', 'ports', 'search_text'))
  return { kind: 'made', partitions: 1 }
}

async function trigrams(tx: TransactionSql, name: string, table: string, column: string): Promise<void> {
  await tx.unsafe(`set local lock_timeout = ${LOCK_MS}; set local statement_timeout = 0`).simple()
  const [where] = await tx<{ schema: string }[]>`
    select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where extname = 'pg_trgm'`
  await tx.unsafe(`create index "${name}" on ${table} using gin (${column} ${where?.schema}.gin_trgm_ops)`)
}

/** Creates pg_trgm unless it is there. Null: it is; otherwise the reason why not. */
async function extension(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ installed: boolean; offered: boolean }[]>`
      select exists (select from pg_extension where extname = 'pg_trgm') as installed,
        exists (select from pg_available_extensions where name = 'pg_trgm') as offered`
  if (row?.installed === true) return null
  if (row?.offered !== true) return 'the server does not have the extension pg_trgm (package postgresql-contrib)'
  try {
    await sql`create extension if not exists pg_trgm`
    return null
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'unavailable') throw error
    return `the extension pg_trgm cannot be created: ${error instanceof Error ? error.message : String(error)}`
  }
}
