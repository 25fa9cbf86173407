import type { Sql, Store, Tx } from '../../database/client.ts'
import { toStoreError } from '../../database/errors.ts'
import { integers } from '../../database/pg-array.ts'
import type { PastHour } from '../../rules/over/learned.ts'
import type { Learns } from '../../rules/over/learns.ts'
import { type Measure, measureOfLine } from '../../rules/over/measures.ts'
import { hourOfWeek } from '../../rules/over/read-over.ts'
import { inChunks } from '../../series/stored-rows.ts'
import { appliesSql } from '../write-evaluation.ts'

/** What is usual is learned from so many weeks, and a trend from so many days. */
export const LEARNED_WEEKS = 8
export const TREND_DAYS = 30

/** The store, or a transaction of it. */
interface Reader {
  readonly sql: Sql | Tx
}

/** Runs reads for at most `timeoutMs`; null: they take longer. Throws StoreError. */
export async function withinTime<T>(
  { sql }: Store,
  timeoutMs: number,
  work: (reader: Reader) => Promise<T>,
): Promise<T | null> {
  try {
    return (await sql.begin('read only', async (tx) => {
      await tx`select set_config('statement_timeout', ${String(Math.trunc(timeoutMs))}, true)`
      return await work({ sql: tx })
    })) as T
  } catch (error) {
    if (toStoreError(error).code === '57014') return null
    throw error
  }
}

/** A rule without its conditions over time, as SQL: the things that it may concern. */
export interface Concerned {
  readonly from: string
  readonly where: string
  readonly params: readonly string[]
  /** The stored rule; null: any device. */
  readonly rule: { readonly id: number; readonly mapped: boolean; readonly invertMap: boolean } | null
}

/** A thing and its device. */
export interface BaselineSubject {
  readonly id: number
  readonly device_id: number
}

/** Statement for the things of a rule and their devices. */
export const things = ({ from, where, rule }: Concerned, { table, id }: Learns, join: string, more: string) =>
  `select distinct "${table}"."${id}" as id, "devices".device_id from ${from} ${join}
     where ${rule === null ? 'true' : appliesSql(rule, 'devices')} and ${where} ${more}`

/** Things that a rule may concern, at most `most`, of devices (null: any). */
export async function concernedThings(
  { sql }: Reader,
  concerned: Concerned,
  learns: Learns,
  { most, devices }: { readonly most: number; readonly devices: readonly number[] | null },
): Promise<BaselineSubject[]> {
  const params = devices === null ? concerned.params : [...concerned.params, integers(devices)]
  const only = devices === null ? '' : `and "devices".device_id = any($${params.length}::text::int[])`
  return await sql.unsafe<BaselineSubject[]>(
    `${things(concerned, learns, '', only)} order by 1 limit ${Math.trunc(most)}`,
    [...params],
  )
}

/** The value of a line. Throws Error if there is none, which no parsed rule has. */
function measureFor({ kind, line }: Pick<Learns, 'kind' | 'line'>): Measure {
  const measure = measureOfLine(kind, line)
  if (measure === null) throw new Error(`no measure ${kind} ${line}`)
  return measure
}

/** Past rows by thing: averages of hours or days, `hour` is that of the week. Unknown ones are left out. */
async function past(
  { sql }: Reader,
  learns: Pick<Learns, 'kind' | 'line'>,
  ids: readonly number[],
  level: '1h' | '1d',
  days: number,
): Promise<Map<number, PastHour[]>> {
  const { kind, key, rolled } = measureFor(learns)
  const from = `now() - interval '${days * 24} hours'`
  const rows = await sql.unsafe<(PastHour & { id: number })[]>(
    `select s.${key} as id, extract(epoch from s.bucket)::float8 as at, ${hourOfWeek('s.bucket')} as hour, (${rolled})::float8 as value
     from ts.${kind}_${level}_stored s
     where s.${key} = any($1::text::int[]) and s.bucket >= ${from} and ${inChunks(kind, 's.span', level, from, 'now()')}
       and (${rolled}) is not null`,
    [integers(ids)],
  )
  return Map.groupBy(rows, ({ id }) => id)
}

/** The hours of the last weeks by thing. */
export const pastHours = (reader: Reader, learns: Pick<Learns, 'kind' | 'line'>, ids: readonly number[]) =>
  past(reader, learns, ids, '1h', LEARNED_WEEKS * 7)

/** The days of the last month by thing. */
export const pastDays = (reader: Reader, learns: Pick<Learns, 'kind' | 'line'>, ids: readonly number[]) =>
  past(reader, learns, ids, '1d', TREND_DAYS)
