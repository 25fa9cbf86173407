import { afterAll, beforeAll, expect, test } from 'bun:test'
import { StoreError } from '../../../../../src/core/database/errors.ts'
import { claimDevices } from '../../../../../src/core/database/write-claims.ts'
import { UNLIMITED_EVENTS } from '../../../../../src/core/discovery/event-budget.ts'
import { MessageError } from '../../../../../src/core/pollers/remote/link/checks.ts'
import type { Delivery } from '../../../../../src/core/pollers/remote/link/message.ts'
import { createSiteClaims, type SiteClaims } from '../../../../../src/core/pollers/remote/link/site-claims.ts'
import { storeDelivery } from '../../../../../src/core/pollers/remote/link/store-delivery.ts'
import { centralDeviceIds, listRemotePollers, remotePollerOf } from '../../../../../src/core/pollers/remote/read.ts'
import { writeRefusal } from '../../../../../src/core/pollers/remote/write.ts'
import { writeSamples } from '../../../../../src/core/series/write.ts'
import { SIGHTING_LIMITS } from '../../../../../src/core/sightings/sighting.ts'
import { createBatch } from '../../../../../src/poller/samples/batch.ts'
import type { SampleBatch } from '../../../../../src/series/samples.ts'
import { type TestDatabase, testDatabase } from '../../../../support/database.ts'

let database: TestDatabase
const GROUP = 3
let poller = { id: 0, poller_group: GROUP }
let own = 0
let foreign = 0
const ports: Record<number, number> = {}

beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`insert into poller_groups (id, group_name) values (${GROUP}, 'Oslo'), (4, 'Bergen')`
  const [row] = await sql<{ id: number }[]>`
    insert into remote_pollers (name, public_key, poller_group) values ('oslo', 'k', ${GROUP}) returning id`
  poller = { id: row?.id ?? 0, poller_group: GROUP }
  const device = async (name: string, group: number): Promise<number> => {
    const [made] = await sql<{ device_id: number }[]>`
      insert into devices (hostname, poller_group) values (${name}, ${group}) returning device_id`
    const id = made?.device_id ?? 0
    const [port] = await sql<{ port_id: number }[]>`
      insert into ports (device_id, "ifIndex", "ifName", "ifOperStatus") values (${id}, 1, 'eth0', 'up') returning port_id`
    ports[id] = port?.port_id ?? 0
    return id
  }
  own = await device('own', GROUP)
  foreign = await device('foreign', 4)
  claims = createSiteClaims(database.store, poller.id)
})
afterAll(() => database?.drop())

/** A delivery with a poll of these devices, each with one sample of its port. */
function pollOf(deviceIds: readonly number[], time: number): Delivery {
  const batch = createBatch(1)
  for (const deviceId of deviceIds) {
    const portId = Int32Array.of(ports[deviceId] ?? 0)
    batch.addState({
      deviceId,
      time,
      portId,
      ticks: Uint32Array.of(5),
      present: Uint32Array.of(1),
      counters: new BigUint64Array(12),
    })
    batch.addPorts(time, portId, Int32Array.of(1000), new Float64Array(12).fill(3), 1)
    batch.addDevice({ deviceId, time, tookMs: 5, answered: true, uptimeS: 9, requests: 1, timeouts: 0 })
  }
  return { kind: 'samples', batch: batch.seal() }
}

/** The claims of a process that begins to read the stream. */
let claims: SiteClaims
const deliver = (epoch: number, sequence: number, delivery: Delivery) =>
  storeDelivery(database.store, poller, { epoch, sequence }, new Date(), delivery, {
    considerMaintenance: false,
    budget: UNLIMITED_EVENTS,
    sightings: SIGHTING_LIMITS,
    claims,
  })

async function samplesOf(deviceId: number): Promise<number> {
  const [row] = await database.store.sql<{ n: number }[]>`
    select count(*)::int as n from ts.port_samples where port_id = ${ports[deviceId] ?? 0}`
  return row?.n ?? 0
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'stored',
    (error: unknown) => (error instanceof MessageError ? error.reason : String(error)),
  )
}

test('a message is stored only once', async () => {
  const now = Date.now()
  const poll = pollOf([own], now)
  expect(await deliver(10, 1, poll)).toMatchObject({ outcome: 'stored', foreignRows: 0, deviceIds: [own] })
  expect(await deliver(10, 1, poll)).toMatchObject({ outcome: 'duplicate' })
  expect(await samplesOf(own)).toBe(1)
  // the same samples with a later number, as after a lost acknowledgement: stored samples are not changed
  expect(await deliver(10, 2, poll)).toMatchObject({ outcome: 'stored' })
  expect(await samplesOf(own)).toBe(1)
  expect(await deliver(10, 1, pollOf([own], now + 1000))).toMatchObject({ outcome: 'duplicate' })
  expect(await samplesOf(own)).toBe(1)
})

test('missing numbers are counted, and messages from an earlier start of the poller are refused', async () => {
  const [before] = await listRemotePollers(database.store)
  expect(await deliver(10, 5, pollOf([own], Date.now()))).toMatchObject({ outcome: 'stored' })
  expect(await deliver(11, 1, pollOf([own], Date.now()))).toMatchObject({ outcome: 'stored' })
  expect(await deliver(10, 6, pollOf([own], Date.now()))).toMatchObject({ outcome: 'stale' })
  const [after] = await listRemotePollers(database.store)
  expect((after?.missing ?? 0) - (before?.missing ?? 0)).toBe(2)
  expect((after?.stored ?? 0) - (before?.stored ?? 0)).toBe(2)
})

test('samples of a foreign device are left out, the others are stored', async () => {
  const mine = await samplesOf(own)
  const result = await deliver(12, 1, pollOf([own, foreign], Date.now()))
  expect(result).toMatchObject({ outcome: 'stored', foreignRows: 2, deviceIds: [own] })
  expect(await samplesOf(own)).toBe(mine + 1)
  expect(await samplesOf(foreign)).toBe(0)
  const { sql } = database.store
  expect([...(await sql`select from ts.port_state where device_id = ${foreign}`)]).toEqual([])
  expect([...(await sql`select from devices where device_id = ${foreign} and last_polled is not null`)]).toEqual([])
})

test("counters of the poller's device that refer to a foreign port are left out", async () => {
  const { sql } = database.store
  await sql`delete from ts.port_state where device_id = ${own}`
  const made = pollOf([own], Date.now())
  if (made.kind !== 'samples') throw new Error('samples expected')
  const [state] = made.batch.portState
  if (state === undefined) throw new Error('a state expected')
  const batch = { ...made.batch, portState: [{ ...state, portId: Int32Array.of(ports[foreign] ?? 0) }] }
  await deliver(12, 2, { kind: 'samples', batch })
  expect([...(await sql`select from ts.port_state where device_id = ${own}`)]).toEqual([])
})

test('a message about only a foreign device is refused and changes nothing', async () => {
  const at = Date.now()
  const deliveries: readonly Delivery[] = [
    pollOf([foreign], at),
    { kind: 'status', deviceId: foreign, up: false, reason: 'snmp', at },
    { kind: 'failure', deviceId: foreign, failure: { kind: 'timeout' }, at, event: true },
    { kind: 'reboot', deviceId: foreign, beforeS: 5, at },
    { kind: 'event', deviceId: foreign, message: 'x', severity: 5, at },
    { kind: 'ports', deviceId: foreign, changes: [{ port_id: ports[foreign] ?? 0, ifOperStatus: 'down' }] },
    { kind: 'ports', deviceId: own, changes: [{ port_id: ports[foreign] ?? 0, ifOperStatus: 'down' }] },
    { kind: 'discovery', deviceId: foreign, observations: [{ kind: 'system', sysName: 'taken' }], ended: null },
    { kind: 'reboot', deviceId: 999_999, beforeS: 5, at },
  ]
  const { sql } = database.store
  const look = async () => [
    ...(await sql`select status, status_reason, "sysName" from devices where device_id = ${foreign}`),
    ...(await sql`select "ifOperStatus" from ports where device_id = ${foreign}`),
    ...(await sql`select count(*)::int from eventlog where device_id = ${foreign}`),
  ]
  const before = await look()
  for (const [i, delivery] of deliveries.entries())
    expect(await refusalOf(deliver(13, i + 1, delivery))).toBe('foreign_device')
  expect(await look()).toEqual(before)
})

test('a change is stored in one transaction with its position', async () => {
  const at = Date.now()
  const { sql } = database.store
  expect(
    await deliver(14, 1, {
      kind: 'ports',
      deviceId: own,
      changes: [{ port_id: ports[own] ?? 0, ifOperStatus: 'down' }],
    }),
  ).toMatchObject({ outcome: 'stored', what: ['ports'] })
  expect(await deliver(14, 2, { kind: 'status', deviceId: own, up: false, reason: 'snmp', at })).toMatchObject({
    what: ['status'],
  })
  const observations = [{ kind: 'system', sysName: 'r1' } as const]
  const run = { tookMs: 1, complete: true }
  const modules = [{ name: 'system', rows: 1, requests: 1, tookMs: 1, note: '', complete: true }]
  expect(
    await deliver(14, 3, { kind: 'discovery', deviceId: own, observations, ended: { run, modules } }),
  ).toMatchObject({ what: ['discovered'] })
  const [device] =
    await sql`select status, status_reason, "sysName", last_discovered is not null as found from devices where device_id = ${own}`
  expect(device).toMatchObject({ status: 0, status_reason: 'snmp', sysName: 'r1', found: true })
  const [port] = await sql`select "ifOperStatus" from ports where device_id = ${own}`
  expect(port).toMatchObject({ ifOperStatus: 'down' })
  // no text column accepts this value, so the whole message is rolled back
  const unfit: Delivery = { kind: 'status', deviceId: own, up: true, reason: 'a\0b', at }
  await expect(deliver(14, 4, unfit)).rejects.toBeInstanceOf(StoreError)
  const [mark] = await sql<{ sequence: number }[]>`select sequence from remote_pollers where id = ${poller.id}`
  expect(mark?.sequence).toBe(3)
})

test('a time in the future is refused', async () => {
  const at = Date.now() + 2 * 3_600_000
  expect(await refusalOf(deliver(15, 1, { kind: 'reboot', deviceId: own, beforeS: 5, at }))).toBe('garbled')
})

test('the centre polls devices that no remote poller polls', async () => {
  expect(await centralDeviceIds(database.store)).toEqual([foreign])
  expect(await centralDeviceIds(database.store, [own, foreign])).toEqual([foreign])
  expect(await remotePollerOf(database.store, own)).toBe('oslo')
  expect(await remotePollerOf(database.store, foreign)).toBeNull()
})

/** Begin and end of each sample of a device's port, epoch ms. */
async function spansOf(deviceId: number): Promise<{ from: number; to: number }[]> {
  return await database.store.sql<{ from: number; to: number }[]>`
    select extract(epoch from time)::float8 * 1000 - period_ms as from, extract(epoch from time)::float8 * 1000 as to
    from ts.port_samples where port_id = ${ports[deviceId] ?? 0} order by time`
}

test('what another poller has stored for a device is not counted again after it moves to the site', async () => {
  const { sql } = database.store
  const now = Math.floor(Date.now() / 1000) * 1000
  await sql`delete from ts.port_samples`
  await sql`delete from ts.port_state`
  // a poller of the cluster had it and still polls it after the remote poller has first read its counters
  const claim = await claimDevices(database.store, [own], 7)
  const late = pollOf([own], now - 500)
  if (late.kind !== 'samples') throw new Error('samples expected')
  const under = (batch: SampleBatch): SampleBatch => ({
    ...batch,
    claims: {
      held: [{ deviceId: own, claim }],
      ports: Int32Array.of(0),
      portState: [0],
      refusedPairs: [],
      polls: [0],
      series: { device: [0] },
    },
  })
  expect((await writeSamples(database.store, under(late.batch))).lost).toEqual([])
  claims = createSiteClaims(database.store, poller.id)
  // from the first reading at the site, before that of the other poller, to the second
  await deliver(16, 1, pollOf([own], now))
  expect(await spansOf(own)).toEqual([{ from: now - 1500, to: now - 500 }])
  await deliver(16, 2, pollOf([own], now + 1000))
  expect(await spansOf(own)).toEqual([
    { from: now - 1500, to: now - 500 },
    { from: now, to: now + 1000 },
  ])
  // later samples from the other poller are refused
  const later = pollOf([own], now + 1500)
  if (later.kind !== 'samples') throw new Error('samples expected')
  expect((await writeSamples(database.store, under(later.batch))).lost).toHaveLength(1)
  // another process that reads the stream continues where this one stopped
  claims = createSiteClaims(database.store, poller.id)
  await deliver(16, 3, pollOf([own], now + 1990))
  expect(await spansOf(own)).toHaveLength(3)
})

test('samples that arrive after more than 7 days are counted and not stored', async () => {
  const before = await samplesOf(own)
  const old = await deliver(16, 4, pollOf([own], Date.now() - 8 * 86_400_000))
  expect(old).toMatchObject({ outcome: 'stored', rows: 0, tooOld: 2 })
  expect(await samplesOf(own)).toBe(before)
  expect(await deliver(16, 5, pollOf([own], Date.now()))).toMatchObject({ rows: 2, tooOld: 0 })
})

test('samples that the site delivers after another poller has claimed the device are not stored and do not delay others', async () => {
  const { sql } = database.store
  const now = Date.now() + 10_000
  await deliver(17, 1, pollOf([own], now))
  const before = await spansOf(own)
  await sql`update devices set poller_group = 4 where device_id = ${own}`
  await claimDevices(database.store, [own], 7)
  expect(await refusalOf(deliver(17, 2, pollOf([own], now + 1000)))).toBe('foreign_device')
  expect(await spansOf(own)).toEqual(before)
  await sql`update devices set poller_group = ${GROUP} where device_id = ${own}`
  expect(await deliver(17, 3, pollOf([own], now + 2000))).toMatchObject({ outcome: 'stored' })
  expect(await spansOf(own)).toHaveLength(before.length + 1)
})

test('if a device is claimed between checking its group and storing its samples, its group is checked again', async () => {
  const { sql } = database.store
  const now = Date.now() + 20_000
  await deliver(18, 1, pollOf([own], now))
  const before = await spansOf(own)
  const required = claims.require
  let tries = 0
  const racing: SiteClaims = {
    ...claims,
    async require(inside, ids) {
      if (tries++ === 0) {
        await sql`update devices set poller_group = 4 where device_id = ${own}`
        await claimDevices(database.store, [own], 7)
      }
      await required(inside, ids)
    },
  }
  const options = { considerMaintenance: false, budget: UNLIMITED_EVENTS, sightings: SIGHTING_LIMITS, claims: racing }
  const racer = storeDelivery(
    database.store,
    poller,
    { epoch: 18, sequence: 2 },
    new Date(),
    pollOf([own], now + 1000),
    options,
  )
  expect(await refusalOf(racer)).toBe('foreign_device')
  expect(tries).toBe(1)
  expect(await spansOf(own)).toEqual(before)
  await sql`update devices set poller_group = ${GROUP} where device_id = ${own}`
})

test('a refused message does not count as missing, earlier ones that never arrived do', async () => {
  const mark = async () => {
    const [row] = await database.store.sql<{ epoch: number; sequence: number; missing: number }[]>`
      select epoch::int, sequence::int, missing::int from remote_pollers where id = ${poller.id}`
    return row
  }
  const refuse = async (epoch: number, sequence: number) => {
    const message = new Uint8Array(1)
    await writeRefusal(database.store, poller.id, {
      reason: 'garbled',
      position: '',
      message,
      arrived: { epoch, sequence },
    })
    return await mark()
  }
  const before = (await mark())?.missing ?? 0
  expect(await deliver(900, 1, pollOf([own], Date.now()))).toMatchObject({ outcome: 'stored' })
  expect(await refuse(900, 2)).toEqual({ epoch: 900, sequence: 2, missing: before })
  expect(await refuse(900, 5)).toEqual({ epoch: 900, sequence: 5, missing: before + 2 })
  expect(await refuse(900, 4)).toEqual({ epoch: 900, sequence: 5, missing: before + 2 })
  expect(await refuse(899, 9)).toEqual({ epoch: 900, sequence: 5, missing: before + 2 })
  expect(await refuse(901, 1)).toEqual({ epoch: 901, sequence: 1, missing: before + 2 })
  expect(await deliver(901, 2, pollOf([own], Date.now()))).toMatchObject({ outcome: 'stored' })
  expect((await mark())?.missing).toBe(before + 2)
})

test('refused messages are set aside, at most 100 per poller, long ones without their content', async () => {
  const { sql } = database.store
  for (let i = 0; i < 105; i++)
    await writeRefusal(database.store, poller.id, {
      reason: 'garbled',
      position: `1.${i + 1}.0.1`,
      message: new Uint8Array(i),
      arrived: null,
    })
  await writeRefusal(database.store, poller.id, {
    reason: 'unsealed',
    position: '',
    message: new Uint8Array(70_000),
    arrived: null,
  })
  const rows = await sql<{ position: string; octets: number; kept: number | null }[]>`
    select position, octets, length(message) as kept from remote_poller_refusals order by id`
  expect(rows.length).toBe(100)
  expect(rows[0]).toEqual({ position: '1.7.0.1', octets: 6, kept: 6 })
  expect(rows[99]).toEqual({ position: '', octets: 70_000, kept: null })
})
