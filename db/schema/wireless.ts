import { sql } from 'drizzle-orm'
import { doublePrecision, index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { big, flag, instant } from './columns.ts'
import { deviceId } from './devices.ts'

/** Wireless sensors; the value is the sum or the mean of several objects. */
export const wirelessSensors = pgTable(
  'wireless_sensors',
  {
    sensor_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    sensor_deleted: flag(),
    sensor_class: text().notNull(),
    device_id: deviceId(),
    sensor_index: text(),
    sensor_type: text().notNull(),
    sensor_descr: text(),
    sensor_divisor: big().notNull().default(1),
    sensor_multiplier: integer().notNull().default(1),
    /** `sum` or `avg`. */
    sensor_aggregator: text().notNull().default('sum'),
    sensor_current: doublePrecision(),
    sensor_prev: doublePrecision(),
    sensor_limit: doublePrecision(),
    sensor_limit_warn: doublePrecision(),
    sensor_limit_low: doublePrecision(),
    sensor_limit_low_warn: doublePrecision(),
    sensor_alert: smallint().notNull().default(1),
    /** `No` or `Yes`. */
    sensor_custom: text().notNull().default('No'),
    entPhysicalIndex: text(),
    entPhysicalIndex_measured: text(),
    lastupdate: instant().notNull().defaultNow(),
    /** JSON text: a list of OIDs with leading dots. */
    sensor_oids: text().notNull(),
    access_point_id: integer(),
    rrd_type: text().notNull().default('GAUGE'),
  },
  (t) => [
    unique('wireless_sensors_device_class_type_index').on(t.device_id, t.sensor_class, t.sensor_type, t.sensor_index),
    index('wireless_sensors_class').on(t.sensor_class),
    index('wireless_sensors_type').on(t.sensor_type),
    index('wireless_sensors_gone').on(t.sensor_id).where(sql`sensor_deleted <> 0`),
  ],
)
