import { converted } from '../../lib/conversions.ts'
import { textReading } from '../../lib/text-readings.ts'
import type { GaugePoll } from '../module.ts'

/** The stored columns that polling a sensor needs. */
export interface PolledSensor {
  readonly sensor_oid: string
  readonly sensor_type: string
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
  /**
   * The name of a conversion (CONVERSIONS), of a text reading, or of a function from a loaded definition; null: none.
   */
  readonly user_func: string | null
}

/** Value in the sensor's unit: sent value * multiplier / divisor; null if the agent sent a code for "not measured". */
export const sensorPoll: GaugePoll<PolledSensor, number> = {
  oids: (row) => [row.sensor_oid],
  reading: (row) => (textReading(row.user_func) === null ? null : row.user_func),
  sample(row, values) {
    const raw = values[0] ?? Number.NaN
    if (!Number.isFinite(raw) || Math.abs(raw) === 1_000_000_000) return null
    // LM-SENSORS-MIB uses Gauge32 for temperatures, so those below zero arrive as two's complement.
    const signed = row.sensor_type === 'lmsensors' && raw > 0x7fffffff ? raw - 2 ** 32 : raw
    return converted(row.user_func, (signed * row.sensor_multiplier) / (row.sensor_divisor || 1))
  },
}
