import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Value } from '../../nullable.ts'

/** Members of sensors and wireless sensors, in the middle of both records. */
export const limits = {
  sensor_limit: Value,
  sensor_limit_warn: Value,
  sensor_limit_low: Value,
  sensor_limit_low_warn: Value,
  sensor_alert: whole(),
  sensor_custom: t.String(),
  entPhysicalIndex: Text,
  entPhysicalIndex_measured: Text,
  lastupdate: t.String({ description: 'Y-m-d H:i:s, server time' }),
}

/** A sensor record. Serves list_sensors and list_available_health_graphs. */
export const Sensor = t.Object(
  {
    sensor_id: whole(),
    sensor_deleted: whole(),
    sensor_class: t.String(),
    device_id: whole(),
    poller_type: t.String(),
    sensor_oid: t.String(),
    sensor_index: Text,
    sensor_type: t.String(),
    sensor_descr: Text,
    group: Text,
    sensor_divisor: whole(),
    sensor_multiplier: whole(),
    sensor_current: Value,
    ...limits,
    sensor_prev: Value,
    user_func: Text,
    rrd_type: t.String(),
  },
  { title: 'Sensor' },
)
