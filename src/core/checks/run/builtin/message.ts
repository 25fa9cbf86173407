import type { CheckStatus } from '../result.ts'

const STATUS = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const

/** The beginning of a result's message: `HTTPS OK`. */
export function answerOf(type: string, status: CheckStatus): string {
  return `${type.toUpperCase()} ${STATUS[status]}`
}

/** Seconds since a `performance.now()`, to the microsecond. */
export function secondsSince(began: number): number {
  return Math.round((performance.now() - began) * 1000) / 1e6
}
