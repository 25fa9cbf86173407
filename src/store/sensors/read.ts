import { deviceInScope, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'
import { instantSql } from '../devices/columns.ts'
import { type ListChunks, listChunks } from '../list-chunks.ts'

/** A sensor record; `lastupdate` is local `Y-m-d H:i:s`. */
export interface SensorRecord {
  readonly sensor_id: number
  readonly sensor_deleted: number
  readonly sensor_class: string
  readonly device_id: number
  readonly poller_type: string
  readonly sensor_oid: string
  readonly sensor_index: string | null
  readonly sensor_type: string
  readonly sensor_descr: string | null
  readonly group: string | null
  readonly sensor_divisor: number
  readonly sensor_multiplier: number
  readonly sensor_current: number | null
  readonly sensor_limit: number | null
  readonly sensor_limit_warn: number | null
  readonly sensor_limit_low: number | null
  readonly sensor_limit_low_warn: number | null
  readonly sensor_alert: number
  readonly sensor_custom: string
  readonly entPhysicalIndex: string | null
  readonly entPhysicalIndex_measured: string | null
  readonly lastupdate: string
  readonly sensor_prev: number | null
  readonly user_func: string | null
  readonly rrd_type: string
}

/** The record as text for SQL, over alias `s`. */
export const SENSOR_COLUMNS = `s.sensor_id, s.sensor_deleted, s.sensor_class, s.device_id, s.poller_type, s.sensor_oid,
  s.sensor_index, s.sensor_type, s.sensor_descr, s."group", s.sensor_divisor, s.sensor_multiplier, s.sensor_current,
  s.sensor_limit, s.sensor_limit_warn, s.sensor_limit_low, s.sensor_limit_low_warn, s.sensor_alert, s.sensor_custom,
  s."entPhysicalIndex", s."entPhysicalIndex_measured", ${instantSql('s.lastupdate', 'local')} as lastupdate,
  s.sensor_prev, s.user_func, s.rrd_type`

/** All sensors in scope by id, deleted ones included. */
export function sensorChunks(store: Store, scope: Scope): ListChunks {
  return listChunks(store, {
    key: 's.sensor_id',
    columns: SENSOR_COLUMNS,
    from: 'sensors s join devices d on d.device_id = s.device_id',
    where: deviceInScope(store.sql, scope),
  })
}
