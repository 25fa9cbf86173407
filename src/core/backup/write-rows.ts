import { addSums, type LineSum, NO_LINES } from '../../lib/line-sums.ts'
import { quoted, SCHEMAS } from '../database/archived.ts'
import type { Sql } from '../database/client.ts'
import { StoreError } from '../database/errors.ts'
import { type ArchivedTable, listTables, tableName } from './read-catalogue.ts'
import { inTransaction, type SnapshotSession } from './read-snapshot.ts'

/** Types of the columns that may be added to a table of the series. */
const TYPE = /^[a-z0-9 ]+(\(\d+(,\d+)?\))?(\[\])*$/

/**
 * Drops the inventory's foreign keys and disables its triggers (the series have none but TimescaleDB's), so that rows
 * can be loaded in any order and without side effects such as events. The same transaction stores how to restore them.
 */
export async function takeOffKeys(sql: SnapshotSession): Promise<void> {
  const schemas = SCHEMAS.map((schema) => `to_regnamespace('${schema}')`).join(', ')
  await inTransaction(sql, async () => {
    const keys = await sql.unsafe<{ rel: string; name: string; text: string }[]>(`
      select k.conrelid::regclass::text as rel, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as text
      from pg_constraint k where k.contype = 'f' and k.conparentid = 0 and k.connamespace in (${schemas}) order by 1, 2`)
    const triggered = await sql.unsafe<{ rel: string }[]>(`
      select distinct t.tgrelid::regclass::text as rel from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and t.tgenabled = 'O' and c.relnamespace = 'public'::regnamespace and not c.relispartition`)
    const undo = [
      ...keys.map(({ rel, name, text }) => `alter table ${rel} add constraint ${name} ${text}`),
      ...triggered.map(({ rel }) => `alter table ${rel} enable trigger user`),
    ]
    for (const { rel, name } of keys) await sql.unsafe(`alter table ${rel} drop constraint ${name}`)
    for (const { rel } of triggered) await sql.unsafe(`alter table ${rel} disable trigger user`)
    await sql`update public.restore_state set phase = 'tables', undo = ${undo}::text[]`
  })
}

/** Restores foreign keys and triggers, checking every row. Throws StoreError when a row refers to a missing one. */
export async function putBackKeys(sql: SnapshotSession): Promise<void> {
  await inTransaction(sql, async () => {
    const [row] = await sql<{ undo: string[] }[]>`select undo from public.restore_state`
    for (const statement of row?.undo ?? []) await sql.unsafe(statement)
    await sql`update public.restore_state set phase = 'between', undo = '{}'`
  })
}

/** Empties the tables of the series, which the schema has filled, and begins phase `series`. */
export async function enterSeries(sql: SnapshotSession, tables: readonly ArchivedTable[]): Promise<void> {
  await inTransaction(sql, async () => {
    await emptyTables(sql, tables)
    await sql`update public.restore_state set phase = 'series'`
  })
}

/**
 * Empties tables, because a new schema fills some with rows that every installation begins with. Only those that hold
 * rows are truncated, and what refers to them: each truncated table gets new files, and there are hundreds.
 */
export async function emptyTables(sql: Sql, tables: readonly ArchivedTable[]): Promise<void> {
  if (tables.length === 0) return
  const names = tables.map((t) => quoted(t.schema, t.table))
  const held = names.map((name, i) => `select ${i} as at where exists (select from ${name})`).join(' union all ')
  const filled = (await sql.unsafe<{ at: number }[]>(held)).map(({ at }) => names[at])
  if (filled.length > 0) await sql.unsafe(`truncate ${filled.join(', ')} cascade`)
}

/**
 * The tables of this database that receive the rows of a backup, by name. Series columns that this version no longer
 * has are added, so that their values are kept. Throws StoreError for any other table or column that is unknown here.
 */
export async function matchTables(
  sql: Sql,
  archived: readonly ArchivedTable[],
): Promise<ReadonlyMap<string, ArchivedTable>> {
  const here = new Map((await listTables(sql)).map((table) => [tableName(table), table]))
  const matched = new Map<string, ArchivedTable>()
  for (const table of archived) {
    const name = tableName(table)
    const own = here.get(name)
    if (own === undefined)
      throw refused(
        `the backup has a table ${name}, which Portlight does not have: drop it in the source database and back up again`,
      )
    const known = new Set(own.columns.map((column) => column.name))
    for (const { name: column, type } of table.columns) {
      if (known.has(column)) continue
      if (table.schema !== 'ts' || !TYPE.test(type))
        throw refused(`the backup has a column ${name}.${column}, which Portlight does not have`)
      await sql.unsafe(`alter table ${quoted(table.schema, table.table)} add column ${quoted(column)} ${type}`)
    }
    // in the order of the backup, which its checksums depend on
    matched.set(name, { ...own, columns: table.columns })
  }
  return matched
}

/**
 * Whether the SQL of the series has to run again after a restore: this version has roll-ups that the version of the backup
 * lacked, or the backup has a column that the views of this version do not show.
 */
export async function isSeriesSchemaStale(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ stale: boolean }[]>`
    select exists (select from ts.series s
        where s.level <> 'samples' and not exists (select from ts.rollup r where r.dst = s.rel))
      or exists (select from ts.series s join pg_catalog.pg_attribute a on a.attrelid = s.rel and a.attnum > 0 and not a.attisdropped
        where not exists (select from pg_catalog.pg_attribute v
          where v.attrelid = to_regclass(format('ts.%I', s.base || '_' || s.level || '_stored')) and v.attname = a.attname)) as stale`
  return row?.stale !== false
}

/** Creates the partitions that the rows of a backup need; hypertables create their own chunks. */
export async function makePartitions(sql: Sql, archived: readonly ArchivedTable[]): Promise<void> {
  for (const table of archived) {
    if (table.parts.length === 0) continue
    const ranges = { from: table.parts.map(({ from }) => from), to: table.parts.map(({ to }) => to) }
    if (table.schema === 'ts') {
      await sql`
        select ts.ensure_partitions(s.rel, m.moment) from ts.series s,
          unnest(${ranges.from}::timestamptz[], ${ranges.to}::timestamptz[]) p(starts, ends),
          lateral generate_series(p.starts, p.ends - interval '1 microsecond', s.chunk) m(moment)
        where s.rel = ${tableName(table)}::regclass and ts.kind(s.rel) = 'native'`
    } else {
      await sql`
        select make_log_partition(${table.table}, m.moment)
        from unnest(${ranges.from}::timestamptz[], ${ranges.to}::timestamptz[]) p(starts, ends),
          lateral (values (p.starts), (p.ends - interval '1 microsecond')) m(moment)`
    }
  }
}

/** Stores the rows of a chunk and, in the same transaction, that they are stored. */
export async function loadChunk(
  session: SnapshotSession,
  table: ArchivedTable,
  seq: number,
  text: Uint8Array,
): Promise<void> {
  const columns = table.columns.map(({ name }) => quoted(name)).join(', ')
  await inTransaction(session, async () => {
    await session.unsafe(`copy ${quoted(table.schema, table.table)} (${columns}) from stdin`, [], { copy: text })
    await session`insert into public.restore_done (seq) values (${seq})`
  })
}

/** Chunks that an earlier attempt has stored, and the sums of rows that it has unpacked, by the table that has them. */
export async function chunksDone(
  sql: Sql,
): Promise<{ readonly done: ReadonlySet<number>; readonly unpacked: ReadonlyMap<string, LineSum> }> {
  // an older version may have begun this restore
  await sql`alter table public.restore_done add column if not exists name text, add column if not exists rows bigint,
    add column if not exists a bigint, add column if not exists b bigint`
  const found = await sql<{ seq: number; name: string | null; rows: number; a: number; b: number }[]>`
    select seq, name, rows, a, b from public.restore_done`
  const unpacked = new Map<string, LineSum>()
  for (const { name, rows, a, b } of found) {
    if (name === null) continue
    const sum = { rows: Number(rows), a: Number(a), b: Number(b) }
    unpacked.set(name, addSums(unpacked.get(name) ?? NO_LINES, sum))
  }
  return { done: new Set(found.map(({ seq }) => Number(seq))), unpacked }
}

/** The error of a backup that this program cannot store. */
export function refused(message: string): StoreError {
  return new StoreError('invalid', message, false, null)
}
