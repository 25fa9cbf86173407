/**
 * A range as in the Monitoring Plugins: `10` means 0 to 10, `10:` at least 10, `~:10` at most 10, `10:20` 10 to 20;
 * values outside alert. `@10:20` alerts inside. Source: Monitoring Plugins Development Guidelines, "Threshold and
 * Ranges".
 */
export interface Range {
  readonly from: number
  readonly to: number
  readonly inside: boolean
  /** The range as written. */
  readonly text: string
}

const NUMBER = '[-+]?(?:\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30})(?:[eE][-+]?\\d{1,3})?'
const RANGE = new RegExp(`^(@?)(?:(~|${NUMBER})?:)?(${NUMBER})?$`)

/** Parses a range; null: the text is not a range. */
export function parseThresholdRange(text: string): Range | null {
  const match = RANGE.exec(text)
  if (match === null || text === '' || text === '@') return null
  const [, at, low, high] = match
  const from = low === '~' ? Number.NEGATIVE_INFINITY : Number(low ?? 0)
  const to = high === undefined ? Number.POSITIVE_INFINITY : Number(high)
  return from > to ? null : { from, to, inside: at === '@', text }
}

/** Whether the range alerts on the value; never for unknown values (NaN). */
export function alertsAt({ from, to, inside }: Range, value: number): boolean {
  if (Number.isNaN(value)) return false
  return inside === (value >= from && value <= to)
}

/** 2 if the critical range alerts, 1 if only the warning range does, otherwise 0. */
export function levelOf(value: number, warning: Range | null, critical: Range | null): 0 | 1 | 2 {
  if (critical !== null && alertsAt(critical, value)) return 2
  return warning !== null && alertsAt(warning, value) ? 1 : 0
}
