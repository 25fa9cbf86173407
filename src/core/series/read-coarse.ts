import { hasCounters, type SampleKind } from '../../series/kind.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { storedRows } from './stored-rows.ts'

const REMEMBER_MS = 60_000
const known = new WeakMap<Store, { at: number; upto: Promise<ReadonlyMap<string, number>> }>()

/**
 * Up to when imported history of a kind may have days without hours, epoch seconds; cached for a minute. 0: none has.
 */
export async function coarseUpto(store: Store, base: string): Promise<number> {
  let entry = known.get(store)
  if (entry === undefined || performance.now() - entry.at > REMEMBER_MS) {
    entry = { at: performance.now(), upto: readUpto(store) }
    known.set(store, entry)
    entry.upto.catch(() => known.delete(store))
  }
  return (await entry.upto).get(base) ?? 0
}

async function readUpto({ sql }: Store): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<
    { base: string; s: number }[]
  >`select base, extract(epoch from upto)::float8 as s from ts.coarse`
  return new Map(rows.map(({ base, s }) => [base, s]))
}

/**
 * The hours of these subjects as SQL to select from. Before `uptoS` a day without hours stands for 24 equal ones.
 * `fromS` and `toS`: the range of hours, epoch seconds. `all`: the stored hours and those that are not rolled up yet.
 */
export function hoursSql(
  { name, key, columns }: Pick<SampleKind, 'name' | 'key' | 'columns'>,
  ids: readonly number[],
  fromS: number,
  toS: number,
  uptoS: number,
  all: string,
): string {
  const endS = Math.min(toS, uptoS)
  if (!(fromS < endS)) return all
  const counters = hasCounters(columns)
  const list = `'${integers(ids)}'::int[]`
  const hour = columns.map(({ name: c }) => `"${c}"::float8 as "${c}", "${c}_min", "${c}_max"`)
  const part = columns.map(
    ({ name: c, role }) =>
      `${role === 'gauge' ? `d."${c}"::float8` : `d."${c}" / 24.0::float8`}, d."${c}_min", d."${c}_max"`,
  )
  const period = counters ? 'period_ms::float8 as period_ms, ' : ''
  const known = counters
    ? '(select array_agg(k / 24.0::float8 order by o) from unnest(d.known) with ordinality u(k, o))'
    : 'd.known::float8[]'
  return `(select bucket, ${key}, n, ${period}known::float8[] as known, ${hour.join(', ')} from ${all} a
      where ${key} = any(${list}) and bucket >= to_timestamp(${fromS}) and bucket < to_timestamp(${toS})
    union all select d.bucket + i * interval '1 hour', d.${key}, d.n, ${counters ? 'd.period_ms / 24.0::float8, ' : ''}${known}, ${part.join(', ')}
    from ${storedRows(name, '1d', `to_timestamp(${fromS})`, `to_timestamp(${endS})`)} d, generate_series(0, 23) i
    where d.${key} = any(${list}) and d.bucket > to_timestamp(${fromS}) - interval '1 day' and d.bucket < to_timestamp(${endS})
      and not exists (select from ${storedRows(name, '1h', `to_timestamp(${fromS}) - interval '1 day'`, `to_timestamp(${endS})`)} h
        where h.${key} = d.${key} and h.bucket >= d.bucket and h.bucket < d.bucket + interval '1 day'))`
}
