import type { SensorRow } from './observation.ts'

/**
 * Limits guessed from a sensor's first value, by class, if neither agent nor definition gives any. Other classes get
 * none.
 */
const GUESSES: Readonly<Record<string, { high(value: number): number; low?(value: number): number }>> = {
  temperature: { high: (v) => v + 20, low: (v) => v - 10 },
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

/**
 * The sensor with missing limits guessed and each pair in order, since for a negative voltage the guessed upper limit
 * is the smaller number. Limits already stored for a sensor are kept by the writer.
 */
export function withLimits(row: SensorRow): SensorRow {
  const guess = GUESSES[row.sensor_class]
  const value = row.sensor_current
  let { sensor_limit: high, sensor_limit_low: low, sensor_limit_warn: warn, sensor_limit_low_warn: lowWarn } = row
  if (guess !== undefined && value !== null) {
    high ??= rounded(guess.high(value))
    low ??= guess.low === undefined ? null : rounded(guess.low(value))
  }
  if (warn !== null && lowWarn !== null && lowWarn > warn) [warn, lowWarn] = [lowWarn, warn]
  if (high !== null && low !== null && low > high) [high, low] = [low, high]
  return { ...row, sensor_limit: high, sensor_limit_low: low, sensor_limit_warn: warn, sensor_limit_low_warn: lowWarn }
}

/** Removes binary floating-point noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(14))
}
