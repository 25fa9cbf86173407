import type { Values } from './columns.ts'
import { float8, int2, int4, int8, text } from './columns.ts'
import type { DiscoveredTable } from './table.ts'

const TEXT = text(255)

/** Wireless sensors. */
export const wireless = {
  table: 'wireless_sensors',
  id: 'sensor_id',
  key: ['sensor_class', 'sensor_type', 'sensor_index'],
  columns: {
    sensor_class: text(64),
    sensor_type: TEXT,
    sensor_index: text(64),
    sensor_descr: TEXT,
    sensor_divisor: int8,
    sensor_multiplier: int4,
    sensor_aggregator: text(16),
    sensor_oids: text(65_535),
    entPhysicalIndex: text(16),
    entPhysicalIndex_measured: text(16),
    sensor_deleted: int2,
  },
  first: {
    sensor_current: float8,
    sensor_limit: float8,
    sensor_limit_warn: float8,
    sensor_limit_low: float8,
    sensor_limit_low_warn: float8,
  },
  defaults: { sensor_divisor: 1, sensor_multiplier: 1, sensor_aggregator: 'sum', sensor_deleted: 0 },
  flag: 'sensor_deleted',
  event: 'wireless',
  label: (row: Values) => `Wireless sensor ${row['sensor_class']} ${row['sensor_descr']}`,
} as const satisfies DiscoveredTable
