import { FUNCTIONS } from './value-functions.ts'

/** Conversions of a sensor's value after divisor and multiplier, by the name in column `sensors.user_func`. */
export const CONVERSIONS = {
  fahrenheit_to_celsius: (value: number) => ((value - 32) * 5) / 9,
  w_to_dbm: (value: number) => 10 * Math.log10(value * 1000),
  mw_to_dbm: (value: number) => 10 * Math.log10(value),
  uw_to_dbm: (value: number) => 10 * Math.log10(value / 1000),
} as const satisfies Readonly<Record<string, (value: number) => number>>

export type Conversion = keyof typeof CONVERSIONS

/**
 * The value in the displayed unit, rounded to thousandths; null where there is none (no light, in dBm). An unknown name
 * leaves the value unchanged.
 */
export function converted(name: string | null | undefined, value: number): number | null {
  if (!name) return value
  if (!Object.hasOwn(CONVERSIONS, name)) return loaded(name, value)
  const result = CONVERSIONS[name as Conversion](value)
  return Number.isFinite(result) ? Math.round(result * 1000) / 1000 : null
}

/** Applies a function of a loaded definition; an unknown one leaves the value unchanged. */
function loaded(name: string, value: number): number | null {
  const result = Object.hasOwn(FUNCTIONS, name) ? (FUNCTIONS[name]?.(value) ?? value) : value
  return Number.isFinite(result) ? result : null
}
