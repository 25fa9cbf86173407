import type { SensorRow } from '../observation.ts'

/** Where a sensor of a class that tells no limits is thought to leave what is usual, seen from its first value. */
const USUAL: Readonly<Partial<Record<string, { low?(value: number): number; high?(value: number): number }>>> = {
  temperature: { low: (value) => value - 10, high: (value) => value + 20 },
  voltage: { low: (value) => value * 0.85, high: (value) => value * 1.15 },
  humidity: { low: () => 30, high: () => 70 },
  fanspeed: { low: (value) => value * 0.8, high: (value) => value * 1.8 },
  frequency: { low: (value) => value * 0.95, high: (value) => value * 1.05 },
  load: { high: () => 80 },
}

/** The sensor with the limits that the agent does not tell guessed from its first value. The writer keeps the limits of a sensor it knows. */
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

/** Without the dust of binary fractions. */
function round(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(12))
}
