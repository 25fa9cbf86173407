const LARGE = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const SMALL = ['', 'm', 'µ', 'n']

/**
 * A number with an SI prefix: divided by 1000 until below 1000, at most 2 decimals without trailing zeros, a space, the
 * prefix, the unit. `siText(1e7, 'bps')` is `10 Mbps`, `siText(0, 'bps')` is `0 bps`, `siText(129963765)` is `129.96
 * M`. Numbers below 1 get no prefix. If not finite, `-`. Source: contract BEHAVIOUR.md 14, members allowed, used and
 * overuse of a bill.
 */
export function siText(value: number, unit = ''): string {
  if (!Number.isFinite(value)) return '-'
  const { divisor, prefix } = scalePrefix(value, 'large')
  return join(shortNumber(value / divisor, 2), prefix, unit)
}

/**
 * Prefixes used with a unit: `large` k and up (rates), `all` also m, µ, n (seconds, volts), `none` (percent, °C),
 * `binary` Ki and up (memory; IEC 80000-13).
 */
export type Prefixes = 'large' | 'all' | 'none' | 'binary'

/**
 * A number for display: at most 2 decimals, or three significant digits below 1, with an SI prefix where the unit
 * allows one: `1.23 Gbit/s`, `4.5 ms`, `0.00333 /s`, `97.1 %`. If not finite, `-`.
 */
export function readable(value: number, unit: string, prefixes: Prefixes): string {
  if (!Number.isFinite(value)) return '-'
  const { divisor, prefix } = scalePrefix(value, prefixesFor(unit, prefixes))
  const scaled = value / divisor
  const size = Math.abs(scaled)
  if (size === 0 || size >= 1) return join(shortNumber(scaled, size >= 100 ? 1 : 2), prefix, unit)
  return join(
    size < 1e-4 ? scaled.toExponential(1) : shortNumber(scaled, 2 - Math.floor(Math.log10(size))),
    prefix,
    unit,
  )
}

/** Units that never take a prefix: decibels of any reference, shares, degrees. */
const PREFIXLESS = /^(dB|%|°)/

/** The prefixes that a unit can take: `none` for logarithmic ones and percentages, whatever is requested. */
export const prefixesFor = (unit: string, wanted: Prefixes): Prefixes => (PREFIXLESS.test(unit) ? 'none' : wanted)

/** The prefix for a number and its divisor: `{ divisor: 1e9, prefix: 'G' }`. For a scale, pass its largest value. */
export function scalePrefix(value: number, prefixes: Prefixes): { divisor: number; prefix: string } {
  const size = Math.abs(value)
  if (prefixes === 'none' || size === 0) return { divisor: 1, prefix: '' }
  if (prefixes === 'binary') {
    let power = 0
    while (size / 1024 ** power >= 1023.995 && power < BINARY.length - 1) power++
    return { divisor: 1024 ** power, prefix: BINARY[power] ?? '' }
  }
  let step = 0
  if (size < 1) {
    if (prefixes === 'large') return { divisor: 1, prefix: '' }
    while (size * 1000 ** step < 1 && step < SMALL.length - 1) step++
    return { divisor: 1000 ** -step, prefix: SMALL[step] ?? '' }
  }
  // a number that rounds to 1000 gets the next prefix: 999,999 is `1 M`, not `1000 k`
  while (size / 1000 ** step >= 999.995 && step < LARGE.length - 1) step++
  return { divisor: 1000 ** step, prefix: LARGE[step] ?? '' }
}

/** A number rounded to `decimals`, without trailing zeros, never `-0`. */
export function shortNumber(value: number, decimals: number): string {
  const text = value.toFixed(Math.max(0, Math.min(100, decimals)))
  // from 1e21 on, there is an exponent, whose zeros count
  const short = text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text
  return short === '-0' ? '0' : short
}

/** A unit that is a word; its prefix stands alone, as in `1.77 k blocks/s`. */
const WORD = /^[a-z]{5,}/

function join(text: string, prefix: string, unit: string): string {
  if (prefix !== '' && WORD.test(unit)) return `${text} ${prefix} ${unit}`
  return prefix === '' && unit === '' ? text : `${text} ${prefix}${unit}`
}
