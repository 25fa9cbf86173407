import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { StoreError } from '../../../src/core/database/errors.ts'
import { portRecord, portRecords } from '../../../src/core/ports/read.ts'
import { livePortCounters, loadPortStates } from '../../../src/core/series/read-port-state.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { liveRow } from '../../support/live-row.ts'
import { batch, makeDevice, portSamples, portState } from '../../support/samples.ts'

setDefaultTimeout(60_000)
const DAY = 86_400_000
/** Whole seconds, because times are compared with stored ones. */
const NOW = Math.floor(Date.now() / 1000) * 1000

describe.each(testServers())('samples on $name', ({ url }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await testDatabase(url)
    store = database.store
  })
  afterAll(() => database.drop())

  const rowsOf = (portId: number) =>
    store.sql<Record<string, unknown>[]>`
      select extract(epoch from "time")::float8 * 1000 as ms, period_ms, in_octets, out_octets, in_err
      from ts.port_samples_stored where port_id = ${portId} order by "time"`

  test('a sample is stored as given, unknown values as null', async () => {
    const { portIds } = await makeDevice(store, 1)
    const deltas = { in_octets: 9_007_199_254_740_991, out_octets: 0 }
    await writeSamples(
      store,
      batch({ ports: portSamples([{ portId: portIds[0] ?? 0, time: NOW + 123, periodMs: 30_010, deltas }]) }),
    )
    expect([...(await rowsOf(portIds[0] ?? 0))]).toEqual([
      { ms: NOW + 123, period_ms: 30_010, in_octets: 9_007_199_254_740_991, out_octets: 0, in_err: null },
    ])
  })

  test('a batch with more rows than a statement takes is stored as given, also when it is repeated', async () => {
    const [from, rows] = [2_000_000, 9001]
    const large = batch({
      ports: portSamples(
        Array.from({ length: rows }, (_, i) => ({
          portId: from + i,
          time: NOW,
          periodMs: 60_000,
          deltas: { in_octets: i, out_octets: 2 * i },
        })),
      ),
    })
    for (let times = 0; times < 2; times++) {
      await writeSamples(store, large)
      const [found] = await store.sql`
        select count(*)::int as rows, count(*) filter (where in_octets = port_id - ${from} and out_octets = 2 * in_octets)::int as good
        from ts.port_samples_stored where port_id >= ${from}`
      expect({ ...found }).toEqual({ rows, good: rows })
    }
  })

  test('a batch written twice stores each sample once, with its first values', async () => {
    const { portIds, deviceId, sensorId } = await makeDevice(store, 2)
    const whole = (octets: number) =>
      batch({
        ports: portSamples(
          portIds.map((portId) => ({ portId, time: NOW, periodMs: 30_000, deltas: { in_octets: octets } })),
        ),
        portState: [portState(deviceId, NOW, portIds, () => 7n)],
        devices: [{ deviceId, time: NOW, tookMs: 12, answered: true, uptimeS: 5, requests: 3, timeouts: 0 }],
        icmp: [{ deviceId, time: NOW, sent: 3, received: 3, rttAvgMs: 1, rttMinMs: 0.5, rttMaxMs: 2 }],
        sensors: [{ id: sensorId, time: NOW, value: 21 }],
      })
    await writeSamples(store, whole(1))
    await writeSamples(store, whole(2))
    for (const portId of portIds) expect((await rowsOf(portId)).map((r) => r['in_octets'])).toEqual([1])
    const [counts] = await store.sql`
      select (select count(*) from ts.device_samples_stored where device_id = ${deviceId}) as devices,
             (select count(*) from ts.sensor_samples_stored where sensor_id = ${sensorId}) as sensors`
    expect(counts).toEqual({ devices: 1, sensors: 1 })
  })

  test('a rejected row rejects its whole batch', async () => {
    const { portIds, deviceId } = await makeDevice(store, 1)
    const refused = writeSamples(
      store,
      batch({
        ports: portSamples([{ portId: portIds[0] ?? 0, time: NOW, periodMs: 0, deltas: {} }]),
        devices: [{ deviceId, time: NOW, tookMs: 1, answered: true, uptimeS: 1, requests: 1, timeouts: 0 }],
      }),
    )
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', kind: 'invalid', retryable: false })
    const [row] = await store.sql`select last_polled from devices where device_id = ${deviceId}`
    expect(row).toEqual({ last_polled: null })
  })

  test('samples of past days find a partition; samples with impossible times are dropped', async () => {
    const { portIds } = await makeDevice(store, 1)
    const at = (time: number) => ({ portId: portIds[0] ?? 0, time, periodMs: 30_000, deltas: { in_octets: 1 } })
    const times = [NOW - 6 * DAY, NOW - 2 * DAY, NOW - 30 * DAY, NOW + 2 * DAY, NOW]
    await writeSamples(store, batch({ ports: portSamples(times.map(at)) }))
    expect((await rowsOf(portIds[0] ?? 0)).map((r) => r['ms'])).toEqual([NOW - 6 * DAY, NOW - 2 * DAY, NOW])
  })

  test('port states are stored exactly, the newest of each device', async () => {
    const { portIds, deviceId } = await makeDevice(store, 3)
    const counter = (port: number, c: number): bigint => 2n ** 64n - 1n - BigInt(port * 100 + c)
    const newest = portState(deviceId, NOW + 500, portIds, counter)
    await writeSamples(store, batch({ portState: [newest, portState(deviceId, NOW, portIds, () => 1n)] }))
    await writeSamples(store, batch({ portState: [portState(deviceId, NOW - 60_000, portIds, () => 2n)] }))
    expect((await loadPortStates(store, [deviceId])).get(deviceId)).toEqual(newest)
  })

  test('live counters are those of the last poll: raw value, previous value, delta and rate', async () => {
    const { portIds, deviceId } = await makeDevice(store, 2)
    const [first = 0, second = 0] = portIds
    const deltas = { in_octets: 3000, out_octets: 10, in_pkts: 7 }
    await writeSamples(
      store,
      batch({
        ports: portSamples([{ portId: first, time: NOW, periodMs: 30_000, deltas }]),
        // in_octets exceeds 2^53, out_octets is a 32-bit counter that has just wrapped
        portState: [portState(deviceId, NOW, portIds, (_, c) => [2n ** 63n, 4n, 100n][c] ?? 0n)],
      }),
    )
    const live = await livePortCounters(store, portIds)
    expect(live.get(first)).toMatchObject({
      ifInOctets: '9223372036854775808',
      ifInOctets_prev: '9223372036854772808',
      ifInOctets_delta: 3000,
      ifInOctets_rate: 100,
      ifOutOctets: 4,
      ifOutOctets_prev: 4_294_967_290,
      ifInUcastPkts_prev: 93,
      ifInErrors_delta: null,
      poll_time: NOW / 1000,
      poll_prev: NOW / 1000 - 30,
      poll_period: 30,
    })
    expect(live.get(second)).toMatchObject({
      ifInOctets: '9223372036854775808',
      ifInOctets_prev: null,
      ifInOctets_rate: null,
      poll_prev: null,
    })
    expect(await liveRow(store, first)).toEqual(live.get(first) ?? {})
  })

  test('the record of a single port equals that in a list', async () => {
    const { portIds, deviceId } = await makeDevice(store, 3)
    const unread = await makeDevice(store, 1)
    const [first = 0, second = 0, third = 0] = portIds
    await writeSamples(
      store,
      batch({
        ports: portSamples([{ portId: second, time: NOW, periodMs: 30_000, deltas: { in_octets: 3000, out_err: 1 } }]),
        // The third port was added after the last poll.
        portState: [portState(deviceId, NOW, [first, second], (port, c) => 2n ** 63n + BigInt(port * 100 + c))],
      }),
    )
    const ids = [first, second, third, unread.portIds[0] ?? 0]
    const [one, two, three, four] = await Promise.all(ids.map((id) => portRecord(store, id)))
    expect(await portRecords(store, ids)).toEqual([one, two, three, four].filter((row) => row != null))
    expect(two).toMatchObject({
      port_id: second,
      ifInOctets_delta: 3000,
      ifInOctets: String(2n ** 63n + BigInt(second * 100)),
    })
    expect(three).toMatchObject({ port_id: third, ifInOctets: null, poll_time: null })
    expect(await portRecord(store, 2 ** 31 - 1)).toBeNull()
  })

  test('the inventory shows the newest sample, and is only updated where a value changed', async () => {
    const { deviceId, sensorId, processorId, mempoolId, storageId } = await makeDevice(store, 0)
    const write = (time: number, value: number) =>
      writeSamples(
        store,
        batch({
          devices: [
            { deviceId, time, tookMs: 1234.5, answered: true, uptimeS: 1000, requests: 3, timeouts: 0 },
            { deviceId, time: time - 1000, tookMs: 1, answered: true, uptimeS: 999, requests: 3, timeouts: 0 },
          ],
          icmp: [{ deviceId, time, sent: 3, received: 2, rttAvgMs: 1.5, rttMinMs: 1, rttMaxMs: 2 }],
          sensors: [{ id: sensorId, time, value }],
          processors: [{ id: processorId, time, value: value + 0.4 }],
          mempools: [{ id: mempoolId, time, used: 10, free: 30, total: 40, perc: 25 }],
          storage: [{ id: storageId, time, used: 10, free: null, total: 40, perc: 25 }],
        }),
      )
    await write(NOW - 60_000, 20)
    await write(NOW - 30_000, 21)
    await write(NOW, 21)
    const [row] = await store.sql`
      select d.last_polled, d.last_polled_timetaken, d.uptime, d.last_ping_timetaken, s.sensor_current, s.sensor_prev, s.lastupdate,
        p.processor_usage, m.mempool_used, m.mempool_perc, t.storage_size, t.storage_free
      from devices d join sensors s using (device_id) join processors p using (device_id) join mempools m using (device_id)
        join storage t using (device_id) where device_id = ${deviceId}`
    expect(row).toEqual({
      last_polled: new Date(NOW),
      last_polled_timetaken: 1.235,
      uptime: 1000,
      last_ping_timetaken: 1.5,
      sensor_current: 21,
      sensor_prev: 20,
      lastupdate: new Date(NOW - 30_000),
      processor_usage: 21,
      mempool_used: 10,
      mempool_perc: 25,
      storage_size: 40,
      storage_free: 0,
    })
  })

  test('a poll without an SNMP answer keeps the last answer and records the attempt', async () => {
    const { deviceId } = await makeDevice(store, 0)
    await writeSamples(
      store,
      batch({
        devices: [{ deviceId, time: NOW - 1000, tookMs: 5, answered: true, uptimeS: 77, requests: 1, timeouts: 0 }],
      }),
    )
    await writeSamples(
      store,
      batch({
        devices: [{ deviceId, time: NOW, tookMs: 6000, answered: false, uptimeS: null, requests: 6, timeouts: 6 }],
      }),
    )
    const [row] =
      await store.sql`select uptime, last_polled, last_poll_attempted from devices where device_id = ${deviceId}`
    expect(row).toEqual({ uptime: 77, last_polled: new Date(NOW - 1000), last_poll_attempted: new Date(NOW) })
  })
})

test('an unavailable database is a retryable error', async () => {
  const store = connect('postgres://nobody@127.0.0.1:9/none')
  const refused = writeSamples(
    store,
    batch({ devices: [{ deviceId: 1, time: NOW, tookMs: 1, answered: true, uptimeS: 1, requests: 1, timeouts: 0 }] }),
  )
  await expect(refused).rejects.toBeInstanceOf(StoreError)
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable', retryable: true })
  await store.close()
})
