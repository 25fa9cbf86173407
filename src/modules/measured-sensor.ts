import type { StateSet } from '../definitions/health.ts'
import { withLimits } from './guessed-limits.ts'
import type { SensorRow } from './observation.ts'

/** A sensor that a module finds in a table. */
export interface Measured {
  readonly sensorClass: string
  readonly type: string
  /** Unique for class and type. */
  readonly index: string
  /** The object with its instance. */
  readonly oid: string
  readonly descr: string
  readonly group: string
  /** The value as the agent sent it; undefined: the agent has none, so there is no sensor. */
  readonly sent: number | undefined
  /** Shown value = sent value / divisor; absent: 1. */
  readonly divisor?: number
  /** In the shown unit. */
  readonly high?: number
  readonly low?: number
  /** The port that it belongs to; absent: none. */
  readonly ifIndex?: number
  readonly states?: StateSet
}

/** The sensor's row; none without a value. */
export function measured(one: Measured): readonly SensorRow[] {
  if (one.sent === undefined) return []
  const divisor = one.divisor ?? 1
  return [
    withLimits({
      sensor_class: one.sensorClass,
      sensor_type: one.type,
      sensor_index: one.index,
      sensor_oid: one.oid,
      sensor_descr: one.descr,
      group: one.group,
      sensor_divisor: divisor,
      sensor_multiplier: 1,
      sensor_current: one.sent / divisor,
      sensor_limit: one.high ?? null,
      sensor_limit_warn: null,
      sensor_limit_low: one.low ?? null,
      sensor_limit_low_warn: null,
      entPhysicalIndex: one.ifIndex === undefined ? null : String(one.ifIndex),
      entPhysicalIndex_measured: one.ifIndex === undefined ? null : 'ports',
      ...(one.states !== undefined && { states: one.states }),
    }),
  ]
}
