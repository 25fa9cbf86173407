import { sensors, wirelessSensors } from '../../../db/schema/index.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { columnNames, selectList } from '../database/columns.ts'
import { type ListChunks, listChunks } from '../database/list-chunks.ts'
import { SENSOR_RECORD } from '../records/lists.ts'

/** The two tables of sensors, and their rows. */
interface SensorTables {
  readonly sensors: Readonly<Omit<typeof sensors.$inferSelect, 'limits_guessed'>>
  readonly wireless_sensors: Readonly<typeof wirelessSensors.$inferSelect>
}
export type SensorTable = keyof SensorTables
export type SensorRow = SensorTables['sensors']
export type WirelessRow = SensorTables['wireless_sensors']
export type WirelessColumn = keyof WirelessRow

/** Columns of wireless sensors in the order of their record. */
export const WIRELESS_COLUMNS: readonly WirelessColumn[] = columnNames(wirelessSensors)

const ALL = {
  sensors: selectList(sensors, 's', { limits_guessed: null }),
  wireless_sensors: selectList(wirelessSensors, 's'),
}

/** An object of a device that has a graph of its own. */
export interface GraphItem {
  readonly id: number
  readonly descr: string | null
}

/** All sensors in scope by id, deleted ones included, as records. */
export function sensorChunks(store: Store, scope: Scope): ListChunks {
  return listChunks(store, {
    key: 's.sensor_id',
    columns: SENSOR_RECORD,
    from: 'sensors s join devices d on d.device_id = s.device_id',
    where: deviceInScope(store.sql, scope),
  })
}

/** Sensors of a class on a device, by id, without deleted ones. */
export async function listSensorItems(
  { sql }: Store,
  table: SensorTable,
  deviceId: number,
  sensorClass: string,
): Promise<GraphItem[]> {
  return await sql<GraphItem[]>`
      select sensor_id as id, sensor_descr as descr from ${sql(table)}
      where device_id = ${deviceId} and sensor_class = ${sensorClass} and sensor_deleted = 0 order by 1`
}

/** A sensor by id, deleted or not; null: not on this device or not of this class. */
export async function findSensor<T extends SensorTable>(
  { sql }: Store,
  table: T,
  deviceId: number,
  sensorClass: string,
  id: number,
): Promise<SensorTables[T] | null> {
  const rows: readonly SensorTables[T][] = await sql<SensorTables[T][]>`
      select ${sql.unsafe(ALL[table])} from ${sql(table as string)} s
      where device_id = ${deviceId} and sensor_class = ${sensorClass} and sensor_id = ${id}`
  return rows[0] ?? null
}

/**
 * Wireless sensors of a device in scope, by class, index and description, without deleted ones. `sensorClass` null:
 * all.
 */
export async function listWirelessSensors(
  { sql }: Store,
  scope: Scope,
  of: { readonly deviceId: number; readonly sensorClass: string | null },
  columns: readonly WirelessColumn[],
): Promise<Partial<WirelessRow>[]> {
  return await sql<Partial<WirelessRow>[]>`
    select ${sql.unsafe(columns.map((name) => `s."${name}"`).join(', '))}
    from wireless_sensors s join devices d on d.device_id = s.device_id
    where s.device_id = ${of.deviceId} and s.sensor_deleted = 0
      and ${of.sensorClass === null ? sql`true` : sql`s.sensor_class = ${of.sensorClass}`}
      and ${deviceInScope(sql, scope)}
    order by s.sensor_class, s.sensor_index, s.sensor_descr, s.sensor_id`
}
