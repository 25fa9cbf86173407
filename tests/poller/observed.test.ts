import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeModules } from '../../src/core/polling/read-modules.ts'
import { loadDevicePlan } from '../../src/core/polling/read-plan.ts'
import { kindSeries } from '../../src/core/series/read.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import type { Observation } from '../../src/modules/observation.ts'
import { ingestObserved, observedRows, type TableSamples } from '../../src/poller/memory/table-samples.ts'
import { moduleTimes } from '../../src/poller/module-times.ts'
import { createBatch } from '../../src/poller/samples/batch.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { makeDevice } from '../support/samples.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const PEER = '192.0.2.1'
const OTHER = '192.0.2.2'
const START = Math.floor(Date.now() / 60_000) * 60_000 - 600_000

/** Observations of two sessions: messages in, and prefixes of the first session in two address families. */
function observations(messages: number, other: number | null, prefixes: readonly number[]): Observation[] {
  const session = (bgpPeerIdentifier: string, bgpPeerInTotalMessages: number | null) => ({
    bgpPeerIdentifier,
    context_name: '',
    astext: '',
    bgpPeerRemoteAs: 64_500,
    bgpPeerInTotalMessages,
  })
  return [
    { kind: 'bgp', complete: true, rows: [session(PEER, messages), session(OTHER, other)] },
    {
      kind: 'bgp_counters',
      complete: true,
      rows: prefixes.map((AcceptedPrefixes, i) => ({
        bgpPeerIdentifier: PEER,
        context_name: '',
        afi: i === 0 ? 'ipv4' : 'ipv6',
        safi: 'unicast',
        AcceptedPrefixes,
      })),
    },
  ]
}

async function router() {
  const { store } = database
  const { deviceId } = await makeDevice(store, 0)
  for (const peer of [PEER, OTHER]) {
    await store.sql`
      insert into "bgpPeers" (device_id, "bgpPeerIdentifier", "bgpPeerRemoteAs", context_name)
      values (${deviceId}, ${peer}, 64500, '')`
  }
  const [stored] = await loadDevicePlan(store, [deviceId])
  if (stored === undefined) throw new Error('no plan')
  return { store, deviceId, entry: { observed: observedRows(stored), readings: new Map() as TableSamples } }
}

test('messages and prefixes of BGP sessions from poll to graph', async () => {
  const { store, deviceId, entry } = await router()
  const batch = createBatch()
  const poll = (minute: number, list: Observation[], uptimeTicks: number | null = 1000 + minute * 6000) =>
    ingestObserved(
      entry,
      { at: START + minute * 60_000, uptimeTicks, observations: list, times: new Map() },
      batch,
      false,
      5000,
    )
  poll(0, observations(2 ** 32 - 20, 5, [100, 10]))
  poll(1, observations(40, 5, [100, 12]))
  poll(2, observations(100, 3, [90, 12]))
  const { bgp_peer: rows } = batch.seal().series
  // the Counter32 of the first session has wrapped; that of the second was reset, so its delta is unknown
  expect(rows?.values[0]).toEqual([60, 0, 60])
  expect(rows?.values[4]).toEqual([112, Number.NaN, 102])
  expect(rows?.periodMs).toEqual([60_000, 60_000, 60_000])

  await writeSamples(store, batch.seal())
  const window = { fromS: START / 1000, toS: START / 1000 + 120, stepS: 60 }
  const rule = { intervals: 3, intervalS: 60 }
  const data = await kindSeries(store, 'bgp_peer', { deviceId }, window, rule, ['in', 'prefixes'])
  expect(data.series.map(({ name, values }) => [name, [...values]])).toEqual([
    [`${PEER} in`, [1, 1]],
    [`${PEER} prefixes`, [112, 102]],
    [`${OTHER} in`, [0, Number.NaN]],
    [`${OTHER} prefixes`, [Number.NaN, Number.NaN]],
  ])
  const view = await store.sql`
    select peer, remote_as, in_messages, accepted_prefixes from ts.bgp_peer_values
    where device_id = ${deviceId} and peer = ${PEER} order by "time"`
  expect(view.map((row) => ({ ...row }))).toEqual([
    { peer: PEER, remote_as: 64_500, in_messages: 60, accepted_prefixes: 112 },
    { peer: PEER, remote_as: 64_500, in_messages: 60, accepted_prefixes: 102 },
  ])
})

test('a reading just after another gives no delta, and the next one counts from the first', async () => {
  const { entry } = await router()
  const batch = createBatch()
  const poll = (second: number, messages: number) => {
    const at = START + second * 1000
    const given = { at, uptimeTicks: 1000 + second * 100, observations: observations(messages, 5, [100, 10]) }
    ingestObserved(entry, { ...given, times: new Map() }, batch, false, 5000)
  }
  poll(0, 10)
  poll(2, 70)
  poll(4.999, 80)
  poll(60, 100)
  const { bgp_peer: rows } = batch.seal().series
  expect(rows?.values[0]).toEqual([90, 0])
  expect(rows?.periodMs).toEqual([60_000, 60_000])
})

test('after a restart of the agent there are no deltas', async () => {
  const { entry } = await router()
  const batch = createBatch()
  const poll = (minute: number, messages: number, restarted: boolean) =>
    ingestObserved(
      entry,
      {
        at: START + minute * 60_000,
        uptimeTicks: null,
        times: new Map(),
        observations: observations(messages, null, []),
      },
      batch,
      restarted,
      5000,
    )
  poll(0, 10, false)
  poll(1, 500, true)
  poll(2, 510, false)
  expect(batch.seal().series.bgp_peer?.values[0]).toEqual([10])
})

test('each module gets the time of its own requests, or its share of common ones', () => {
  const gauges = (...rows: [module: string, values: number][]) => ({ modules: () => rows.values() })
  const times = moduleTimes(
    {
      gauges: gauges(['processors', 1], ['mempools', 4], ['processors', 1]),
      stats: { offset: 6, positions: [1, 2] },
    },
    { portsMs: 50, gaugesMs: 80, modules: [{ name: 'bgp', tookMs: 7 }] },
  )
  expect([...times]).toEqual([
    ['ports', 50],
    ['processors', 20],
    ['mempools', 40],
    ['system-stats', 20],
    ['bgp', 7],
  ])
  expect([
    ...moduleTimes(
      { gauges: gauges(), stats: { offset: 0, positions: [] } },
      { portsMs: null, gaugesMs: null, modules: [] },
    ),
  ]).toEqual([])
})

test('poll times of modules are stored from the first poll on; a discovery keeps their series', async () => {
  const { store } = database
  const { deviceId } = await makeDevice(store, 0)
  const report = (name: string, rows: number) => ({ name, rows, requests: 1, tookMs: 5, note: '', complete: true })
  await writeModules(store, deviceId, [report('ports', 2), report('bgp', 3), report('ospf', 0)])
  const subjects = async () => (await loadDevicePlan(store, [deviceId]))[0]?.polled.module_time
  const before = await subjects()
  await writeModules(store, deviceId, [report('ports', 4), report('bgp', 3), report('ospf', 0), report('vrf', 1)])
  const after = await subjects()
  expect(before?.map((row) => row['module'])).toEqual(['ports', 'bgp'])
  expect(after?.slice(0, 2)).toEqual([...(before ?? [])])

  const [stored] = await loadDevicePlan(store, [deviceId])
  if (stored === undefined) throw new Error('no plan')
  const batch = createBatch()
  const times = new Map([
    ['ports', 12],
    ['bgp', 3],
    ['removed', 1],
  ])
  ingestObserved(
    { observed: observedRows(stored), readings: new Map() },
    { at: START, uptimeTicks: 1, observations: [], times },
    batch,
    true,
    5000,
  )
  await writeSamples(store, batch.seal())
  const view =
    await store.sql`select module, took_ms from ts.module_times where device_id = ${deviceId} order by module`
  expect(view.map((row) => ({ ...row }))).toEqual([
    { module: 'bgp', took_ms: 3 },
    { module: 'ports', took_ms: 12 },
  ])
})
