import { addSums, type LineSum, NO_LINES, sumLines } from '../../lib/line-sums.ts'
import { quoted } from '../database/archived.ts'
import type { Sql } from '../database/client.ts'
import { type ArchivedTable, tableName } from './read-catalogue.ts'
import { copyQuery, inTransaction, type SnapshotSession, type SnapshotShare } from './read-snapshot.ts'
import { refused } from './write-rows.ts'

/**
 * How packed rows of a backup are stored here. `packed`: as they are, because the chunks have the same bounds. `cut`:
 * packed again, because they have others. `rows`: unpacked, because the server has a columnstore.
 */
type Form = 'packed' | 'cut' | 'rows'

/** A table of packed rows of a backup, and where they go. */
export interface PackedTable {
  readonly archived: ArchivedTable
  readonly form: Form
  /** The table of rows here, with the columns of the backup. */
  readonly rows: ArchivedTable
  /** Columns of a table of packed rows here, as SQL. */
  readonly definition: string
  /** The end of the newest packed chunk of the backup; null: it has none. */
  readonly upto: string | null
}

/** Bytes of the pieces in which unpacked rows are summed. */
const SUM_OCTETS = 4 * 2 ** 20

/**
 * Prepares the tables for the packed rows of a backup. `rows`: the tables of their rows here, by name. Throws StoreError
 * if rows are packed in a way that this version does not read.
 */
export async function preparePacked(
  sql: Sql,
  archived: readonly ArchivedTable[],
  rows: ReadonlyMap<string, ArchivedTable>,
): Promise<ReadonlyMap<string, PackedTable>> {
  const found = new Map<string, PackedTable>()
  for (const table of archived) {
    const own = table.packs === null ? undefined : rows.get(table.packs)
    if (own === undefined)
      throw refused(`the backup is corrupt: ${tableName(table)} holds packed rows of a table that is not in it`)
    const [row] = await sql<{ definition: string; full: boolean; same: boolean }[]>`
      select ts.packed_columns(s.rel) as definition, ts.edition() = 'tsl' as full,
        (select coalesce(bool_and(ts.is_chunk(s.rel, p.since, p.upto)), true) from ${parts(sql, table)}) as same
      from ts.series s where s.rel = to_regclass(${tableName(own)})`
    if (row === undefined) throw refused(`the backup has packed rows of ${tableName(own)}, which is not a series here`)
    const { definition, full, same } = row
    const form = full ? 'rows' : same ? 'packed' : 'cut'
    const upto =
      table.parts
        .map(({ to }) => to)
        .toSorted()
        .at(-1) ?? null
    const packed = { archived: table, form, rows: own, definition, upto } as const
    await requireForms(sql, packed)
    if (form !== 'rows') await makeParts(sql, packed)
    found.set(tableName(table), packed)
  }
  return found
}

/** The bounds of the chunks of a backup, as SQL: table p with the columns since and upto. */
function parts(sql: Sql, { parts }: ArchivedTable) {
  const [from, to] = [parts.map((part) => part.from), parts.map((part) => part.to)]
  return sql`unnest(${from}::timestamptz[], ${to}::timestamptz[]) p(since, upto)`
}

/** A column that no reader here knows would be stored and never be seen. */
async function requireForms(sql: Sql, { archived, definition }: PackedTable): Promise<void> {
  const staging = await makeStaging(sql, archived, definition)
  const known = await sql<{ name: string }[]>`
    select attname::text as name from pg_attribute where attrelid = ${staging}::text::regclass and attnum > 0`
  const here = new Set(known.map(({ name }) => name))
  const odd = archived.columns.find(({ name }) => !here.has(name))
  if (odd !== undefined)
    throw refused(
      `the backup packs ${archived.packs} in a way that this version does not read (${odd.name}): restore it with the version that made it`,
    )
}

/** Makes what packed rows need here: their table and its partitions, and partitions for rows that are not packed again. */
async function makeParts(sql: Sql, { archived, form, rows, upto }: PackedTable): Promise<void> {
  const rel = tableName(rows)
  await sql`select ts.create_packed(${rel}::text::regclass)`
  const bounds =
    form === 'packed'
      ? parts(sql, archived)
      : sql`(select distinct c.span as since, c.ends as upto from ${parts(sql, archived)},
          lateral ts.chunks_between(${rel}::text::regclass, p.since, p.upto) c) p`
  await sql`select ts.attach_packed(${rel}::text::regclass, p.since, p.upto) from ${bounds}
    where p.upto <= ${upto}::timestamptz order by p.since`
  await sql`select ts.ensure_partitions(${rel}::text::regclass, p.since) from ${bounds} where p.upto > ${upto}::timestamptz`
}

/**
 * Stores a chunk of packed rows and, in the same transaction, that they are stored and the sum of the rows that they
 * were packed from. Returns this sum; null: they are stored as they are.
 */
export async function loadPacked(
  session: SnapshotSession,
  packed: PackedTable,
  seq: number,
  text: Uint8Array,
): Promise<LineSum | null> {
  const { archived, form, rows, definition } = packed
  const columns = names(archived)
  return await inTransaction(session, async () => {
    if (form === 'packed') {
      await session.unsafe(`copy ${quoted(archived.schema, archived.table)} (${columns}) from stdin`, [], {
        copy: text,
      })
      await session`insert into public.restore_done (seq) values (${seq})`
      return null
    }
    const rel = tableName(rows)
    const staging = await makeStaging(session, archived, definition)
    await session.unsafe(`copy ${staging} (${columns}) from stdin`, [], { copy: text })
    const [sql] = await session<{ unpack: string; all: string; bin: string }[]>`
      select ts.unpack_sql(s.rel, ${staging}) as unpack, ts.columns_of(s.rel) as all,
        format('date_bin(%L, %I, %L)', g.width, s.time_col, g.origin) as bin
      from ts.series s, ts.chunk_grid(s.rel) g where s.rel = ${rel}::text::regclass`
    if (sql === undefined) throw refused(`${rel} is not a series here`)
    const sum = form === 'rows' ? await storeRows(session, rows, sql) : await storeCut(session, packed, sql)
    await session`insert into public.restore_done (seq, name, rows, a, b)
      values (${seq}, ${rel}, ${sum.rows}, ${sum.a}, ${sum.b})`
    return sum
  })
}

interface Unpacking {
  /** The query that unpacks, and all columns that it gives besides the span. */
  readonly unpack: string
  readonly all: string
  /** The start of a row's chunk. */
  readonly bin: string
}

async function storeRows(session: SnapshotSession, rows: ArchivedTable, { unpack, all }: Unpacking): Promise<LineSum> {
  // What came late, beside its packed chunk, is there already.
  const insert = `insert into ${quoted(rows.schema, rows.table)} (${all}) select ${all} from (${unpack}) x
    on conflict do nothing returning ${names(rows)}`
  return await sumQuery(session, insert)
}

async function storeCut(
  session: SnapshotSession,
  { rows, upto }: PackedTable,
  { unpack, all, bin }: Unpacking,
): Promise<LineSum> {
  await session.unsafe(
    `create temporary table cut on commit drop as select ${all}, ${bin} as pack_cut from (${unpack}) x`,
  )
  const sum = await sumQuery(session, `select ${names(rows)} from cut`)
  await session`select ts.store_cut(${tableName(rows)}::text::regclass, ${upto}::timestamptz)`
  return sum
}

/** The parts of a table of packed rows here, to read back as the rows that they were packed from. */
export async function unpackedShares(sql: Sql, { rows, form }: PackedTable): Promise<readonly SnapshotShare[]> {
  if (form !== 'cut') return []
  const found = await sql<{ source: string }[]>`
    select format('(%s) x', ts.unpack_sql(s.rel, i.inhrelid::regclass::text)) as source
    from ts.series s join pg_catalog.pg_inherits i on i.inhparent = s.packed where s.rel = ${tableName(rows)}::text::regclass`
  return found.map(({ source }) => ({ table: rows, from: null, to: null, source }))
}

async function sumQuery(session: SnapshotSession, query: string): Promise<LineSum> {
  let sum = NO_LINES
  for await (const text of copyQuery(session, query, SUM_OCTETS)) sum = addSums(sum, sumLines(text))
  return sum
}

/** An empty temporary table of packed rows, which is emptied at the end of each transaction. Returns its name as SQL. */
async function makeStaging(sql: Sql, { table }: ArchivedTable, definition: string): Promise<string> {
  await sql.unsafe(`create temporary table if not exists ${quoted(table)} (${definition}) on commit delete rows`)
  return quoted('pg_temp', table)
}

function names({ columns }: ArchivedTable): string {
  return columns.map(({ name }) => quoted(name)).join(', ')
}
