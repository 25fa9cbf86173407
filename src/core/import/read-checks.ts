import type { Sql } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { storedRows } from '../series/stored-rows.ts'
import type { JsonRow, TargetTable } from './write-tables.ts'

/** How many of these ids a table has. */
export async function countPresent(sql: Sql, { name, id }: TargetTable, ids: readonly number[]): Promise<number> {
  let found = 0
  for (let i = 0; i < ids.length; i += 50_000) {
    const [row] = await sql.unsafe<{ n: number }[]>(
      `select count(*)::int as n from "${name}" where "${id}" = any('${integers(ids.slice(i, i + 50_000))}'::bigint[])`,
    )
    found += row?.n ?? 0
  }
  return found
}

/** All rows of a table that says what belongs to what. */
export async function allRows(sql: Sql, { name }: TargetTable): Promise<readonly JsonRow[]> {
  const rows = await sql.unsafe<{ row: JsonRow }[]>(`select to_jsonb(t) as row from public."${name}" t`)
  return rows.map(({ row }) => row)
}

/** Sums of a bill's traffic, of rows up to this instant (epoch ms), as text of whole numbers. */
export interface BillSums {
  readonly bill: number
  readonly delta: string
  readonly inDelta: string
  readonly outDelta: string
}

/** Sums of rows with ids up to `upto`, by bill. */
export async function billSums(sql: Sql, upto: number): Promise<readonly BillSums[]> {
  return await sql<BillSums[]>`
      select bill_id as bill, sum(delta)::text as delta, sum(in_delta)::text as "inDelta", sum(out_delta)::text as "outDelta"
      from bill_data where id <= ${upto} group by bill_id`
}

/** Rows of closed periods as JSON, by id. */
export async function closedPeriods(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, JsonRow>> {
  const rows = await sql<{ id: number; row: JsonRow }[]>`
      select bill_hist_id as id, to_jsonb(h) as row from bill_history h
      where bill_hist_id = any(${integers(ids)}::text::int[])`
  return new Map(rows.map(({ id, row }) => [id, row]))
}

/** Number of tokens of these ids that may be used. */
export async function usableTokens(sql: Sql, ids: readonly number[]): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from api_tokens where disabled = 0 and id = any(${integers(ids)}::text::int[])`
  return row?.n ?? 0
}

/** The newest instants of what was imported, epoch seconds; null: there is none. */
export async function newestTimes(
  sql: Sql,
): Promise<Readonly<Record<'bill_data' | 'eventlog' | 'device_outages', number | null>>> {
  const [row] = await sql<{ bill_data: number | null; eventlog: number | null; device_outages: number | null }[]>`
      select (select extract(epoch from max(timestamp))::float8 from bill_data) as bill_data,
        (select extract(epoch from max(datetime))::float8 from eventlog) as eventlog,
        (select max(greatest(going_down, up_again))::float8 from device_outages) as device_outages`
  return row ?? { bill_data: null, eventlog: null, device_outages: null }
}

/**
 * Octets received by a port in hours and days that begin in [from, to), or samples that end in (from, to]; epoch
 * seconds.
 */
export async function octetsBetween(
  sql: Sql,
  portId: number,
  level: 'samples' | '1h' | '1d',
  fromS: number,
  toS: number,
): Promise<number> {
  const within =
    level === 'samples'
      ? '"time" > to_timestamp($2) and "time" <= to_timestamp($3)'
      : 'bucket >= to_timestamp($2) and bucket < to_timestamp($3)'
  const [row] = await sql.unsafe<{ octets: number }[]>(
    `select coalesce(sum(in_octets), 0)::float8 as octets
     from ${storedRows('port', level, 'to_timestamp($2)', 'to_timestamp($3)')} s where port_id = $1 and ${within}`,
    [portId, fromS, toS],
  )
  return row?.octets ?? 0
}
