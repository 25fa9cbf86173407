import { durationsOf } from '../../observe/figures.ts'
import type { Metric } from '../../observe/metrics.ts'

const BOUNDS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

const times = durationsOf('portlight_database_statement_duration_seconds', BOUNDS_S)

const CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    select: 'select',
    with: 'with',
    insert: 'insert',
    update: 'update',
    delete: 'delete',
    copy: 'copy',
    begin: 'transaction',
    commit: 'transaction',
    rollback: 'transaction',
    savepoint: 'transaction',
    release: 'transaction',
  }),
)

/** Class of a statement by its first word. Called for every statement, so it does without a regular expression. */
export function statementClass(text: string): string {
  let start = 0
  while (text.charCodeAt(start) <= SPACE) start++
  let end = start
  while (isLetter(text.charCodeAt(end))) end++
  const word = text.slice(start, end)
  return CLASSES.get(word) ?? CLASSES.get(word.toLowerCase()) ?? 'other'
}

const SPACE = 0x20
const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

/**
 * Counts a statement of this thread: its text, milliseconds from sending to answer, and whether it succeeded. Undefined:
 * the driver refused a value and sent nothing.
 */
export function countStatement(text: string | undefined, tookMs: number, succeeded: boolean): void {
  if (text === undefined) return
  times.observe(tookMs / 1000, statementClass(text), succeeded ? 'ok' : 'failed')
}

/** Durations of the statements of this thread, all connections together. */
export const statementMetrics = (): Metric[] => times.metrics()
