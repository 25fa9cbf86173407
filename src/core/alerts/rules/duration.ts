const UNIT_S: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** Value for text without digits, seconds. */
const NO_DIGITS_S = 300

/** Ten years: longer than any useful delay, and short enough for exact sums. */
const MAX_S = 10 * 365 * 86_400

/**
 * A duration in a rule, seconds: `90`, `5 m`, `11m`, `1h`, `2d`. A bare number is seconds; text after the unit is
 * ignored. Empty text is 0, and text without digits is 300. Source: operations add_rule and edit_rule.
 */
export function durationS(value: unknown): number {
  if (typeof value !== 'string' && typeof value !== 'number') return 0
  const text = String(value).trim()
  if (text === '') return 0
  const [, digits, unit = ''] = /(\d+)\s*([mhd])?/.exec(text) ?? []
  if (digits === undefined) return NO_DIGITS_S
  return Math.min(Number(digits) * (UNIT_S[unit] ?? 1), MAX_S)
}
