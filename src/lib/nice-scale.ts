import { type Prefixes, scalePrefix } from './si.ts'

/** A value axis from `min` to `max` in drawn units, with a grid line and a label at each tick. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
}

/**
 * An axis with round steps (1, 2, 2.5 or 5 times a power of ten) that covers `min` to `max` in at most `maxTicks`
 * steps. Its ends are on half steps, to waste little height. All labels share one SI prefix. `magnitude` drops the
 * sign, for axes on which values below zero are outbound.
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
  const [low, high] = max > min ? [min, max] : [min, min + 1]
  const fine = niceStep((high - low) / Math.max(1, o.maxTicks))
  const step = o.whole === true ? Math.max(1, fine === 2.5 ? 5 : fine) : fine
  const half = o.whole === true && step % 2 === 1 ? step : step / 2
  const from = Math.floor(low / half + 1e-9) * half
  const to = Math.ceil(high / half - 1e-9) * half
  const { divisor, prefix } = scalePrefix(Math.max(Math.abs(from), Math.abs(to)), o.prefixes)
  const decimals = decimalsFor(step / divisor)
  const ticks: { value: number; label: string }[] = []
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) {
    const value = i * step
    const shown = (o.magnitude ? Math.abs(value) : value) / divisor
    const digits = i === 0 ? '0' : decimals > 6 ? shown.toExponential(1) : shown.toFixed(decimals)
    ticks.push({ value, label: i === 0 || prefix === '' ? digits : `${digits} ${prefix}` })
  }
  return { min: from, max: to, ticks }
}

/** Round steps of the largest binary prefix that fits. */
function binaryScale(min: number, max: number, o: Omit<Parameters<typeof niceScale>[2], 'prefixes'>): Scale {
  const { divisor, prefix } = scalePrefix(Math.max(Math.abs(min), Math.abs(max)), 'binary')
  const scale = niceScale(min / divisor, max / divisor, { ...o, prefixes: 'none' })
  return {
    min: scale.min * divisor,
    max: scale.max * divisor,
    ticks: scale.ticks.map(({ value, label }) => ({
      value: value * divisor,
      label: value === 0 || prefix === '' ? label : `${label} ${prefix}`,
    })),
  }
}

/** The smallest of 1, 2, 2.5, 5 times a power of ten that is at least `min`. */
export function niceStep(min: number): number {
  const power = 10 ** Math.floor(Math.log10(min))
  for (const factor of [1, 2, 2.5, 5]) if (power * factor >= min * (1 - 1e-9)) return power * factor
  return power * 10
}

/** Number of decimals needed to show a step exactly. */
function decimalsFor(step: number): number {
  let decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  if (Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++
  return decimals
}
