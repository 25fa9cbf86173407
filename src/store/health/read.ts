import type { PendingQuery, Row } from 'postgres'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { SENSOR_COLUMNS, type SensorRecord } from '../sensors/read.ts'
import { allWirelessColumns, type WirelessRecord } from '../wireless/read.ts'

/** Kinds of health data: sensors of a class, or one of the tables that are not sensors. */
export type HealthKind = 'processor' | 'storage' | 'mempool' | { readonly sensorClass: string }

/** An object with a graph: a sensor, processor, file system or memory pool. */
export interface GraphItem {
  readonly sensor_id: number
  readonly desc: string
}

export interface ProcessorRecord {
  readonly processor_id: number
  readonly entPhysicalIndex: number
  readonly hrDeviceIndex: number | null
  readonly device_id: number
  readonly processor_oid: string
  readonly processor_index: string
  readonly processor_type: string
  readonly processor_usage: number
  readonly processor_descr: string
  readonly processor_precision: number
  readonly processor_perc_warn: number | null
}

export interface MempoolRecord {
  readonly mempool_id: number
  readonly mempool_index: string
  readonly entPhysicalIndex: number | null
  readonly mempool_type: string
  readonly mempool_class: string
  readonly mempool_precision: number
  readonly mempool_descr: string
  readonly device_id: number
  readonly mempool_perc: number
  readonly mempool_perc_oid: string | null
  readonly mempool_used: number
  readonly mempool_used_oid: string | null
  readonly mempool_free: number
  readonly mempool_free_oid: string | null
  readonly mempool_total: number
  readonly mempool_total_oid: string | null
  readonly mempool_largestfree: number | null
  readonly mempool_lowestfree: number | null
  readonly mempool_deleted: number
  readonly mempool_perc_warn: number | null
}

export interface StorageRecord {
  readonly storage_id: number
  readonly device_id: number
  readonly type: string
  readonly storage_index: string | null
  readonly storage_type: string | null
  readonly storage_descr: string
  readonly storage_size: number
  readonly storage_size_oid: string | null
  readonly storage_units: number
  readonly storage_used: number
  readonly storage_used_oid: string | null
  readonly storage_free: number
  readonly storage_free_oid: string | null
  readonly storage_perc: number
  readonly storage_perc_oid: string | null
  readonly storage_perc_warn: number | null
}

export type HealthRecord = SensorRecord | ProcessorRecord | MempoolRecord | StorageRecord

/** Columns of the tables that are not sensors, as SQL text. */
const COLUMNS = {
  processor: `processor_id, "entPhysicalIndex", "hrDeviceIndex", device_id, processor_oid, processor_index,
    processor_type, processor_usage, processor_descr, processor_precision, processor_perc_warn`,
  mempool: `mempool_id, mempool_index, "entPhysicalIndex", mempool_type, mempool_class, mempool_precision,
    mempool_descr, device_id, mempool_perc, mempool_perc_oid, mempool_used, mempool_used_oid, mempool_free,
    mempool_free_oid, mempool_total, mempool_total_oid, mempool_largestfree, mempool_lowestfree, mempool_deleted,
    mempool_perc_warn`,
  storage: `storage_id, device_id, type, storage_index, storage_type, storage_descr, storage_size, storage_size_oid,
    storage_units, storage_used, storage_used_oid, storage_free, storage_free_oid, storage_perc, storage_perc_oid,
    storage_perc_warn`,
} as const

/** Objects of a kind on a device, by id, without deleted ones. */
export function listHealthItems({ sql }: Store, deviceId: number, kind: HealthKind): Promise<GraphItem[]> {
  const of = (rows: PendingQuery<Row[]>) =>
    guarded(() => sql<GraphItem[]>`${rows} and device_id = ${deviceId} order by 1`)
  if (kind === 'processor')
    return of(sql`select processor_id as sensor_id, processor_descr as "desc" from processors where true`)
  if (kind === 'storage')
    return of(sql`select storage_id as sensor_id, storage_descr as "desc" from storage where true`)
  if (kind === 'mempool') {
    return of(sql`select mempool_id as sensor_id, mempool_descr as "desc" from mempools where mempool_deleted = 0`)
  }
  return of(sql`select sensor_id, coalesce(sensor_descr, '') as "desc" from sensors
    where sensor_class = ${kind.sensorClass} and sensor_deleted = 0`)
}

/** One object by id, deleted or not; null: not on this device or not of this kind. */
export async function findHealthItem(
  { sql }: Store,
  deviceId: number,
  kind: HealthKind,
  id: number,
): Promise<HealthRecord | null> {
  const read = (columns: string, table: string, key: string, more = sql`true`) =>
    guarded(
      () => sql<HealthRecord[]>`
        select ${sql.unsafe(columns)} from ${sql(table)} s
        where device_id = ${deviceId} and ${sql(key)} = ${id} and ${more}`,
    )
  const [found] =
    kind === 'processor'
      ? await read(COLUMNS.processor, 'processors', 'processor_id')
      : kind === 'mempool'
        ? await read(COLUMNS.mempool, 'mempools', 'mempool_id')
        : kind === 'storage'
          ? await read(COLUMNS.storage, 'storage', 'storage_id')
          : await read(SENSOR_COLUMNS, 'sensors', 'sensor_id', sql`sensor_class = ${kind.sensorClass}`)
  return found ?? null
}

/** Wireless sensors of a class on a device, by id, without deleted ones. */
export function listWirelessItems({ sql }: Store, deviceId: number, sensorClass: string): Promise<GraphItem[]> {
  return guarded(
    () => sql<GraphItem[]>`
      select sensor_id, coalesce(sensor_descr, '') as "desc" from wireless_sensors
      where device_id = ${deviceId} and sensor_class = ${sensorClass} and sensor_deleted = 0 order by 1`,
  )
}

/** A wireless sensor by id, deleted or not; null: not on this device or not of this class. */
export async function findWirelessItem(
  { sql }: Store,
  deviceId: number,
  sensorClass: string,
  id: number,
): Promise<Required<WirelessRecord> | null> {
  const [found] = await guarded(
    () => sql<Required<WirelessRecord>[]>`
      select ${sql.unsafe(allWirelessColumns())} from wireless_sensors s
      where device_id = ${deviceId} and sensor_class = ${sensorClass} and sensor_id = ${id}`,
  )
  return found ?? null
}
