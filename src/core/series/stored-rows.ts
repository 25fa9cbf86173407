import { KINDS, type KindName } from '../../series/kinds.ts'
import type { Level } from './window.ts'

/**
 * The longest chunk of roll-ups, as SQL: how long before a row the chunk that holds it may begin. In hours, because days
 * of the session's time zone may have 23.
 */
const ROLLED: Readonly<Record<Exclude<Level, 'samples'>, string>> = { '1h': '672 hours', '1d': '8736 hours' }

/** The same of a kind's samples. */
const SAMPLES = { '1 day': '24 hours', '7 days': '168 hours' } as const

/**
 * The rows of a series in whichever form they are stored, as SQL to select from. Every reader of history goes through
 * this: rows are read as they are, packed ones only of chunks that can have rows from `from` to `to` (SQL expressions of
 * instants). The caller's own condition on the time stays necessary.
 */
export function storedRows(base: string, level: Level, from: string, to: string): string {
  return `(select * from ts.${base}_${level}_stored where ${inChunks(base, 'span', level, from, to)})`
}

/** The condition on the span of a row for `storedRows`, where the view is joined. */
export function inChunks(base: string, span: string, level: Level, from: string, to: string): string {
  const longest =
    level === 'samples' ? SAMPLES[Object.hasOwn(KINDS, base) ? KINDS[base as KindName].chunk : '7 days'] : ROLLED[level]
  // A span of time is subtracted from a time without a zone only: that gives a constant where the planner looks for the
  // partitions, and with a zone it would plan all of them.
  return `(${span} is null or (${span} > (((${from}) at time zone 'UTC') - interval '${longest}') at time zone 'UTC' and ${span} <= ${to}))`
}
