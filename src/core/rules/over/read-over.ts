import { ZONE } from '../../database/zone.ts'
import { inChunks } from '../../series/stored-rows.ts'
import type { Measure } from './measures.ts'
import type { Over } from './over.ts'

/**
 * What a condition over time joins: a row for the thing with what its history says, in columns named after the field.
 * Both forms give the same; `each` reads the history of one thing after the other, `whole` that of all things at once.
 */
export interface OverJoin {
  readonly alias: string
  readonly each: string
  readonly whole: string
}

/** A value counts for the time since the one before it, but for no longer than this, seconds. */
const GAP_S = 1200
/** Times longer than this are read from the roll-ups of hours, seconds. */
const SAMPLES_S = 6 * 3600
/** Hours are rolled up this long after they have ended, at most, seconds. */
const HOURS_LATE_S = 3 * 3600
/** Part of the time for which values must be known, or the comparison true: polls are not exactly as far apart as asked. */
const NEARLY = 0.95
/** Part of the time for which values must be known for an average. */
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
  /** The field's value now, as SQL of the rule. */
  readonly now: string
  /** Name of the field without its table, for the columns. */
  readonly column: string
  readonly alias: string
  /** The comparison of VALUE as SQL; null for all but `held`. */
  readonly compare: string | null
  /** `greater` and the like: of `forecast` only. */
  readonly upwards: boolean
}

/** The joins of a condition and its expression: a value to compare, or the condition itself. */
export interface OverSql {
  readonly join: OverJoin
  readonly expression: { readonly kind: 'value' | 'condition'; readonly sql: string }
  /** Columns that the fault shows, `alias.column`. */
  readonly shown: readonly string[]
}

export function overSql(over: Over, condition: OverCondition): OverSql {
  const { alias, column } = condition
  const at = (name: string) => `"${alias}"."${column}_${name}"`
  const made = (
    parts: { readonly each: string; readonly whole: string },
    kind: 'value' | 'condition',
    sql: string,
    shown: string,
  ): OverSql => ({
    join: { alias, ...parts },
    expression: { kind, sql },
    shown: [`${alias}.${column}_${shown}`],
  })
  switch (over.kind) {
    case 'held': {
      const seconds = `coalesce(sum(w.covers) filter (where w.hit), 0) as "${column}_held_s"`
      return made(
        joins(condition, over.ofS, seconds),
        'condition',
        `(${at('held_s')} >= ${over.forS * NEARLY})`,
        'held_s',
      )
    }
    case 'average':
    case 'lowest':
    case 'highest': {
      const sql = over.kind === 'average' ? AVERAGE : over.kind === 'lowest' ? 'min(w.least)' : 'max(w.most)'
      const known = `sum(w.covers) filter (where w.v is not null) >= ${over.ofS * KNOWN}`
      const columns = `case when ${known} then ${sql} end as "${column}_${over.kind}"`
      return made(joins(condition, over.ofS, columns), 'value', at(over.kind), over.kind)
    }
    case 'no_data': {
      const newest = `max(w.at) filter (where w.v is not null) as "${column}_newest"`
      const from = `now() - interval '${over.ofS} seconds'`
      const parts = plainJoins(condition, newest, (form) => rowsOf(condition, 'samples', form, from))
      return made(parts, 'condition', `(${at('newest')} is null)`, 'newest')
    }
    case 'change':
      return made(changeJoins(condition, over.ofS), 'value', `(${condition.now} - ${at('before')})`, 'before')
    case 'forecast': {
      const then = `(${condition.now} + ${at('per_day')} * ${over.ofS / 86_400})`
      const sql = `${condition.upwards ? 'greatest' : 'least'}(${condition.now}, ${then})`
      // unknown as long as nothing is known about how it changes
      return made(learnedJoins(condition), 'value', `case when ${at('per_day')} is not null then ${sql} end`, 'per_day')
    }
    case 'unusual': {
      const { join } = unusual(condition)
      return {
        join,
        expression: { kind: 'value', sql: at('spreads') },
        shown: [`${alias}.${column}_average`, `${alias}.${column}_usual`],
      }
    }
  }
}

type Level = 'samples' | '1h'

/** For one thing, the rule's own, or for all things. */
type Form = 'each' | 'whole'

/** Rows of history of a measure: `over_id`, `at`, `v`, `weight`, `least`, `most` and `hit`. */
function rowsOf({ measure, compare }: OverCondition, level: Level, form: Form, from: string, to = 'now()'): string {
  const { kind, key, factor, table, id } = measure
  const isHour = level === '1h'
  const time = isHour ? 's.bucket' : 's."time"'
  const times = (sql: string) => `(${sql}${factor === null ? '' : ` * ${factor}`})::float8`
  const value = isHour ? measure.rolled : measure.sample
  // of all things at once: the columns that the value is compared with come from their own tables
  const needed = form === 'whole' && (factor !== null || compare !== null)
  const tables = needed ? ` ${subjects(measure, `s.${key}`)}` : ''
  const own = form === 'each' ? `s.${key} = "${table}"."${id}" and ` : ''
  return `select s.${key} as over_id, ${isHour ? `s.bucket + interval '1 hour'` : 's."time"'} as at, q.v,
      (${isHour ? measure.rolledWeight : measure.sampleWeight})::float8 as weight,
      ${isHour ? times(measure.rolledLeast) : 'q.v'} as least, ${isHour ? times(measure.rolledMost) : 'q.v'} as most,
      (${compare ?? 'false'}) as hit
    from ts.${kind}_${level}_stored s${tables} cross join lateral (select ${times(value)} as v) q
    where ${own}${time} > ${from} and ${time} <= ${to} and ${inChunks(kind, 's.span', level, from, to)}`
}

/** The things of a measure and their devices, under the names that the rule has for them. */
function subjects({ table, id }: Measure, key: string): string {
  const device = `join devices "devices" on "devices".device_id = ${table === 'devices' ? key : `"${table}".device_id`}`
  return table === 'devices' ? device : `join "${table}" on "${table}"."${id}" = ${key} ${device}`
}

/** The rows in the time before the newest known one, each with the seconds that it counts for. */
function covering(condition: OverCondition, ofS: number, form: Form): string {
  const isLong = ofS > SAMPLES_S
  const lookS = ofS + (isLong ? HOURS_LATE_S : 2 * GAP_S)
  const rows = rowsOf(condition, isLong ? '1h' : 'samples', form, `now() - interval '${lookS} seconds'`)
  const gap = `interval '${GAP_S} seconds'`
  const of = `interval '${ofS} seconds'`
  const covers = isLong
    ? '3600.0::float8'
    : `case when x.before is null then 0 else extract(epoch from x.at - greatest(x.before, x.at - ${gap}, x.newest - ${of}))::float8 end`
  const late = isLong ? `interval '${HOURS_LATE_S} seconds'` : gap
  return `select x.*, ${covers} as covers from (
      select r.*, lag(r.at) over (partition by r.over_id order by r.at) as before,
        max(r.at) filter (where r.v is not null) over (partition by r.over_id) as newest from (${rows}) r) x
    where x.newest > now() - ${late} and x.at > x.newest - ${of}`
}

function joins(condition: OverCondition, ofS: number, columns: string) {
  return plainJoins(condition, columns, (form) => covering(condition, ofS, form))
}

/** Both joins of aggregates over rows `w`. */
function plainJoins(condition: OverCondition, columns: string, rows: (form: Form) => string) {
  const { alias, measure } = condition
  return {
    each: `left join lateral (select ${columns} from (${rows('each')}) w) "${alias}" on true`,
    whole: `left join (select w.over_id, ${columns} from (${rows('whole')}) w group by w.over_id) "${alias}" on "${alias}".over_id = "${measure.table}"."${measure.id}"`,
  }
}

/** The value about `ofS` ago: the newest one known then, which is at most GAP_S older, or of the hour then. */
function changeJoins(condition: OverCondition, ofS: number) {
  const { column } = condition
  const isLong = ofS > SAMPLES_S
  const then = `now() - interval '${ofS} seconds'`
  const from = `${then} - interval '${isLong ? HOURS_LATE_S : GAP_S} seconds'`
  const before = `(array_agg(w.v order by w.at desc) filter (where w.v is not null and w.at <= ${then} + interval '${isLong ? 3600 : 60} seconds'))[1] as "${column}_before"`
  const to = `${then} + interval '60 seconds'`
  return plainJoins(condition, before, (form) => rowsOf(condition, isLong ? '1h' : 'samples', form, from, to))
}

const LEARNED = 'learned_values'
const learnedOf = ({ kind, line }: Measure) => `l.kind = '${kind}' and l.line = '${line}'`

/** How much it changes in a day, as learned. */
function learnedJoins(condition: OverCondition) {
  const { alias, column, measure } = condition
  const value = `l.per_day${measure.factor === null ? '' : ` * ${measure.factor}`} as "${column}_per_day"`
  const own = `"${measure.table}"."${measure.id}"`
  const tables = measure.factor === null ? '' : subjects(measure, 'l.subject_id')
  return {
    each: `left join lateral (select ${value} from ${LEARNED} l where ${learnedOf(measure)} and l.subject_id = ${own}) "${alias}" on true`,
    whole: `left join (select l.subject_id as over_id, ${value} from ${LEARNED} l ${tables} where ${learnedOf(measure)}) "${alias}" on "${alias}".over_id = ${own}`,
  }
}

/** The average of the last hour, what is usual at that hour of the week, and their distance in spreads. */
function unusual(condition: OverCondition): { readonly join: OverJoin } {
  const { alias, column, measure } = condition
  const { factor } = measure
  const known = `sum(w.covers) filter (where w.v is not null) >= ${UNUSUAL_OVER_S * KNOWN}`
  const hour = hourOfWeek(`(max(w.newest) - interval '30 minutes')`)
  const one = (form: Form, id: string) =>
    `select ${id} case when ${known} then ${AVERAGE} end as average, ${hour} as hour from (${covering(condition, UNUSUAL_OVER_S, form)}) w`
  const times = factor === null ? '' : ` * ${factor}`
  const columns = `a.average as "${column}_average", l.usual[a.hour]${times} as "${column}_usual",
      (a.average - l.usual[a.hour]${times}) / nullif(l.spread[a.hour]${times}, 0) as "${column}_spreads"`
  const own = `"${measure.table}"."${measure.id}"`
  const tables = factor === null ? '' : subjects(measure, 'a.over_id')
  return {
    join: {
      alias,
      each: `left join lateral (select ${columns} from (${one('each', '')}) a
          join ${LEARNED} l on ${learnedOf(measure)} and l.subject_id = ${own}) "${alias}" on true`,
      whole: `left join (select a.over_id, ${columns} from (${one('whole', 'w.over_id,')} group by w.over_id) a
          join ${LEARNED} l on ${learnedOf(measure)} and l.subject_id = a.over_id ${tables}) "${alias}" on "${alias}".over_id = ${own}`,
    },
  }
}
