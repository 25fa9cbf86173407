import { converted } from '../../lib/conversions.ts'
import { isPlausible, meansNoValue, sentNumber } from '../../lib/plausible.ts'
import { textReading } from '../../lib/text-readings.ts'
import type { GaugePoll } from '../module.ts'

/** The stored columns that polling a sensor needs. */
export interface PolledSensor {
  readonly sensor_class: string
  readonly sensor_oid: string
  readonly sensor_type: string
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
  /**
   * The name of a conversion (CONVERSIONS), of a text reading, or of a function from a loaded definition; null: none.
   */
  readonly user_func: string | null
}

/** Value in the sensor's unit: sent value * multiplier / divisor; null if the agent sent a code for "no value". */
export const sensorPoll: GaugePoll<PolledSensor, number> = {
  oids: (row) => [row.sensor_oid],
  reading: (row) => (textReading(row.user_func) === null ? null : row.user_func),
  sample(row, values) {
    const sent = sentNumber(row.sensor_class, values[0] ?? Number.NaN)
    if (sent === null || (row.sensor_type === 'entity-sensor' && Math.abs(sent) > MAX_ENTITY_VALUE)) return null
    const value = converted(row.user_func, (sent * row.sensor_multiplier) / (row.sensor_divisor || 1))
    if (value === null || meansNoValue(row.sensor_class, sent, value)) return null
    return isPlausible(row.sensor_class, value) ? value : null
  },
}

/** EntitySensorValue (RFC 3433) lies between this and its negative. */
const MAX_ENTITY_VALUE = 1_000_000_000
