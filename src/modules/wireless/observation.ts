import type { WirelessClass } from '../../lib/wireless-classes.ts'

/**
 * One wireless sensor; natural key (class, type, index). Shown value = sum or mean of the polled values * multiplier /
 * divisor.
 */
export interface WirelessRow {
  readonly sensor_class: WirelessClass
  readonly sensor_type: string
  readonly sensor_index: string
  readonly sensor_descr: string
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
  readonly sensor_aggregator: 'sum' | 'avg' | 'count'
  /** JSON array of OIDs with leading dots, as in the record. */
  readonly sensor_oids: string
  readonly sensor_current: number | null
  readonly sensor_limit: number | null
  readonly sensor_limit_warn: number | null
  readonly sensor_limit_low: number | null
  readonly sensor_limit_low_warn: number | null
  readonly entPhysicalIndex: string | null
  readonly entPhysicalIndex_measured: string | null
}
