import { ZONE } from '../../database/zone.ts'
import { inChunks } from '../../series/stored-rows.ts'
import type { Measure } from './measures.ts'
import type { Over } from './over.ts'

/** A value counts for the time since the one before it, but for no longer than this, seconds. */
const GAP_S = 1200
/** Times longer than this are read from the roll-ups of hours, seconds. */
const SAMPLES_S = 6 * 3600
/** Hours are rolled up this long after they have ended, at most, seconds. */
const HOURS_LATE_S = 3 * 3600
/** Part of the time for which a comparison must be true: polls are not exactly as far apart as asked. */
const NEARLY = 0.95
/** Part of the time for which values must be known. */
const KNOWN = 0.5
const UNUSUAL_OVER_S = 3600
const AVERAGE = 'sum(w.v * w.weight) / nullif(sum(w.weight) filter (where w.v is not null), 0)'

/** SQL of the hour of the week of an instant: 1 is Monday from 0:00 in the server's zone, 168 the last hour of Sunday. */
export function hourOfWeek(instant: string): string {
  const local = `(${instant} at time zone '${ZONE}')`
  return `((extract(isodow from ${local})::int - 1) * 24 + extract(hour from ${local})::int + 1)`
}

/** A value of history, in SQL. */
export const VALUE = 'q.v'

/** What the SQL of a condition needs to know. */
export interface OverCondition {
  readonly measure: Measure
  /** The field's value now, as SQL of the rule; of `change` and `forecast` only. */
  readonly now: string
  /** Name of the field without its table, for the columns. */
  readonly column: string
  readonly alias: string
  /** The comparison of VALUE as SQL; null for all but `held`. */
  readonly compare: string | null
  /** `greater` and the like: of `forecast` only. */
  readonly upwards: boolean
}

/**
 * SQL of a condition over time. `join`: one row for each thing of the rule, with what its history says in columns named
 * after the field; the history is read by its index, for the things alone that the rule's other tables leave. `expression`:
 * a value to compare, or the condition itself. `shown`: columns that a fault shows, `alias.column`.
 */
export interface OverSql {
  readonly alias: string
  readonly join: string
  readonly expression: { readonly kind: 'value' | 'condition'; readonly sql: string }
  readonly shown: readonly string[]
}

/** The value of `period_end`. */
export function periodEndSql(line: string, alias: string): OverSql {
  const name = `${line}_at_end`
  const rows = `select l.at_end as "${name}" from learned_values l
    where l.kind = 'bill' and l.line = '${line}' and l.subject_id = "bills".bill_id and l.ends > now()`
  return {
    alias,
    join: `left join lateral (${rows}) "${alias}" on true`,
    expression: { kind: 'value', sql: `"${alias}"."${name}"` },
    shown: [`${alias}.${name}`],
  }
}

export function overSql(over: Exclude<Over, { kind: 'period_end' }>, condition: OverCondition): OverSql {
  const { alias, column, now } = condition
  const named = (name: string) => `"${column}_${name}"`
  const at = (name: string) => `"${alias}".${named(name)}`
  const made = (rows: string, kind: 'value' | 'condition', sql: string, ...shown: string[]): OverSql => ({
    alias,
    join: `left join lateral (${rows}) "${alias}" on true`,
    expression: { kind, sql },
    shown: shown.map((name) => `${alias}.${column}_${name}`),
  })
  switch (over.kind) {
    case 'held': {
      const seconds = `coalesce(sum(w.covers) filter (where w.hit), 0) as ${named('held_s')}`
      const rows = `select ${seconds} from (${covering(condition, over.ofS)}) w`
      return made(rows, 'condition', `(${at('held_s')} >= ${over.forS * NEARLY})`, 'held_s')
    }
    case 'average':
    case 'lowest':
    case 'highest': {
      const value = { average: AVERAGE, lowest: 'min(w.least)', highest: 'max(w.most)' }[over.kind]
      const rows = `select case when ${knownFor(over.ofS)} then ${value} end as ${named(over.kind)}
        from (${covering(condition, over.ofS)}) w`
      return made(rows, 'value', at(over.kind), over.kind)
    }
    case 'no_data': {
      const from = `now() - interval '${over.ofS} seconds'`
      const rows = `select max(w.at) as ${named('newest')} from (${rowsOf(condition, 'samples', from)}) w where w.v is not null`
      return made(rows, 'condition', `(${at('newest')} is null)`, 'newest')
    }
    case 'change':
      return made(valueBefore(condition, over.ofS), 'value', `(${now} - ${at('before')})`, 'before')
    case 'forecast': {
      const then = `(${now} + ${at('per_day')} * ${over.ofS / 86_400})`
      const sql = `${condition.upwards ? 'greatest' : 'least'}(${now}, ${then})`
      const rows = `select l.per_day${times(condition.measure)} as ${named('per_day')} from ${learned(condition.measure)}`
      // unknown as long as it is not known how it changes
      return made(rows, 'value', `case when ${at('per_day')} is not null then ${sql} end`, 'per_day')
    }
    case 'unusual': {
      const hour = hourOfWeek(`(max(w.newest) - interval '30 minutes')`)
      const hours = `select case when ${knownFor(UNUSUAL_OVER_S)} then ${AVERAGE} end as average, ${hour} as hour
        from (${covering(condition, UNUSUAL_OVER_S)}) w`
      const factor = times(condition.measure)
      const rows = `select a.average as ${named('average')}, l.usual[a.hour]${factor} as ${named('usual')},
          (a.average - l.usual[a.hour]${factor}) / nullif(l.spread[a.hour]${factor}, 0) as ${named('spreads')}
        from (${hours}) a, ${learned(condition.measure)}`
      return made(rows, 'value', at('spreads'), 'average', 'usual')
    }
  }
}

const knownFor = (ofS: number) => `sum(w.covers) filter (where w.v is not null) >= ${ofS * KNOWN}`
const times = ({ factor }: Measure) => (factor === null ? '' : ` * ${factor}`)
const learned = ({ kind, line, table, id }: Measure) =>
  `learned_values l where l.kind = '${kind}' and l.line = '${line}' and l.subject_id = "${table}"."${id}"`

type Level = 'samples' | '1h'

/** Rows of history of the rule's thing: `at`, `v`, `weight`, `least`, `most` and `hit`; `from` excluded, `to` included. */
function rowsOf({ measure, compare }: OverCondition, level: Level, from: string, to = 'now()'): string {
  const { kind, key, table, id } = measure
  const isHour = level === '1h'
  const time = isHour ? 's.bucket' : 's."time"'
  const value = (sql: string) => `(${sql}${times(measure)})::float8`
  return `select ${isHour ? `s.bucket + interval '1 hour'` : 's."time"'} as at, q.v,
      (${isHour ? measure.rolledWeight : measure.sampleWeight})::float8 as weight,
      ${isHour ? value(measure.rolledLeast) : 'q.v'} as least, ${isHour ? value(measure.rolledMost) : 'q.v'} as most,
      (${compare ?? 'false'}) as hit
    from ts.${kind}_${level}_stored s
      cross join lateral (select ${value(isHour ? measure.rolled : measure.sample)} as v) q
    where s.${key} = "${table}"."${id}" and ${time} > ${from} and ${time} <= ${to}
      and ${inChunks(kind, 's.span', level, from, to)}`
}

/** The rows in the time before the newest known one, each with the seconds that it counts for. */
function covering(condition: OverCondition, ofS: number): string {
  const isLong = ofS > SAMPLES_S
  const lookS = ofS + (isLong ? HOURS_LATE_S : 2 * GAP_S)
  const rows = rowsOf(condition, isLong ? '1h' : 'samples', `now() - interval '${lookS} seconds'`)
  const gap = `interval '${GAP_S} seconds'`
  const of = `interval '${ofS} seconds'`
  const since = `greatest(x.before, x.at - ${gap}, x.newest - ${of})`
  const covers = isLong
    ? '3600.0::float8'
    : `case when x.before is null then 0 else extract(epoch from x.at - ${since})::float8 end`
  return `select x.*, ${covers} as covers from (
      select r.*, lag(r.at) over (order by r.at) as before,
        max(r.at) filter (where r.v is not null) over () as newest from (${rows}) r) x
    where x.newest > now() - ${isLong ? `interval '${HOURS_LATE_S} seconds'` : gap} and x.at > x.newest - ${of}`
}

/** The value about `ofS` ago: the newest one known then, which is at most GAP_S older, or of the hour then. */
function valueBefore(condition: OverCondition, ofS: number): string {
  const isLong = ofS > SAMPLES_S
  const then = `now() - interval '${ofS} seconds'`
  const from = `${then} - interval '${isLong ? HOURS_LATE_S : GAP_S} seconds'`
  const rows = rowsOf(condition, isLong ? '1h' : 'samples', from, `${then} + interval '60 seconds'`)
  return `select (array_agg(w.v order by w.at desc) filter (where w.v is not null))[1] as "${condition.column}_before"
    from (${rows}) w`
}
