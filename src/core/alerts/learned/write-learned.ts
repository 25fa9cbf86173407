import type { Store } from '../../database/client.ts'
import type { Usual } from '../../rules/over/learned.ts'
import type { Learns, What } from '../../rules/over/learns.ts'
import { type BaselineSubject, type Concerned, things } from './read-past.ts'

/** It is learned again after this, hours. */
const AGAIN_H = 20
/** What no rule has asked for is deleted after this, days. */
const KEEP_DAYS = 8

const LEARNED_AT = { usual: 'usual_at', trend: 'trend_at', end: 'end_at' } as const

/** Things of a rule about which it has not been learned lately, at most `most`. */
export async function toLearn(
  { sql }: Store,
  concerned: Concerned,
  learns: Learns,
  most: number,
): Promise<BaselineSubject[]> {
  const { kind, line, what, table, id } = learns
  const at = LEARNED_AT[what]
  const join = `left join learned_values l on l.kind = '${kind}' and l.line = '${line}' and l.subject_id = "${table}"."${id}"`
  const stale = `and (l.${at} is null or l.${at} < now() - interval '${what === 'end' ? 1 : AGAIN_H} hours') limit ${Math.trunc(most)}`
  return await sql.unsafe<BaselineSubject[]>(things(concerned, learns, join, stale), [...concerned.params])
}

/** What the past says about a thing: what is usual for it, how it grows, or with what its period will end. */
export type Baseline = BaselineSubject &
  (
    | { readonly what: 'usual'; readonly learned: Usual }
    | { readonly what: 'trend'; readonly perDay: number | null }
    /** `ends`: epoch seconds. */
    | { readonly what: 'end'; readonly atEnd: number | null; readonly ends: number }
  )

/** A number as the column holds it, in 32 bits; null: unknown, or beyond what it holds. */
const stored = (value: number | null): number | null => {
  const held = value === null ? Number.NaN : Math.fround(value)
  return Number.isFinite(held) ? held : null
}

/** Stores what was learned. Things that are gone by now, and devices, are left out. */
export async function storeLearned(
  { sql }: Store,
  { kind, line }: Learns,
  baselines: readonly Baseline[],
): Promise<void> {
  if (baselines.length === 0) return
  const rows = baselines.map((baseline) => ({
    id: baseline.id,
    device_id: baseline.device_id,
    usual: baseline.what === 'usual' ? baseline.learned.usual.map(stored) : null,
    spread: baseline.what === 'usual' ? baseline.learned.spread.map((one) => stored(one) || null) : null,
    per_day: baseline.what === 'trend' ? baseline.perDay : null,
    at_end: baseline.what === 'end' ? baseline.atEnd : null,
    ends: baseline.what === 'end' ? baseline.ends : null,
  }))
  const what = baselines[0]?.what
  const set = {
    usual: sql`usual = excluded.usual, spread = excluded.spread, usual_at = excluded.usual_at`,
    trend: sql`per_day = excluded.per_day, trend_at = excluded.trend_at`,
    end: sql`at_end = excluded.at_end, ends = excluded.ends, end_at = excluded.end_at`,
  }[what ?? 'usual']
  const at = (one: What) => sql`case when ${what === one} then now() end`
  await sql`
    insert into learned_values (kind, line, subject_id, device_id, usual, spread, usual_at, per_day, trend_at, at_end, ends, end_at)
    select ${kind}, ${line}, x.id, x.device_id, x.usual, x.spread, ${at('usual')}, x.per_day, ${at('trend')}, x.at_end,
      to_timestamp(x.ends), ${at('end')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      x(id int, device_id int, usual real[], spread real[], per_day float8, at_end float8, ends float8)
      join devices d using (device_id)
    on conflict (kind, line, subject_id) do update set device_id = excluded.device_id, ${set}`
}

/** Deletes what has not been learned again, because no rule needs it or the thing is gone. */
export async function dropLearned({ sql }: Store): Promise<void> {
  await sql`delete from learned_values
    where coalesce(greatest(usual_at, trend_at, end_at), '-infinity') < now() - make_interval(days => ${KEEP_DAYS})`
}
