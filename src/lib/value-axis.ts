import { isFlat, niceScale, type Scale } from './nice-scale.ts'
import { type Prefixes, prefixesFor, readable, scalePrefix, shortNumber } from './si.ts'

/** How the values of a graph are shown. */
export interface ValueForm {
  readonly unit: string
  readonly prefixes: Prefixes
  /** Values are seconds, shown as seconds, minutes, hours or days. */
  readonly format?: 'duration'
  /** Values are counts, shown without fractions except for averages. */
  readonly whole?: true
  /** `zero`: from 0. `percent`: 0 to 100. `free`: around the values, for gauges such as temperatures. */
  readonly axis: 'zero' | 'percent' | 'free'
}

/** The values that the left axis has to show. */
export interface AxisInput {
  readonly type: ValueForm
  /** Lowest and highest drawn value, finite; if `min` is above `max`, none is known. */
  readonly min: number
  readonly max: number
  readonly mirrored: boolean
  readonly maxTicks: number
}

/** The left axis, and the unit of its labels. */
export interface ValueAxis {
  readonly scale: Scale
  readonly unit: string
}

/** The left axis of a graph. */
export function valueAxis({ type: given, ...rest }: AxisInput): ValueAxis {
  const type = { ...given, prefixes: prefixesFor(given.unit, given.prefixes) }
  const input = { ...rest, type }
  const size = Math.max(Math.abs(input.min), Math.abs(input.max))
  const { divisor, unit } = type.format === 'duration' ? durationUnit(size) : smallUnit(type, size)
  if (divisor === 1) return { scale: scaleOf(input, type.prefixes === 'all' ? 'large' : type.prefixes), unit }
  const scale = scaleOf({ ...input, min: input.min / divisor, max: input.max / divisor }, 'none')
  return {
    unit,
    scale: {
      min: scale.min * divisor,
      max: scale.max * divisor,
      ticks: scale.ticks.map(({ value, label }) => ({ value: value * divisor, label })),
    },
  }
}

/**
 * Puts milli and smaller prefixes into the unit above the axis, because `6 m` on a label reads as metres or minutes.
 */
function smallUnit({ unit, prefixes }: ValueForm, size: number): { readonly divisor: number; readonly unit: string } {
  if (prefixes !== 'all' || !Number.isFinite(size) || size >= 1) return { divisor: 1, unit }
  const { divisor, prefix } = scalePrefix(size, prefixes)
  return { divisor, unit: `${prefix}${unit}` }
}

function scaleOf({ type, min, max, mirrored, maxTicks }: AxisInput, prefixes: Prefixes): Scale {
  const options = { maxTicks, prefixes, magnitude: mirrored, whole: type.whole === true }
  if (type.axis === 'percent') return niceScale(0, min > max ? 100 : Math.max(100, max), options)
  const nothing = { ...options, maxTicks: 2 }
  if (!(min <= max)) return niceScale(mirrored ? -1 : 0, 1, nothing)
  if (type.axis === 'free') {
    const pad = isFlat(min, max) ? Math.max(Math.abs(max) * 0.05, type.whole ? 1 : 0.5) : (max - min) * 0.08
    // padding alone must not extend the axis across zero
    return niceScale(
      min >= 0 ? Math.max(0, min - pad) : min - pad,
      max <= 0 ? Math.min(0, max + pad) : max + pad,
      options,
    )
  }
  const [low, high] = [Math.min(0, min), Math.max(0, max)]
  if (low === high) return niceScale(mirrored ? -1 : 0, 1, nothing)
  return niceScale(low * 1.02, high * 1.02, options)
}

/**
 * A value of a graph as text: with its unit, durations in days, hours, minutes or seconds, counts without fractions;
 * `-` if it is not finite.
 */
export function valueText(type: ValueForm, value: number, averaged: boolean): string {
  if (!Number.isFinite(value)) return '-'
  if (type.format === 'duration') {
    const { divisor, unit } = durationUnit(Math.abs(value))
    return `${shortNumber(value / divisor, 1)} ${unit}`
  }
  if (type.whole && Math.abs(value) < 1000)
    return readable(averaged ? Math.round(value * 10) / 10 : Math.round(value), type.unit, type.prefixes)
  return readable(value, type.unit, type.prefixes)
}

function durationUnit(seconds: number): { readonly divisor: number; readonly unit: string } {
  if (!(seconds >= 120)) return { divisor: 1, unit: 's' }
  if (seconds < 7200) return { divisor: 60, unit: 'min' }
  return seconds < 172_800 ? { divisor: 3600, unit: 'h' } : { divisor: 86_400, unit: 'days' }
}
