import { type Prefixes, scalePrefix } from './si.ts'

/** A value axis from `min` to `max` in drawn units, with a grid line and a label at each tick. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
}

/** Most steps of an axis, however many are requested. */
const MAX_STEPS = 100
/** Larger values, and those that are not numbers, are drawn as if they were at this end. */
const MAX_SIZE = 1e300
/** Values that differ by less than this share of their size are drawn as equal ones: no label could tell them apart. */
const LEAST_SPREAD = 1e-9
/** The shortest axis, since the powers of ten below it are no longer exact. */
const LEAST_SPAN = 1e-290
/** From this size on, and with steps below a millionth, labels are powers of ten. */
const LONG = 1e9

/** Whether values from `min` to `max` are drawn as one constant. */
export function isFlat(min: number, max: number): boolean {
  return !(max - min > leastSpan(min, max))
}

const leastSpan = (min: number, max: number): number =>
  Math.max(LEAST_SPAN, Math.max(Math.abs(min), Math.abs(max)) * LEAST_SPREAD)

/**
 * An axis with round steps (1, 2, 2.5 or 5 times a power of ten) that covers `min` to `max` in at most `maxTicks`
 * steps. Its ends are on half steps, to waste little height. All labels share one SI prefix. `magnitude` drops the
 * sign, for axes on which values below zero are outbound. Any numbers give a finite axis with at most `MAX_STEPS` + 2
 * ticks.
 */
export function niceScale(
  min: number,
  max: number,
  o: {
    readonly maxTicks: number
    readonly prefixes: Prefixes
    readonly magnitude: boolean
    /** Steps are whole numbers. */
    readonly whole?: boolean
  },
): Scale {
  if (o.prefixes === 'binary') return binaryScale(min, max, o)
  const [low, high] = widened(finite(min), finite(max))
  const fine = niceStep((high - low) / Math.max(1, Math.min(MAX_STEPS, o.maxTicks || 1)))
  const step = o.whole === true ? Math.max(1, fine === 2.5 ? 5 : fine) : fine
  const half = o.whole === true && step % 2 === 1 ? step : step / 2
  const from = Math.floor(low / half + 1e-9) * half
  // a value far below a whole step still needs one
  const to = Math.max(Math.ceil(high / half - 1e-9) * half, from + half)
  const { divisor, prefix } = scalePrefix(Math.max(Math.abs(from), Math.abs(to)), o.prefixes)
  const label = labelsFor(step / divisor, Math.max(Math.abs(from), Math.abs(to)) / divisor)
  // counted before the loop: adding a step to a large index may not change it
  const first = Math.ceil(from / step - 1e-9)
  const count = Math.min(MAX_STEPS + 2, Math.floor(to / step + 1e-9) - first + 1)
  const ticks = Array.from({ length: Math.max(0, count) }, (_, i) => {
    const value = (first + i) * step
    const digits = label((o.magnitude ? Math.abs(value) : value) / divisor)
    return { value: value === 0 ? 0 : value, label: value === 0 || prefix === '' ? digits : `${digits} ${prefix}` }
  })
  return { min: from, max: to, ticks }
}

function finite(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(-MAX_SIZE, Math.min(MAX_SIZE, value))
}

/** The ends, far enough apart to be told apart; without any spread they span one unit, or a share of a large value. */
function widened(min: number, max: number): readonly [low: number, high: number] {
  if (max > min && !isFlat(min, max)) return [min, max]
  return [min, min + Math.max(1, leastSpan(min, max) * 10)]
}

/** Round steps of the largest binary prefix that fits. */
function binaryScale(min: number, max: number, o: Omit<Parameters<typeof niceScale>[2], 'prefixes'>): Scale {
  const [least, most] = [finite(min), finite(max)]
  const { divisor, prefix } = scalePrefix(Math.max(Math.abs(least), Math.abs(most)), 'binary')
  const scale = niceScale(least / divisor, most / divisor, { ...o, prefixes: 'none' })
  return {
    min: scale.min * divisor,
    max: scale.max * divisor,
    ticks: scale.ticks.map(({ value, label }) => ({
      value: value * divisor,
      label: value === 0 || prefix === '' ? label : `${label} ${prefix}`,
    })),
  }
}

/** The smallest of 1, 2, 2.5, 5 times a power of ten that is at least `min`, which is above 0. */
export function niceStep(min: number): number {
  const power = 10 ** Math.floor(Math.log10(min))
  for (const factor of [1, 2, 2.5, 5]) if (power * factor >= min * (1 - 1e-9)) return power * factor
  return power * 10
}

/** How the ticks of an axis up to `size` are written, exactly enough to tell them apart. */
function labelsFor(step: number, size: number): (value: number) => string {
  const decimals = decimalsFor(step)
  if (size < LONG && (decimals <= 6 || (size >= 1e-3 && decimals <= 12)))
    return (value) => (value === 0 ? '0' : value.toFixed(decimals))
  // one digit more than the ratio of size and step has
  const digits = Math.min(12, Math.max(1, Math.ceil(Math.log10(size / step)) + 1))
  return (value) => (value === 0 ? '0' : value.toExponential(digits).replace(/\.?0+e/, 'e'))
}

/** Number of decimals needed to show a step exactly. */
function decimalsFor(step: number): number {
  let decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  if (decimals <= 20 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++
  return decimals
}
