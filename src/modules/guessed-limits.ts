import { isPlausible, meansNoValue, sentNumber } from '../lib/plausible.ts'
import type { SensorRow } from './observation.ts'

/**
 * Limits guessed from a sensor's first value, by class, if neither agent nor definition gives any. Other classes get
 * none.
 */
const GUESSES: Readonly<Record<string, { high(value: number): number; low?(value: number): number }>> = {
  // no lower limit: rooms and devices cool down every night
  temperature: { high: (v) => v + 20 },
  voltage: { high: (v) => v * 1.15, low: (v) => v * 0.85 },
  fanspeed: { high: (v) => v * 1.8, low: (v) => v * 0.8 },
  airflow: { high: (v) => v * 1.05, low: (v) => v * 0.95 },
  snr: { high: (v) => v * 1.05, low: (v) => v * 0.95 },
  frequency: { high: (v) => v * 1.05, low: (v) => v * 0.95 },
  pressure: { high: (v) => v * 1.05, low: (v) => v * 0.95 },
  cooling: { high: (v) => v * 1.05, low: (v) => v * 0.95 },
  humidity: { high: () => 70, low: () => 30 },
  power_factor: { high: () => 1, low: () => -1 },
  signal: { high: () => -30, low: () => -80 },
  load: { high: () => 80 },
}

/** Classes whose guessed limits are shares of the value: nothing is guessed from 0, which is a device at rest. */
const PROPORTIONAL: ReadonlySet<string> = new Set([
  'voltage',
  'fanspeed',
  'airflow',
  'snr',
  'frequency',
  'pressure',
  'cooling',
])

/** Classes of which 0 is the least: where something is measured, an upper limit of 0 means "not set". */
const FROM_ZERO: ReadonlySet<string> = new Set([
  'airflow',
  'current',
  'fanspeed',
  'frequency',
  'load',
  'power',
  'runtime',
  'voltage',
])

/** The least integers of 16 and 32 bits: where an agent keeps a threshold in one, "not set" at any scale. */
const UNSET: ReadonlySet<number> = new Set([-(2 ** 15), -(2 ** 31)])

/**
 * The sensor with missing limits guessed and each pair in order, since for a negative voltage the guessed upper limit
 * is the smaller number. A value or limit that cannot be is unknown, and nothing is guessed from it; once a value is
 * known, the writer stores what is guessed from that. Limits already stored for a sensor are otherwise kept. A pair of
 * equal limits, which every value but one is beyond, is unknown as well.
 */
export function withLimits(row: SensorRow): SensorRow {
  const guess = GUESSES[row.sensor_class]
  const value = plausibleValue(row)
  const given = (limit: number | null) => (limit !== null && isLimit(row, limit) ? limit : null)
  const upper = (limit: number | null) =>
    limit === 0 && value !== null && value > 0 && FROM_ZERO.has(row.sensor_class) ? null : given(limit)
  let [high, low] = pair(upper(row.sensor_limit), given(row.sensor_limit_low))
  let [warn, lowWarn] = pair(upper(row.sensor_limit_warn), given(row.sensor_limit_low_warn))
  let limits_guessed = 0
  if (guess !== undefined && value !== null && !(value === 0 && PROPORTIONAL.has(row.sensor_class))) {
    if (high === null || (low === null && guess.low !== undefined)) limits_guessed = 1
    high ??= rounded(guess.high(value))
    low ??= guess.low === undefined ? null : rounded(guess.low(value))
  }
  if (warn !== null && lowWarn !== null && lowWarn > warn) [warn, lowWarn] = [lowWarn, warn]
  if (high !== null && low !== null && low > high) [high, low] = [low, high]
  return {
    ...row,
    sensor_current: value,
    sensor_limit: high,
    sensor_limit_warn: warn,
    sensor_limit_low: low,
    sensor_limit_low_warn: lowWarn,
    limits_guessed,
  }
}

/** The current value; null if the agent sent a code for "no value". */
function plausibleValue({ sensor_class, sensor_current, ...row }: SensorRow): number | null {
  if (sensor_current === null) return null
  const factor = row.sensor_multiplier / (row.sensor_divisor || 1)
  let value = sensor_current
  let sent = sensor_current
  // only a value that was not converted shows what was sent
  if (row.user_func == null && factor !== 0) {
    const shown = rounded(sensor_current / factor)
    const number = sentNumber(sensor_class, shown)
    if (number === null) return null
    if (number !== shown) value = rounded(number * factor)
    sent = number
  }
  return isPlausible(sensor_class, value) && !meansNoValue(sensor_class, sent, value) ? value : null
}

/** Two limits of one severity; both unknown if they are equal. */
function pair(high: number | null, low: number | null): [high: number | null, low: number | null] {
  return high === low ? [null, null] : [high, low]
}

function isLimit({ sensor_class: sensorClass, ...row }: SensorRow, limit: number): boolean {
  const factor = row.sensor_multiplier / (row.sensor_divisor || 1)
  if (row.user_func == null && factor !== 0 && UNSET.has(rounded(limit / factor))) return false
  if (sentNumber(sensorClass, limit) !== limit || meansNoValue(sensorClass, limit, limit)) return false
  return isPlausible(sensorClass, limit)
}

/** Removes binary floating-point noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(14))
}
