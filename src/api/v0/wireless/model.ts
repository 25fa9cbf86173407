import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Value } from '../../nullable.ts'
import { limits } from '../sensors/model.ts'

/** A wireless sensor record. Serves get_device_wireless_sensors and list_available_wireless_graphs. */
export const WirelessSensor = t.Object(
  {
    sensor_id: whole(),
    sensor_deleted: whole(),
    sensor_class: t.String(),
    device_id: whole(),
    sensor_index: Text,
    sensor_type: t.String(),
    sensor_descr: Text,
    sensor_divisor: whole(),
    sensor_multiplier: whole(),
    sensor_aggregator: t.String({ description: 'sum or avg' }),
    sensor_current: Value,
    sensor_prev: Value,
    ...limits,
    sensor_oids: t.String({ description: 'JSON list of OIDs' }),
    access_point_id: t.Union([whole(), t.Null()]),
    rrd_type: t.String(),
  },
  { title: 'WirelessSensor' },
)
