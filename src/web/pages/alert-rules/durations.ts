import { durationS } from '../../../core/alerts/rules/duration.ts'
import { invalid } from '../../../core/base/errors.ts'

/** Seconds as users enter them: `90`, `5m`, `2h`. */
export function shortDuration(seconds: number): string {
  if (seconds === 0) return '0'
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
  ] as const)
    if (seconds % size === 0) return `${seconds / size}${unit}`
  return String(seconds)
}

/** The seconds in a field; empty: 0. Throws `invalid` with the label of the field. */
export function secondsOf(label: string, text: string): number {
  if (!/^\s*(\d{1,8}\s*[mhd]?)?\s*$/.test(text))
    throw invalid(`${label}: enter seconds, or a number with m, h or d: 90, 5m, 1h`)
  return durationS(text)
}
