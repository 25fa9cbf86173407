import { expect } from 'bun:test'
import { writeSamples } from '../../../src/core/series/write.ts'
import type { TestApi } from '../../support/api.ts'
import { batch } from '../../support/samples.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const SIZE = 'from=-1h&width=200&height=100'

interface Measured {
  readonly processorId: number
  readonly mempoolId: number
  readonly wirelessId: number
  readonly silentId: number
}
/** Ids of the row prepared last. */
let made: Measured = { processorId: 0, mempoolId: 0, wirelessId: 0, silentId: 0 }

/**
 * A processor, a memory pool, a file system, two wireless sensors, and ten minutes of samples of one sensor, processor
 * and wireless sensor.
 */
async function measured({ store }: TestApi, { deviceId, sensorId }: Seeded): Promise<Measured> {
  const { sql } = store
  const id = async (rows: Promise<{ id: number }[]>) => (await rows)[0]?.id ?? 0
  const processorId = await id(
    sql<
      { id: number }[]
    >`insert into processors (device_id, processor_oid, processor_index, processor_type, processor_descr)
      values (${deviceId}, '.1.3', '1', 'hr', 'CPU') returning processor_id as id`,
  )
  const mempoolId = await id(
    sql<{ id: number }[]>`insert into mempools (device_id, mempool_index, mempool_type, mempool_descr, mempool_total)
      values (${deviceId}, '1', 'hr', 'RAM', 8000000000) returning mempool_id as id`,
  )
  await sql`insert into storage (device_id, type, storage_index, storage_descr, storage_size)
    values (${deviceId}, 'hr', '1', '/', 9000000000000)`
  const wireless = (index: string, descr: string) =>
    id(sql<{ id: number }[]>`insert into wireless_sensors
      (device_id, sensor_class, sensor_type, sensor_index, sensor_descr, sensor_oids)
      values (${deviceId}, 'rssi', 'test', ${index}, ${descr}, '[".1.3"]') returning sensor_id as id`)
  const wirelessId = await wireless('1', 'Radio 1')
  const silentId = await wireless('2', 'Radio 2')
  const times = Array.from({ length: 10 }, (_, i) => Date.now() - 600_000 + i * 60_000)
  const gauge = (item: number, value: number) => times.map((time) => ({ id: item, time, value }))
  await writeSamples(
    store,
    batch({ sensors: gauge(sensorId, 21), processors: gauge(processorId, 50), wireless: gauge(wirelessId, -61) }),
  )
  return { processorId, mempoolId, wirelessId, silentId }
}

/** A request about a device with measured values. */
const on = (path: () => string) => async (d: Seeded, api: TestApi) => {
  made = await measured(api, d)
  return get(`/devices/${d.hostname}/${path()}`)
}

const picture: NonNullable<Row['check']> = (a) => expect(a.text.slice(1, 4)).toBe('PNG')

/** Rejections common to all operations. */
const refusals = (operation: string, path: string): Row[] => [
  {
    operation,
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.hostname}/${path}`, await user(api)),
    check: (a) => expect(message(a)).toBe('Insufficient permissions to access this device'),
  },
  {
    operation,
    status: 404,
    name: 'unknown device',
    request: () => get(`/devices/nobody.example.net/${path}`),
    check: (a) => expect(message(a)).toBe('Device nobody.example.net does not exist'),
  },
]

const graphRefusals = (operation: string, path: (id: number) => string, unknown: string): Row[] => [
  ...refusals(operation, path(1)),
  {
    operation,
    status: 400,
    name: 'an invalid time',
    request: on(() => `${path(made.wirelessId)}?from=whenever`),
  },
  {
    operation,
    status: 404,
    name: 'an unknown class',
    request: on(() => path(1).replace(/rssi|temperature/, 'nonsense')),
    check: (a) => expect(message(a)).toBe(`${unknown} template missing`),
  },
]

export const HEALTH_ROWS: readonly Row[] = [
  {
    operation: 'list_available_health_graphs',
    status: 200,
    name: 'classes of sensors, then everything else',
    request: on(() => 'health'),
    check: (a) =>
      expect(a.json).toEqual({
        status: 'ok',
        message: '',
        count: 4,
        graphs: [
          { desc: 'Temperature', name: 'device_temperature' },
          { desc: 'Processors', name: 'device_processor' },
          { desc: 'Storage', name: 'device_storage' },
          { desc: 'Memory Pools', name: 'device_mempool' },
        ],
      }),
  },
  ...refusals('list_available_health_graphs', 'health'),
  {
    operation: 'list_health_sensors',
    status: 200,
    name: 'with and without the prefix; an unknown class has none',
    request: on(() => 'health/device_temperature'),
    check: async (a, d, api) => {
      expect(a.json).toEqual({
        status: 'ok',
        message: '',
        count: 1,
        graphs: [{ sensor_id: d.sensorId, desc: 'Inlet' }],
      })
      const at = (type: string) => api.call('GET', `/api/v0/devices/${d.deviceId}/health/${type}`)
      expect((await at('temperature')).json).toEqual(a.json)
      expect(member(await at('device_processor'), 'graphs')).toEqual([{ sensor_id: made.processorId, desc: 'CPU' }])
      expect(member(await at('mempool'), 'graphs')).toEqual([{ sensor_id: made.mempoolId, desc: 'RAM' }])
      expect(member(await at('device_storage'), 'graphs')).toMatchObject([{ desc: '/' }])
      expect(member(await at('device_voltage'), 'graphs')).toEqual([])
    },
  },
  ...refusals('list_health_sensors', 'health/device_temperature'),
  {
    operation: 'get_health_sensor',
    status: 200,
    name: 'a record; of another class, device or without an id none',
    request: on(() => 'health/device_mempool/1'),
    check: async (_, d, api) => {
      const at = async (path: string) =>
        member(await api.call('GET', `/api/v0/devices/${d.hostname}/health/${path}`), 'graphs')
      expect(await at(`device_temperature/${d.sensorId}`)).toMatchObject([
        { sensor_id: d.sensorId, sensor_current: 21 },
      ])
      expect(await at(`processor/${made.processorId}`)).toMatchObject([{ processor_descr: 'CPU', hrDeviceIndex: null }])
      expect(await at(`device_mempool/${made.mempoolId}`)).toMatchObject([{ mempool_total: 8e9 }])
      expect(await at(`device_voltage/${d.sensorId}`)).toEqual([])
      expect(await at('device_temperature/x')).toEqual([])
      expect(await at(`device_temperature/${2n ** 65n}`)).toEqual([])
    },
  },
  ...refusals('get_health_sensor', 'health/device_temperature/1'),
  {
    operation: 'list_available_wireless_graphs',
    status: 200,
    name: 'a graph for each class',
    request: on(() => 'wireless'),
    check: (a) =>
      expect(a.json).toEqual({ status: 'ok', graphs: [{ desc: 'Rssi', name: 'device_wireless_rssi' }], count: 1 }),
  },
  ...refusals('list_available_wireless_graphs', 'wireless'),
  {
    operation: 'list_wireless_sensors',
    status: 200,
    name: 'with and without the prefix',
    request: on(() => 'wireless/device_wireless_rssi'),
    check: async (a, d, api) => {
      expect(member(a, 'graphs')).toEqual([
        { sensor_id: made.wirelessId, desc: 'Radio 1' },
        { sensor_id: made.silentId, desc: 'Radio 2' },
      ])
      for (const type of ['rssi', 'wireless_rssi', 'device_rssi']) {
        expect((await api.call('GET', `/api/v0/devices/${d.hostname}/wireless/${type}`)).json).toEqual(a.json)
      }
    },
  },
  ...refusals('list_wireless_sensors', 'wireless/rssi'),
  {
    operation: 'get_wireless_sensor',
    status: 200,
    name: 'the whole record; an unknown one is an empty list',
    request: on(() => `wireless/device_wireless_rssi/${made.wirelessId}`),
    check: async (a, d, api) => {
      expect(member(a, 'graphs')).toMatchObject([{ sensor_descr: 'Radio 1', sensor_oids: '[".1.3"]' }])
      const none = await api.call('GET', `/api/v0/devices/${d.hostname}/wireless/ccq/${made.wirelessId}`)
      expect(none.json).toEqual({ status: 'ok', graphs: [], count: 0 })
    },
  },
  ...refusals('get_wireless_sensor', 'wireless/rssi/1'),
  {
    operation: 'get_health_graph',
    status: 200,
    name: 'an image of the class, with and without the prefix',
    request: on(() => `graphs/health/device_temperature?${SIZE}`),
    check: async (a, d, api) => {
      await picture(a, d, api)
      for (const type of ['temperature', 'device_processor', 'processor']) {
        const other = await api.call('GET', `/api/v0/devices/${d.hostname}/graphs/health/${type}?${SIZE}`)
        await picture(other, d, api)
      }
      const none = await api.call('GET', `/api/v0/devices/${d.hostname}/graphs/health/device_voltage`)
      expect({ status: none.status, message: message(none) }).toEqual({
        status: 404,
        message: 'No Data file device_voltage',
      })
    },
  },
  ...graphRefusals('get_health_graph', () => 'graphs/health/device_temperature', 'device_nonsense'),
  {
    operation: 'get_health_sensor_graph',
    status: 200,
    name: 'an image of one sensor or processor',
    request: on(() => `graphs/health/device_processor/${made.processorId}?${SIZE}`),
    check: async (a, d, api) => {
      await picture(a, d, api)
      const path = `/api/v0/devices/${d.hostname}/graphs/health`
      await picture(await api.call('GET', `${path}/device_temperature/${d.sensorId}?${SIZE}`), d, api)
      const none = await api.call('GET', `${path}/device_mempool/${made.mempoolId}`)
      expect({ status: none.status, message: message(none) }).toEqual({
        status: 404,
        message: 'No Data file mempool_usage',
      })
    },
  },
  ...graphRefusals('get_health_sensor_graph', (id) => `graphs/health/device_temperature/${id}`, 'sensor_nonsense'),
  {
    operation: 'get_wireless_graph',
    status: 200,
    name: 'an image of the class, also within JSON',
    request: on(() => `graphs/wireless/device_wireless_rssi?${SIZE}`),
    check: async (a, d, api) => {
      await picture(a, d, api)
      const text = await api.call('GET', `/api/v0/devices/${d.hostname}/graphs/wireless/rssi?${SIZE}&output=base64`)
      expect(text.json).toMatchObject({ status: 'ok', image: { 'content-type': 'image/png' }, count: 2 })
    },
  },
  ...graphRefusals('get_wireless_graph', () => 'graphs/wireless/device_wireless_rssi', 'device_wireless_nonsense'),
  {
    operation: 'get_wireless_sensor_graph',
    status: 200,
    name: 'an image of one sensor; another has no samples',
    request: on(() => `graphs/wireless/device_wireless_rssi/${made.wirelessId}?${SIZE}`),
    check: async (a, d, api) => {
      await picture(a, d, api)
      const none = await api.call(
        'GET',
        `/api/v0/devices/${d.hostname}/graphs/wireless/device_wireless_rssi/${made.silentId}`,
      )
      expect({ status: none.status, message: message(none) }).toEqual({
        status: 404,
        message: 'No Data file wireless_rssi',
      })
    },
  },
  ...graphRefusals(
    'get_wireless_sensor_graph',
    (id) => `graphs/wireless/device_wireless_rssi/${id}`,
    'wireless_nonsense',
  ),
]
