import { sql } from 'drizzle-orm'
import { doublePrecision, index, integer, pgTable, primaryKey, smallint, text, unique } from 'drizzle-orm/pg-core'
import { big, flag, instant } from './columns.ts'
import { deviceId } from './devices.ts'

/** Physical entities (ENTITY-MIB::entPhysicalTable). */
export const entPhysical = pgTable(
  'entPhysical',
  {
    entPhysical_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    entPhysicalIndex: integer().notNull(),
    entPhysicalDescr: text(),
    entPhysicalClass: text(),
    entPhysicalName: text(),
    entPhysicalHardwareRev: text(),
    entPhysicalFirmwareRev: text(),
    entPhysicalSoftwareRev: text(),
    entPhysicalAlias: text(),
    entPhysicalAssetID: text(),
    entPhysicalIsFRU: text(),
    entPhysicalModelName: text(),
    entPhysicalVendorType: text(),
    entPhysicalSerialNum: text(),
    entPhysicalContainedIn: integer().notNull().default(0),
    entPhysicalParentRelPos: integer().notNull().default(-1),
    entPhysicalMfgName: text(),
    entPhysicalMfgDate: text(),
    ifIndex: big(),
  },
  (t) => [
    unique('entphysical_device_index').on(t.device_id, t.entPhysicalIndex),
    index('entphysical_chassis_serial')
      .on(sql`upper(${t.entPhysicalSerialNum})`)
      .where(sql`"entPhysicalClass" in ('chassis', 'stack') and "entPhysicalSerialNum" <> ''`),
  ],
)

/** Processors; `processor_usage` is the last reading in percent. */
export const processors = pgTable(
  'processors',
  {
    processor_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    entPhysicalIndex: integer().notNull().default(0),
    hrDeviceIndex: integer(),
    device_id: deviceId(),
    processor_oid: text().notNull(),
    processor_index: text().notNull(),
    processor_type: text().notNull(),
    processor_usage: integer().notNull().default(0),
    processor_descr: text().notNull(),
    processor_precision: integer().notNull().default(1),
    processor_perc_warn: integer().default(75),
  },
  (t) => [unique('processors_device_type_index').on(t.device_id, t.processor_type, t.processor_index)],
)

/** Memory pools; octets and percent at the last poll. */
export const mempools = pgTable(
  'mempools',
  {
    mempool_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    mempool_index: text().notNull(),
    entPhysicalIndex: integer(),
    mempool_type: text().notNull(),
    mempool_class: text().notNull().default('system'),
    mempool_precision: integer().notNull().default(1),
    mempool_descr: text().notNull(),
    device_id: deviceId(),
    mempool_perc: integer().notNull().default(0),
    mempool_perc_oid: text(),
    mempool_used: big().notNull().default(0),
    mempool_used_oid: text(),
    mempool_free: big().notNull().default(0),
    mempool_free_oid: text(),
    mempool_total: big().notNull().default(0),
    mempool_total_oid: text(),
    mempool_largestfree: big(),
    mempool_lowestfree: big(),
    mempool_deleted: flag(),
    mempool_perc_warn: integer(),
  },
  (t) => [
    unique('mempools_device_type_index').on(t.device_id, t.mempool_type, t.mempool_index),
    index('mempools_gone').on(t.mempool_id).where(sql`mempool_deleted <> 0`),
  ],
)

/** Filesystems and disks; octets and percent at the last poll. */
export const storage = pgTable(
  'storage',
  {
    storage_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    type: text().notNull(),
    storage_index: text(),
    storage_type: text(),
    storage_descr: text().notNull(),
    storage_size: big().notNull().default(0),
    storage_size_oid: text(),
    storage_units: integer().notNull().default(1),
    storage_used: big().notNull().default(0),
    storage_used_oid: text(),
    storage_free: big().notNull().default(0),
    storage_free_oid: text(),
    storage_perc: integer().notNull().default(0),
    storage_perc_oid: text(),
    storage_perc_warn: integer().default(60),
  },
  (t) => [unique('storage_device_type_index').on(t.device_id, t.type, t.storage_index)],
)

/** Sensors of every class; `sensor_current` is the displayed value, `sensor_prev` the one before its last change. */
export const sensors = pgTable(
  'sensors',
  {
    sensor_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    sensor_deleted: flag(),
    sensor_class: text().notNull(),
    device_id: deviceId(),
    poller_type: text().notNull().default('snmp'),
    sensor_oid: text().notNull(),
    sensor_index: text(),
    sensor_type: text().notNull(),
    sensor_descr: text(),
    group: text(),
    sensor_divisor: big().notNull().default(1),
    sensor_multiplier: integer().notNull().default(1),
    sensor_current: doublePrecision(),
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
    sensor_prev: doublePrecision(),
    user_func: text(),
    rrd_type: text().notNull().default('GAUGE'),
    /** 1: a limit was guessed from the first value. Not part of the record. */
    limits_guessed: flag(),
  },
  (t) => [
    unique('sensors_device_class_type_index').on(t.device_id, t.sensor_class, t.sensor_type, t.sensor_index),
    index('sensors_class').on(t.sensor_class),
    index('sensors_gone').on(t.sensor_id).where(sql`sensor_deleted <> 0`),
  ],
)

/**
 * Since when ports, sensors, wireless sensors and memory pools (`kind`, `id`) are gone from their device, so that they
 * can be removed after some time (src/core/inventory/write-gone.ts).
 */
export const goneObjects = pgTable(
  'gone_objects',
  {
    kind: text().notNull(),
    id: integer().notNull(),
    device_id: deviceId(),
    since: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index('gone_objects_device').on(t.device_id)],
)
