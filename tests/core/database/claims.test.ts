import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { claimDevices, dropOldClaims, isClaimed } from '../../../src/core/database/write-claims.ts'
import { loadPortStates } from '../../../src/core/series/read-port-state.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { PORT_COUNTER_COUNT } from '../../../src/lib/port-counters.ts'
import { createBatch } from '../../../src/poller/samples/batch.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { makeDevice, portState } from '../../support/samples.ts'

setDefaultTimeout(60_000)

const deltas = (portIds: readonly number[]) => new Float64Array(portIds.length * PORT_COUNTER_COUNT).fill(7)

const NOW = Math.floor(Date.now() / 1000) * 1000 - 60_000

describe.each(testServers())('claims of devices on $name', ({ url }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await testDatabase(url)
    store = database.store
  })
  afterAll(() => database.drop())

  /** A poll of each device under its claim: a sample of each port, the counters, and the outcome. */
  function polled(devices: readonly { deviceId: number; portIds: number[]; claim: number }[], time: number) {
    const batch = createBatch()
    for (const { deviceId, portIds, claim } of devices) {
      batch.under({ deviceId, claim })
      batch.addPorts(
        time,
        Int32Array.from(portIds),
        new Int32Array(portIds.length).fill(60_000),
        deltas(portIds),
        portIds.length,
      )
      batch.addState(portState(deviceId, time, portIds, () => BigInt(time)))
      batch.addDevice({ deviceId, time, tookMs: 5, answered: true, uptimeS: 9, requests: 1, timeouts: 0 })
    }
    return batch.seal()
  }
  const samplesOf = async (deviceId: number): Promise<number> => {
    const [row] = await store.sql<{ n: number }[]>`
      select ((select count(*) from ts.port_samples join ports using (port_id) where device_id = ${deviceId})
        + (select count(*) from ts.device_samples where device_id = ${deviceId}))::int as n`
    return row?.n ?? 0
  }

  test('rows made under a lost claim are dropped, for that device only, and the claim is reported', async () => {
    const [one, two] = [await makeDevice(store, 2), await makeDevice(store, 3)]
    const claim = await claimDevices(store, [one.deviceId, two.deviceId], 1)
    const both = polled(
      [
        { ...one, claim },
        { ...two, claim },
      ],
      NOW,
    )
    const other = await claimDevices(store, [two.deviceId], 2)
    expect(other).toBeGreaterThan(claim)
    const { stored, lost } = await writeSamples(store, both)
    expect(lost).toEqual([{ deviceId: two.deviceId, claim }])
    expect(stored.polls.map((poll) => poll.deviceId)).toEqual([one.deviceId])
    expect([await samplesOf(one.deviceId), await samplesOf(two.deviceId)]).toEqual([3, 0])
    const states = await loadPortStates(store, [one.deviceId, two.deviceId])
    expect([...states.keys()]).toEqual([one.deviceId])
    const [row] = await store.sql`select last_polled from devices where device_id = ${two.deviceId}`
    expect(row?.['last_polled']).toBeNull()
    expect((await writeSamples(store, polled([{ ...two, claim: other }], NOW))).lost).toEqual([])
    expect(await samplesOf(two.deviceId)).toBe(4)
  })

  test('one batch may have polls of a device under an old claim and a new one', async () => {
    const device = await makeDevice(store, 2)
    const before = await claimDevices(store, [device.deviceId], 1)
    const after = await claimDevices(store, [device.deviceId], 1)
    const batch = createBatch()
    for (const [claim, time] of [
      [before, NOW - 60_000],
      [after, NOW],
    ] as const) {
      batch.under({ deviceId: device.deviceId, claim })
      batch.addDevice({
        deviceId: device.deviceId,
        time,
        tookMs: 5,
        answered: true,
        uptimeS: 9,
        requests: 1,
        timeouts: 0,
      })
      batch.addState(portState(device.deviceId, time, device.portIds, () => 1n))
    }
    const { stored, lost } = await writeSamples(store, batch.seal())
    expect(lost).toEqual([{ deviceId: device.deviceId, claim: before }])
    expect(stored.portState.map((state) => state.time)).toEqual([NOW])
    expect(await samplesOf(device.deviceId)).toBe(1)
  })

  test('a claim waits for a writer under the previous claim, and then reads what it stored', async () => {
    const device = await makeDevice(store, 1)
    const claim = await claimDevices(store, [device.deviceId], 1)
    const { promise: hold, resolve: go } = Promise.withResolvers<void>()
    const { promise: began, resolve: begun } = Promise.withResolvers<void>()
    const writer = connect(database.url, { max: 2 })
    const writing = writer.sql.begin(async (tx) => {
      await tx`select from device_claims where device_id = ${device.deviceId} for share`
      begun()
      await hold
      await tx`insert into ts.port_state values (${device.deviceId}, now(), '{1}', '{1}', '{1}', '')`
    })
    await began
    let claimed = false
    const next = claimDevices(store, [device.deviceId], 2).then((made) => {
      claimed = true
      return made
    })
    // the server shows that it waits, so the test does not depend on timing
    for (;;) {
      const [row] =
        await store.sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into device_claims%'
        and datname = current_database()`
      if (row !== undefined) break
    }
    expect(claimed).toBe(false)
    go()
    await writing
    await writer.close()
    expect(await next).toBeGreaterThan(claim)
    expect((await loadPortStates(store, [device.deviceId])).size).toBe(1)
    expect(await isClaimed(store, { deviceId: device.deviceId, claim })).toBe(false)
    expect(await isClaimed(store, { deviceId: device.deviceId, claim: await next })).toBe(true)
  })

  test('dropping rows that are too old leaves the others with their claims', async () => {
    const [one, two] = [await makeDevice(store, 1), await makeDevice(store, 1)]
    const claim = await claimDevices(store, [one.deviceId], 1)
    const gone = await claimDevices(store, [two.deviceId], 1)
    await claimDevices(store, [two.deviceId], 2)
    const batch = createBatch()
    const add = (device: typeof one, own: number, time: number) => {
      batch.under({ deviceId: device.deviceId, claim: own })
      batch.addPorts(time, Int32Array.from(device.portIds), Int32Array.of(60_000), deltas(device.portIds), 1)
      batch.addIcmp({ deviceId: device.deviceId, time, sent: 1, received: 1, rttMinMs: 1, rttAvgMs: 1, rttMaxMs: 1 })
    }
    add(two, gone, 0)
    add(one, claim, 1)
    add(two, gone, NOW)
    add(one, claim, NOW)
    const { lost } = await writeSamples(store, batch.seal())
    expect(lost.map((own) => own.deviceId)).toEqual([two.deviceId, two.deviceId])
    expect([await samplesOf(one.deviceId), await samplesOf(two.deviceId)]).toEqual([1, 0])
    const [pings] = await store.sql<{ id: number }[]>`select device_id as id from ts.icmp_samples`
    expect(pings?.id).toBe(one.deviceId)
  })

  test('claims of deleted devices are deleted', async () => {
    const device = await makeDevice(store, 1)
    const claim = await claimDevices(store, [device.deviceId], 1)
    await store.sql`delete from devices where device_id = ${device.deviceId}`
    await dropOldClaims(store)
    expect(await isClaimed(store, { deviceId: device.deviceId, claim })).toBe(false)
  })
})
