import type { Level } from './window.ts'

/**
 * The longest chunk of each level, as SQL: how long before a row the chunk that holds it may begin. In hours, because days
 * of the session's time zone may have 23.
 */
const CHUNK: Readonly<Record<Level, string>> = { samples: '168 hours', '1h': '672 hours', '1d': '8736 hours' }

/**
 * The rows of a series in whichever form they are stored, as SQL to select from. Every reader of history goes through
 * this: rows are read as they are, packed ones only of chunks that can have rows from `from` to `to` (SQL expressions of
 * instants). The caller's own condition on the time stays necessary.
 */
export function storedRows(base: string, level: Level, from: string, to: string): string {
  return `(select * from ts.${base}_${level}_stored where ${inChunks('span', level, from, to)})`
}

/** The condition on the span of a row for `storedRows`, where the view is joined. */
export function inChunks(span: string, level: Level, from: string, to: string): string {
  return `(${span} is null or (${span} > ${from} - interval '${CHUNK[level]}' and ${span} <= ${to}))`
}
