import { slices } from '../../lib/slices.ts'
import type { Tx } from '../database/client.ts'
import { type Columns, int4, int8, type Value, type Values } from './columns.ts'

export type { Tx }

/** Runs SQL built from our own constants; the server plans each text once per connection. */
export function statement<T extends readonly object[]>(tx: Tx, sql: string, parameters: readonly (string | number)[]) {
  return tx.unsafe<T & object[]>(sql, [...parameters], { prepare: true })
}

const quoted = (name: string) => `"${name}"`

/** `x("ifName" text, "ifMtu" int4, …)`, the column definition list for jsonb_to_recordset. */
function shape(columns: Columns): string {
  return `x(${Object.entries(columns)
    .map(([name, type]) => `${quoted(name)} ${type.sql}`)
    .join(', ')})`
}

/** Maximum rows of a statement; the text of more would take up too much of the server's memory. */
const MAX_STATEMENT_ROWS = 1000

/**
 * Inserts rows of one device, a thousand per statement, and returns their ids in the order of the rows. Names of
 * tables, ids and columns are our own constants, never external input. Missing members become null. `owner` is the
 * device column if it is not `device_id`.
 */
export async function insertRows(
  tx: Tx,
  into: { readonly table: string; readonly id: string; readonly columns: Columns; readonly owner?: string },
  deviceId: number,
  rows: readonly Values[],
): Promise<readonly number[]> {
  const names = Object.keys(into.columns).map(quoted)
  const numbered = { ...into.columns, row_number: int4 }
  const ids: number[] = []
  for (const some of slices(rows, MAX_STATEMENT_ROWS)) {
    // nextval in the order of the rows, so that ids ascend with them and can be told apart without a natural key.
    const result = await statement<{ id: number }[]>(
      tx,
      `insert into ${quoted(into.table)} (${into.owner ?? 'device_id'}, ${names.join(', ')})
       select $1, ${names.join(', ')} from jsonb_to_recordset($2::text::jsonb) as ${shape(numbered)} order by row_number
       returning ${quoted(into.id)} as id`,
      [deviceId, JSON.stringify(some.map((row, i) => ({ ...row, row_number: i })))],
    )
    ids.push(...result.map(({ id }) => id).sort((a, b) => a - b))
  }
  return ids
}

/** Updates columns of rows by id, a thousand per statement. Every row must have all of the columns. */
export async function updateRows(
  tx: Tx,
  into: { readonly table: string; readonly id: string; readonly columns: Columns },
  rows: readonly { readonly id: number; readonly values: Values }[],
): Promise<void> {
  const names = Object.keys(into.columns)
  const sets = names.map((name) => `${quoted(name)} = x.${quoted(name)}`).join(', ')
  for (const some of slices(rows, MAX_STATEMENT_ROWS)) {
    await statement(
      tx,
      `update ${quoted(into.table)} t set ${sets}
       from jsonb_to_recordset($1::text::jsonb) as ${shape({ row_id: int8, ...into.columns })}
       where t.${quoted(into.id)} = x.row_id`,
      [JSON.stringify(some.map(({ id, values }) => ({ row_id: id, ...values })))],
    )
  }
}

/** Removes rows by id. */
export async function deleteRows(
  tx: Tx,
  from: { readonly table: string; readonly id: string },
  ids: readonly number[],
) {
  if (ids.length === 0) return
  await statement(tx, `delete from ${quoted(from.table)} where ${quoted(from.id)} = any($1::int[])`, [
    `{${ids.join(',')}}`,
  ])
}

/** Whether both are the same value to the database. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  return (a ?? null) === (b ?? null)
}
