import type { TransactionSql } from 'postgres'
import type { Sql } from '../database/client.ts'

/** A transaction of an import. */
export type ImportTx = TransactionSql<{ bigint: number | string }>

/** A column that can be written. */
export interface TargetColumn {
  readonly name: string
  /** As PostgreSQL names it: `int4`, `text`, `timestamptz`. */
  readonly type: string
  readonly nullable: boolean
  /** SQL of its default; null: none. */
  readonly initial: string | null
  /** Table that it refers to by id; null: none. */
  readonly refers: string | null
}

/** A table of this program. */
export interface TargetTable {
  readonly name: string
  readonly columns: readonly TargetColumn[]
  /** Column that numbers its rows; null: none. */
  readonly id: string | null
}

/** The tables of schema public, by name. */
export async function targetTables(sql: Sql | ImportTx): Promise<ReadonlyMap<string, TargetTable>> {
  const rows = await sql<(TargetColumn & { table: string; identity: boolean })[]>`
    select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable,
      pg_get_expr(d.adbin, d.adrelid) as initial, a.attidentity <> '' as identity, f.relname as refers
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      left join lateral (
        select r.relname from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum] limit 1) f on true
    where c.relkind in ('r', 'p') and not c.relispartition order by 1, a.attnum`
  const tables = new Map<string, { name: string; columns: TargetColumn[]; id: string | null }>()
  for (const { table, identity, ...column } of rows) {
    const found = tables.get(table) ?? { name: table, columns: [], id: null }
    tables.set(table, found)
    found.columns.push(column)
    if (identity) found.id = column.name
  }
  return tables
}

/** A value of a column, in the form that JSON gives it to PostgreSQL. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }
export type JsonRow = Readonly<Record<string, JsonValue>>

/** Rows that were stored, and what was wrong with those that were refused. */
export interface Inserted {
  readonly rows: number
  /** SQLSTATE and message of each refused row. */
  readonly refused: readonly string[]
}

/**
 * Inserts rows with their ids; all have the same members. Rows that already exist, by id or by another unique key, are
 * skipped. If a row cannot be stored, the others still are.
 */
export async function insertImported(
  tx: ImportTx,
  { name, columns }: TargetTable,
  rows: readonly JsonRow[],
): Promise<Inserted> {
  const [first] = rows
  if (first === undefined) return { rows: 0, refused: [] }
  const used = columns.filter((column) => column.name in first)
  const names = used.map((column) => `"${column.name}"`).join(', ')
  const values = used.map(({ name: column, nullable, initial }) =>
    nullable || initial === null || initial.startsWith('nextval')
      ? `x."${column}"`
      : `coalesce(x."${column}", ${initial})`,
  )
  const shape = used.map((column) => `"${column.name}" ${column.type}`).join(', ')
  const statement = `insert into "${name}" (${names}) overriding system value
    select ${values.join(', ')} from jsonb_to_recordset($1::text::jsonb) as x(${shape}) on conflict do nothing`
  const store = async (some: readonly JsonRow[]): Promise<Inserted> => {
    try {
      const done = await tx.savepoint((inner) => inner.unsafe(statement, [JSON.stringify(some)]))
      return { rows: done.count, refused: [] }
    } catch (error) {
      const { code = '', message = '' } = error as { code?: string; message?: string }
      // Only data errors and constraint violations are the fault of a row.
      if (!/^(22|23)/.test(code)) throw error
      if (some.length === 1) return { rows: 0, refused: [`${code} ${message.split('\n')[0]}`] }
      const half = Math.ceil(some.length / 2)
      const parts = [await store(some.slice(0, half)), await store(some.slice(half))]
      return { rows: parts.reduce((sum, part) => sum + part.rows, 0), refused: parts.flatMap((part) => part.refused) }
    }
  }
  return await store(rows)
}

/** Ids of a table's rows by key: the columns' text joined by newlines, in lower case if `caseless`. */
export async function keysOf(
  tx: ImportTx,
  { name, id }: TargetTable,
  key: readonly string[],
  caseless: boolean,
): Promise<ReadonlyMap<string, number>> {
  const joined = key.map((column) => `coalesce("${column}"::text, '')`).join(` || E'\\n' || `)
  const text = caseless ? `lower(${joined})` : joined
  const rows = await tx.unsafe<{ key: string; id: number }[]>(
    `select ${text} as key, "${id}" as id from "${name}" order by 2 desc`,
  )
  return new Map(rows.map((row) => [row.key, Number(row.id)]))
}

/** All ids of a table. */
export async function idsOf(tx: ImportTx, { name, id }: TargetTable): Promise<ReadonlySet<number>> {
  const rows = await tx.unsafe<{ id: number }[]>(`select "${id}" as id from "${name}"`)
  return new Set(rows.map((row) => Number(row.id)))
}

/** Moves every table's sequence beyond its greatest id. */
export async function moveSequences(tx: ImportTx, tables: Iterable<TargetTable>): Promise<void> {
  for (const { name, id } of tables) {
    if (id === null) continue
    await tx.unsafe(
      `select setval(s, m.greatest) from pg_get_serial_sequence('public."${name}"', '${id}') s,
         lateral (select max("${id}") as greatest from "${name}") m
       where m.greatest > coalesce((select last_value from pg_sequences q where format('%I.%I', q.schemaname, q.sequencename) = s), 0)`,
    )
  }
}

/** Which of these ids a table has. */
export async function presentIds(
  tx: ImportTx,
  { name, id }: TargetTable,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.unsafe<{ id: number }[]>(
    `select "${id}" as id from "${name}" where "${id}" = any($1::text::bigint[])`,
    [`{${ids.join()}}`],
  )
  return new Set(rows.map((row) => Number(row.id)))
}

/** True if the table has a row with a greater id. */
export async function hasRowsAfter(sql: Sql, { name, id }: TargetTable, after: number): Promise<boolean> {
  const [row] = await sql.unsafe<{ found: boolean }[]>(
    `select coalesce(max("${id}") > ${Math.trunc(after)}, false) as found from "${name}"`,
  )
  return row?.found === true
}

/** Creates the partitions of a log for the last `days` days. */
export async function makeLogPartitions(sql: Sql, table: string, days: number): Promise<void> {
  await sql`select make_log_partition(${table}, d) from generate_series(now() - ${days} * interval '1 day', now(), interval '1 day') d`
}
