import type { SensorRow } from '../observation.ts'

/** Default limits for a class, relative to a sensor's first value, for agents that report no limits. */
const USUAL: Readonly<Partial<Record<string, { low?(value: number): number; high?(value: number): number }>>> = {
  temperature: { low: (value) => value - 10, high: (value) => value + 20 },
  voltage: { low: (value) => value * 0.85, high: (value) => value * 1.15 },
  humidity: { low: () => 30, high: () => 70 },
  fanspeed: { low: (value) => value * 0.8, high: (value) => value * 1.8 },
  frequency: { low: (value) => value * 0.95, high: (value) => value * 1.05 },
  load: { high: () => 80 },
}

/**
 * The sensor with missing limits guessed from its first value. The writer keeps the limits of a sensor it already has.
 */
export function withLimits(row: SensorRow): SensorRow {
  const usual = USUAL[row.sensor_class]
  const value = row.sensor_current
  if (usual === undefined || value === null) return row
  return {
    ...row,
    sensor_limit: row.sensor_limit ?? round(usual.high?.(value)),
    sensor_limit_low: row.sensor_limit_low ?? round(usual.low?.(value)),
  }
}

/** Rounds off binary floating-point noise. */
function round(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(12))
}
