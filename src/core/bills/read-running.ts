import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { billingPeriod } from './period.ts'
import type { BilledBucket, RunningPeriod } from './period-end.ts'
import { BUCKETS } from './read-figures.ts'

const WEEK_S = 7 * 86_400

/** The current periods of these bills by bill, each with its end (epoch seconds). Buckets without known time are left out. */
export async function runningPeriods(
  { sql }: Store,
  billIds: readonly number[],
  nowS: number,
): Promise<ReadonlyMap<number, RunningPeriod & { readonly ends: number }>> {
  const bills = await sql<{ id: number; day: number; direction: 'in' | 'out' | 'agg' }[]>`
    select bill_id as id, bill_day as day, dir_95th as direction from bills where bill_id = any(${integers(billIds)}::text::int[])`
  const spans = bills.map(({ id, day }) => ({ id, ...billingPeriod(day, nowS) }))
  const rows = await sql.unsafe<(BilledBucket & { id: number; at: number })[]>(
    `select s.bill_id as id, extract(epoch from b."timestamp")::float8 as at, b.period::float8 as seconds,
       b.in_delta::float8 as in, b.out_delta::float8 as out
     from unnest($1::text::int[], $2::text::float8[], $3::text::float8[]) s(bill_id, f, t) cross join lateral (${BUCKETS}) b
     where b.period > 0`,
    [
      integers(spans.map(({ id }) => id)),
      `{${spans.map(({ fromS }) => Math.min(fromS, nowS - WEEK_S)).join()}}`,
      `{${spans.map(({ toS }) => toS).join()}}`,
    ],
  )
  const byBill = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    spans.map(({ id, fromS, toS }) => {
      const all = byBill.get(id) ?? []
      const direction = bills.find((bill) => bill.id === id)?.direction ?? 'in'
      const soFar = all.filter(({ at }) => at > fromS)
      const newest = soFar.reduce((last, { at }) => Math.max(last, at), fromS)
      const lastWeek = all.filter(({ at }) => at > nowS - WEEK_S)
      return [id, { soFar, lastWeek, leftS: Math.max(0, toS + 1 - newest), direction, ends: toS + 1 }]
    }),
  )
}
