import type { Sql } from '../database/client.ts'
import type { ImportTx } from './write-tables.ts'

/** How far the import of an object has got. */
export interface JournalEntry {
  readonly object: string
  readonly uptoId: number | null
  /** Epoch seconds. */
  readonly uptoS: number | null
  readonly octets: number | null
  readonly rows: number
}

/** All marks of a source by object. */
export async function readJournal(sql: Sql | ImportTx, source: string): Promise<ReadonlyMap<string, JournalEntry>> {
  const rows = await sql<
    { object: string; id: number | null; s: number | null; octets: number | null; rows: number }[]
  >`
    select object, upto_id as id, extract(epoch from upto)::float8 as s, octets, rows from import_marks where source = ${source}`
  return new Map(
    rows.map((row) => [
      row.object,
      { object: row.object, uptoId: row.id, uptoS: row.s, octets: row.octets, rows: Number(row.rows) },
    ]),
  )
}

/** Stores marks; `rows` is added to that of the previous mark. */
export async function writeJournal(tx: ImportTx, source: string, journal: readonly JournalEntry[]): Promise<void> {
  if (journal.length === 0) return
  await tx`
    insert into import_marks (source, object, upto_id, upto, octets, rows)
    select ${source}, x.object, x."uptoId", to_timestamp(x."uptoS"), x.octets, x.rows
    from jsonb_to_recordset(${JSON.stringify(journal)}::text::jsonb)
      as x(object text, "uptoId" int8, "uptoS" float8, octets int8, rows int8)
    on conflict (source, object) do update set upto_id = excluded.upto_id, upto = excluded.upto, octets = excluded.octets,
      rows = import_marks.rows + excluded.rows, updated = now()`
}

/** Ids that rows of a source's table were given here, for those that still exist. */
export async function readIds(
  sql: Sql | ImportTx,
  source: string,
  table: string,
): Promise<ReadonlyMap<number, number>> {
  const rows = await sql<{ from: number; to: number }[]>`
    select source_id as from, target_id as to from import_ids where source = ${source} and table_name = ${table}`
  return new Map(rows.map(({ from, to }) => [Number(from), Number(to)]))
}

export async function writeIds(
  tx: ImportTx,
  source: string,
  table: string,
  ids: readonly (readonly [from: number, to: number])[],
): Promise<void> {
  for (let i = 0; i < ids.length; i += 50_000) {
    const some = ids.slice(i, i + 50_000)
    await tx`
      insert into import_ids (source, table_name, source_id, target_id)
      select ${source}, ${table}, f, t from unnest(${`{${some.map(([from]) => from).join()}}`}::text::bigint[],
        ${`{${some.map(([, to]) => to).join()}}`}::text::bigint[]) u(f, t) on conflict do nothing`
  }
}

/** A killed process holds its lock until the server notices that it is gone. */
const LOCK_WAIT_MS = 15_000

/**
 * Keeps other processes from importing from this source until the returned function is called; null: one is importing.
 */
export async function lockSource(sql: Sql, source: string): Promise<(() => Promise<void>) | null> {
  const own = await sql.reserve()
  const until = performance.now() + LOCK_WAIT_MS
  for (;;) {
    const [row] = await own<{ locked: boolean }[]>`
      select pg_try_advisory_lock(${IMPORT_LOCK}, hashtext(${source})) as locked`
    if (row?.locked === true) break
    if (performance.now() > until) {
      own.release()
      return null
    }
    await Bun.sleep(200)
  }
  return async () => {
    await own`select pg_advisory_unlock(${IMPORT_LOCK}, hashtext(${source}))`.catch(() => undefined)
    own.release()
  }
}

const IMPORT_LOCK = 0x696d70
