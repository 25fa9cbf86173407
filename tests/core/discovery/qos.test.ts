import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { loadDevicePlan } from '../../../src/core/polling/read-plan.ts'
import { kindSeries } from '../../../src/core/series/read.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { counterKey, type QosClassRow } from '../../../src/modules/qos/observation.ts'
import { ingestObserved, observedRows, type TableSamples } from '../../../src/poller/memory/table-samples.ts'
import { createBatch } from '../../../src/poller/samples/batch.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { messagesOf, newDevice, port, ports } from './factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const VOICE: QosClassRow = {
  ifIndex: 7,
  circuit: '',
  direction: 'output',
  policy: 'WAN',
  class: 'voice',
  qos_index: '50.2',
  config_index: 4_000_000_901,
}
const classes = (...rows: Partial<QosClassRow>[]): Observation => ({
  kind: 'qos',
  complete: true,
  rows: rows.map((row) => ({ ...VOICE, ...row })),
})
const counted = (counters: readonly number[], row: QosClassRow = VOICE): Observation => ({
  kind: 'qos_counters',
  complete: true,
  rows: [{ key: counterKey(row), counters }],
})

async function router(...rows: Partial<QosClassRow>[]): Promise<number> {
  const id = await newDevice(database.store)
  await writeDiscovery(database.store, id, [ports([port(7, { ifName: 'Gi0/7' })]), classes(...rows)], {
    tookMs: 1,
    complete: true,
  })
  return id
}
async function stored(id: number) {
  const rows = await database.store.sql<Record<string, unknown>[]>`
    select * from qos_classes where device_id = ${id} order by qos_id`
  return rows.map((row) => ({ ...row }))
}

test('a class keeps its row, and its rates, when the agent numbers its classes anew', async () => {
  const id = await router({}, { class: 'control', ifIndex: 0, circuit: 'control plane', direction: 'input' })
  const [voice, control] = await stored(id)
  expect(voice).toMatchObject({ ifIndex: 7, policy: 'WAN', class: 'voice', offered_rate: null })
  expect(voice?.['port_id']).toBeNumber()
  expect(control).toMatchObject({ port_id: null, circuit: 'control plane' })
  await database.store.sql`update qos_classes set dropped_rate = 5 where device_id = ${id}`
  const before = (await messagesOf(database.store, id)).length
  await writeDiscovery(database.store, id, [classes({ qos_index: '60.9', config_index: 12 })])
  expect(await stored(id)).toMatchObject([
    { ...voice, qos_index: '60.9', dropped_rate: 5, config_index: expect.anything() },
  ])
  expect((await messagesOf(database.store, id)).slice(before)).toEqual(['QoS class control of policy WAN removed'])
})
test('counters from poll to series, current rates and Grafana', async () => {
  const { store } = database
  const id = await router({})
  const [stored1] = await loadDevicePlan(store, [id])
  if (stored1 === undefined) throw new Error('no plan')
  const entry = { observed: observedRows(stored1), readings: new Map() as TableSamples }
  const start = Math.floor(Date.now() / 60_000) * 60_000 - 600_000
  const batch = createBatch()
  const poll = (minute: number, ...observations: readonly Observation[]) =>
    ingestObserved(
      entry,
      { at: start + minute * 60_000, uptimeTicks: 1000 + minute * 6000, observations, times: new Map() },
      batch,
      false,
      5000,
    )
  const base = 2 ** 40
  poll(0, counted([base, base, 0, 100, 0]))
  poll(1, counted([base + 7500, base + 6000, 1500, 220, 60]))
  // another class has the index: no reading
  poll(2, counted([9, 9, 9, 9, 9], { ...VOICE, config_index: 5 }))
  poll(3, counted([base + 9000, base + 7500, 1500, 340, 60]))
  // cleared, then a jump that no interface can carry
  poll(4, counted([10, 2 ** 52, 0, 400, 61]))
  // an agent that does not answer
  poll(5)
  const { qos_class: rows } = batch.seal().series
  expect(rows?.time.map((at) => (at - start) / 60_000)).toEqual([1, 2, 3, 4])
  const { NaN: unknown } = Number
  expect(rows?.values).toEqual([
    [7500, unknown, 1500, unknown],
    [6000, unknown, 1500, unknown],
    [1500, unknown, 0, unknown],
    [120, unknown, 120, 60],
    [60, unknown, 0, 1],
  ])
  const again = createBatch()
  const qosId = Number((await stored(id))[0]?.['qos_id'])
  again.add('qos_class', qosId, start + 60_000, [7500, 6000, 1500, 120, 60], 60_000)
  again.add('qos_class', qosId, start + 120_000, [Number.NaN, 6000, 0, 120, 0], 60_000)
  await store.sql`update qos_classes set offered_rate = 5 where qos_id = ${qosId}`
  await writeSamples(store, again.seal())
  expect((await stored(id))[0]).toMatchObject({
    offered_rate: null,
    sent_rate: 800,
    dropped_rate: 0,
    offered_packets_rate: 2,
    dropped_packets_rate: 0,
  })
  const window = { fromS: start / 1000, toS: start / 1000 + 120, stepS: 60 }
  const { series } = await kindSeries(store, 'qos_class', { deviceId: id }, window, { intervals: 3, intervalS: 60 })
  expect(series.map(({ name, values }) => [name, ...values])).toEqual([
    ['Gi0/7 output WAN: voice offered', 1000, Number.NaN],
    ['Gi0/7 output WAN: voice sent', 800, 800],
    ['Gi0/7 output WAN: voice dropped', 200, 0],
    ['Gi0/7 output WAN: voice packets offered', 2, 2],
    ['Gi0/7 output WAN: voice packets dropped', 1, 0],
  ])
  const shown = await store.sql`
    select qos_class, offered_bits_per_s::float8 as offered, dropped_packets_per_s::float8 as dropped
    from grafana.qos_class_rates where qos_id = ${qosId} order by "time"`
  expect(shown.map((row) => ({ ...row }))).toEqual([
    { qos_class: 'Gi0/7 output WAN: voice', offered: 1000, dropped: 1 },
    { qos_class: 'Gi0/7 output WAN: voice', offered: null, dropped: 0 },
  ])
})
