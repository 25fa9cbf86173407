import { t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Whole } from '../../nullable.ts'
import { documented, Ok } from '../envelope.ts'
import { Sensor } from '../sensors/model.ts'
import { WirelessSensor } from '../wireless/model.ts'

const Processor = t.Object(
  {
    processor_id: whole(),
    entPhysicalIndex: whole(),
    hrDeviceIndex: Whole,
    device_id: whole(),
    processor_oid: t.String(),
    processor_index: t.String(),
    processor_type: t.String(),
    processor_usage: whole({ description: 'Percent' }),
    processor_descr: t.String(),
    processor_precision: whole(),
    processor_perc_warn: Whole,
  },
  { title: 'Processor' },
)

const Mempool = t.Object(
  {
    mempool_id: whole(),
    mempool_index: t.String(),
    entPhysicalIndex: Whole,
    mempool_type: t.String(),
    mempool_class: t.String(),
    mempool_precision: whole(),
    mempool_descr: t.String(),
    device_id: whole(),
    mempool_perc: whole(),
    mempool_perc_oid: Text,
    mempool_used: whole({ description: 'Bytes' }),
    mempool_used_oid: Text,
    mempool_free: whole(),
    mempool_free_oid: Text,
    mempool_total: whole(),
    mempool_total_oid: Text,
    mempool_largestfree: Whole,
    mempool_lowestfree: Whole,
    mempool_deleted: whole(),
    mempool_perc_warn: Whole,
  },
  { title: 'Mempool' },
)

const Storage = t.Object(
  {
    storage_id: whole(),
    device_id: whole(),
    type: t.String(),
    storage_index: Text,
    storage_type: Text,
    storage_descr: t.String(),
    storage_size: whole({ description: 'Bytes' }),
    storage_size_oid: Text,
    storage_units: whole(),
    storage_used: whole(),
    storage_used_oid: Text,
    storage_free: whole(),
    storage_free_oid: Text,
    storage_perc: whole(),
    storage_perc_oid: Text,
    storage_perc_warn: Whole,
  },
  { title: 'Storage' },
)

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
