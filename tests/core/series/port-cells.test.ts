import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { CELLS_HEADER, counterOf, decodeCells, encodeCells } from '../../../src/core/series/port-cells.ts'
import {
  LIVE_SQL,
  type LiveRow,
  liveOf,
  livePortCounters,
  loadPortState,
} from '../../../src/core/series/read-port-state.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { PORT_COUNTER_COUNT } from '../../../src/lib/port-counters.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { liveRow } from '../../support/live-row.ts'
import { batch, makeDevice, portSamples, portState } from '../../support/samples.ts'

// The raw counters of a device's ports as they are stored between two polls.

setDefaultTimeout(60_000)

const MAX = 2n ** 64n - 1n
const TIME = Date.now() - 60_000

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('every counter and every time comes back, whatever its size', () => {
  const edges = [
    0n,
    1n,
    255n,
    256n,
    2n ** 31n,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 40n + 7n,
    2n ** 56n,
    2n ** 63n,
    MAX - 1n,
    MAX,
  ]
  for (let ports = 0; ports < 6; ports++) {
    for (let shift = 0; shift < edges.length; shift++) {
      const counters = BigUint64Array.from(
        { length: ports * PORT_COUNTER_COUNT },
        (_, i) => edges[Math.min(edges.length - 1, Math.floor(i / Math.max(1, ports)) + (i % 3) - shift)] ?? 0n,
      )
      const ticks = Uint32Array.from({ length: ports }, (_, i) =>
        shift % 2 === 0 ? 0xffff_ffff - i * 70_000 : shift * i,
      )
      const bytes = encodeCells({ ticks, counters })
      expect(decodeCells(bytes, ports)).toEqual({ ticks, counters })
      const row = (bytes.length - CELLS_HEADER) / Math.max(1, ports)
      for (let i = 0; i < counters.length; i++) {
        const at = CELLS_HEADER + (i % ports) * row
        expect(counterOf(bytes, bytes.subarray(at, at + row), Math.floor(i / ports))).toBe(counters[i] as bigint)
      }
    }
  }
})

test('idle ports take no room', () => {
  const idle = { ticks: new Uint32Array(48).fill(123), counters: new BigUint64Array(48 * PORT_COUNTER_COUNT) }
  expect(encodeCells(idle)).toHaveLength(CELLS_HEADER)
})

/** What each reader says about a port. */
async function readings(deviceId: number, portId: number) {
  const { store } = database
  const [row] = await store.sql.unsafe<LiveRow[]>(
    `select ${LIVE_SQL.columns} from ports p ${LIVE_SQL.joins} where p.port_id = ${portId}`,
  )
  return {
    state: await loadPortState(store, deviceId),
    live: (await livePortCounters(store, [portId])).get(portId),
    row: row === undefined ? null : liveOf(row),
    view: await liveRow(store, portId),
  }
}

/** Counters of a size of their own, with the largest. */
const counterAt = (port: number, counter: number) =>
  counter === 0 ? MAX - BigInt(port) : 2n ** BigInt(5 * counter) + BigInt(port)

async function store48(time = TIME) {
  const { store } = database
  const { deviceId, portIds } = await makeDevice(store, 48)
  const state = portState(deviceId, time, portIds, counterAt)
  const ports = portSamples(
    portIds.map((portId) => ({ portId, time, periodMs: 60_000, deltas: { in_octets: 600, in_pkts: 5 } })),
  )
  await writeSamples(store, batch({ ports, portState: [state] }))
  return { deviceId, portIds, state }
}

/** The row as versions before wrote it, in the columns that they know. */
async function storeAsBefore(deviceId: number, counter0: bigint) {
  const state = await loadPortState(database.store, deviceId)
  if (state === null) throw new Error('the device has no counters')
  const bytes = Buffer.alloc(state.counters.length * 8)
  for (const [i, value] of state.counters.entries())
    bytes.writeBigUInt64BE(i < state.portId.length ? counter0 + BigInt(i) : value, i * 8)
  await database.store.sql`update ts.port_state set port_id = ids, present = seen, counters = ${bytes}::bytea,
    ticks = ${`{${[...state.ticks].join()}}`}::bigint[] where device_id = ${deviceId}`
}

test('all readers see the same counters, in both forms', async () => {
  const { deviceId, portIds, state } = await store48()
  const port = portIds[7] as number
  const now = await readings(deviceId, port)
  expect(now.state).toEqual(state)
  const packets = 1024 + port
  expect(now.live).toMatchObject({
    ifInOctets: String(MAX - BigInt(port)),
    ifInOctets_delta: 600,
    ifInOctets_rate: 10,
    ifOutOctets: 32 + port,
    ifInUcastPkts: packets,
    ifInUcastPkts_prev: packets - 5,
  })
  expect(now.row).toEqual(now.live as typeof now.row)
  expect(now.view).toEqual(now.live as typeof now.view)
  await storeAsBefore(deviceId, MAX - 47n)
  const before = await readings(deviceId, port)
  expect(before.live).toMatchObject({ ifInOctets: String(MAX - 40n), ifOutOctets: 32 + port })
  expect(before.row).toEqual(before.live as typeof now.row)
  expect(before.view).toEqual(before.live as typeof now.view)
})

test('an older node sees a device that was not polled, and what it writes holds', async () => {
  const { deviceId, portIds } = await store48()
  const [seen] = await database.store.sql`
    select cardinality(port_id) as ports, cardinality(present) as present, length(counters) as octets from ts.port_state where device_id = ${deviceId}`
  expect(seen).toEqual({ ports: 0, present: 0, octets: 0 })
  await storeAsBefore(deviceId, 5n)
  expect((await loadPortState(database.store, deviceId))?.counters[1]).toBe(6n)
  const next = portState(deviceId, TIME + 60_000, portIds, () => 9n)
  await writeSamples(database.store, batch({ portState: [next] }))
  expect(await loadPortState(database.store, deviceId)).toEqual(next)
})

test('counters of 48 ports are kept in the row and updated within its page', async () => {
  const { deviceId, portIds } = await store48()
  for (let poll = 1; poll <= 20; poll++) {
    const state = portState(deviceId, TIME + poll * 1000, portIds, (_, c) => 2n ** 40n + BigInt(poll * c))
    await writeSamples(database.store, batch({ portState: [state] }))
  }
  const [size] = await database.store.sql`
    select pg_relation_size(c.reltoastrelid)::int as beside from pg_class c where c.oid = 'ts.port_state'::regclass`
  expect(size).toEqual({ beside: 0 })
  const [{ page } = { page: null }] = await database.store
    .sql`select (ctid::text::point)[0] as page from ts.port_state where device_id = ${deviceId}`
  await writeSamples(
    database.store,
    batch({ portState: [portState(deviceId, TIME + 60_000, portIds, () => 2n ** 40n)] }),
  )
  expect(
    await database.store.sql`select (ctid::text::point)[0] as page from ts.port_state where device_id = ${deviceId}`,
  ).toMatchObject([{ page }])
})
