import { deviceInScope, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'
import { instantSql } from '../devices/columns.ts'

/** A wireless sensor as the API shows it; `lastupdate` is local `Y-m-d H:i:s`, `sensor_oids` JSON text. */
interface WirelessSensor {
  readonly sensor_id: number
  readonly sensor_deleted: number
  readonly sensor_class: string
  readonly device_id: number
  readonly sensor_index: string | null
  readonly sensor_type: string
  readonly sensor_descr: string | null
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
  readonly sensor_aggregator: string
  readonly sensor_current: number | null
  readonly sensor_prev: number | null
  readonly sensor_limit: number | null
  readonly sensor_limit_warn: number | null
  readonly sensor_limit_low: number | null
  readonly sensor_limit_low_warn: number | null
  readonly sensor_alert: number
  readonly sensor_custom: string
  readonly entPhysicalIndex: string | null
  readonly entPhysicalIndex_measured: string | null
  readonly lastupdate: string
  readonly sensor_oids: string
  readonly access_point_id: number | null
  readonly rrd_type: string
}
export type WirelessColumn = keyof WirelessSensor

/** The requested columns. */
export type WirelessRecord = Partial<WirelessSensor>

/** Columns of the record, in its order. */
export const WIRELESS_COLUMNS: readonly WirelessColumn[] = [
  'sensor_id',
  'sensor_deleted',
  'sensor_class',
  'device_id',
  'sensor_index',
  'sensor_type',
  'sensor_descr',
  'sensor_divisor',
  'sensor_multiplier',
  'sensor_aggregator',
  'sensor_current',
  'sensor_prev',
  'sensor_limit',
  'sensor_limit_warn',
  'sensor_limit_low',
  'sensor_limit_low_warn',
  'sensor_alert',
  'sensor_custom',
  'entPhysicalIndex',
  'entPhysicalIndex_measured',
  'lastupdate',
  'sensor_oids',
  'access_point_id',
  'rrd_type',
]

/**
 * Wireless sensors of a device in scope, by class, index and description, without deleted ones. `sensorClass` null:
 * all.
 */
export async function listWirelessSensors(
  { sql }: Store,
  scope: Scope,
  of: { readonly deviceId: number; readonly sensorClass: string | null },
  columns: readonly WirelessColumn[],
): Promise<WirelessRecord[]> {
  return await sql<WirelessRecord[]>`
    select ${sql.unsafe(columnsSql(columns))}
    from wireless_sensors s join devices d on d.device_id = s.device_id
    where s.device_id = ${of.deviceId} and s.sensor_deleted = 0
      and ${of.sensorClass === null ? sql`true` : sql`s.sensor_class = ${of.sensorClass}`}
      and ${deviceInScope(sql, scope)}
    order by s.sensor_class, s.sensor_index, s.sensor_descr, s.sensor_id`
}

/** The complete record as SQL text over alias `s`. */
export const allWirelessColumns = () => columnsSql(WIRELESS_COLUMNS)

function columnsSql(columns: readonly WirelessColumn[]): string {
  const shown = columns.map((name) =>
    name === 'lastupdate' ? `${instantSql('s.lastupdate', 'local')} as lastupdate` : `s."${name}"`,
  )
  return shown.join(', ')
}
