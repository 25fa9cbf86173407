import { MEMPOOL, PROCESSOR, SENSOR, STORAGE, WIRELESS_SENSOR } from '../../../core/records/tables.ts'
import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { documented, Ok } from '../envelope.ts'
import { listModel } from '../records/model.ts'

/** A sensor record. Serves list_sensors and list_available_health_graphs. */
export const Sensor = listModel(SENSOR, 'Sensor')
/** A wireless sensor record. Serves get_device_wireless_sensors and list_available_wireless_graphs. */
export const WirelessSensor = listModel(WIRELESS_SENSOR, 'WirelessSensor')
const Processor = listModel(PROCESSOR, 'Processor')
const Mempool = listModel(MEMPOOL, 'Mempool')
const Storage = listModel(STORAGE, 'Storage')

const Graph = t.Object({ desc: t.String(), name: t.String() }, { title: 'NamedGraph' })
const Item = t.Object(
  {
    sensor_id: whole({ description: 'processor_id, storage_id or mempool_id for these kinds' }),
    desc: t.String(),
  },
  { title: 'GraphedSensor' },
)

const hostname = t.String()
const sensor_id = t.String({ description: 'Numeric id' })
const healthType = t.String({
  description: 'device_{class}, device_processor, device_storage or device_mempool, with or without device_',
})
const wirelessType = t.String({ description: 'device_wireless_{class}, or just the class' })

const message = t.Literal('')
const count = whole()

export const HealthModel = {
  hostname: documented(t.Object({ hostname })),
  type: documented(t.Object({ hostname, type: healthType })),
  item: documented(t.Object({ hostname, type: healthType, sensor_id })),
  wirelessType: documented(t.Object({ hostname, type: wirelessType })),
  wirelessItem: documented(t.Object({ hostname, type: wirelessType, sensor_id })),
  graphs: documented(t.Object({ status: Ok, message, graphs: t.Array(Graph), count })),
  items: documented(t.Object({ status: Ok, message, graphs: t.Array(Item), count })),
  records: documented(
    t.Object({ status: Ok, message, graphs: t.Array(t.Union([Sensor, Processor, Storage, Mempool])), count }),
  ),
  wirelessGraphs: documented(t.Object({ status: Ok, graphs: t.Array(Graph), count })),
  wirelessItems: documented(t.Object({ status: Ok, graphs: t.Array(Item), count })),
  wirelessRecords: documented(t.Object({ status: Ok, graphs: t.Array(WirelessSensor), count })),
}
