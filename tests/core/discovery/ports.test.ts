import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeDiscovery, writePortChanges } from '../../../src/core/discovery/write.ts'
import type { PortRow } from '../../../src/modules/ports/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { messagesOf, newDevice, port, ports, portsOf } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1500, complete: true }

test('the first discovery stores every port and a single event', async () => {
  const { store } = database
  const id = await newDevice(store)
  const changes = await writeDiscovery(store, id, [ports([port(1), port(2)])], run)
  expect(changes.kinds.ports).toEqual({ added: 2, changed: 0, removed: 0 })
  expect((await portsOf(store, id)).map((p) => [p.ifIndex, p.ifName, p.deleted])).toEqual([
    [1, 'Gi0/1', 0],
    [2, 'Gi0/2', 0],
  ])
  expect(await messagesOf(store, id)).toEqual(['Discovered 2 ports'])
  const device = await store.sql`select last_discovered, last_discovered_timetaken from devices where device_id = ${id}`
  expect(device[0]?.['last_discovered_timetaken']).toBe(1.5)
  expect(device[0]?.['last_discovered']).toBeInstanceOf(Date)
})

test('repeating the same discovery changes nothing', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2)])], run)
  const before = await portsOf(store, id)
  const changes = await writeDiscovery(store, id, [ports([port(1), port(2)])], run)
  expect(changes).toEqual({
    kinds: { ports: { added: 0, changed: 0, removed: 0 } },
    system: 0,
    events: 0,
    cleaned: 0,
    unstored: [],
  })
  expect(await portsOf(store, id)).toEqual(before)
})

test('a truncated walk never deletes ports', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2), port(3)])], run)
  const changes = await writeDiscovery(store, id, [ports([port(2, { ifAlias: 'uplink' })], false)], run)
  expect(changes.kinds.ports).toEqual({ added: 0, changed: 1, removed: 0 })
  expect((await portsOf(store, id)).map((p) => p.deleted)).toEqual([0, 0, 0])
})

test('one truncated observation of two keeps the ports of both', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2)])], run)
  await writeDiscovery(store, id, [ports([port(1)]), ports([], false)], run)
  expect((await portsOf(store, id)).map((p) => p.deleted)).toEqual([0, 0])
})

test('a port missing in a complete walk is marked as deleted and gets its row back when it returns', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2)])], run)
  const [, second] = await portsOf(store, id)
  await writeDiscovery(store, id, [ports([port(1)])], run)
  expect((await portsOf(store, id)).map((p) => p.deleted)).toEqual([0, 1])
  await writeDiscovery(store, id, [ports([port(1), port(2)])], run)
  expect((await portsOf(store, id))[1]).toEqual({ ...second, deleted: 0 } as never)
  expect(await messagesOf(store, id)).toEqual([
    'Discovered 2 ports',
    'Interface Gi0/2 removed',
    'Interface Gi0/2 is back',
  ])
})

describe('ids are stable when ifIndexes are reassigned', () => {
  const before: PortRow[] = [1, 2, 3, 4].map((i) =>
    port(i, { ifName: `Gi0/${i}`, ifDescr: `GigabitEthernet0/${i}`, ifAlias: `customer ${i}` }),
  )
  // 1 -> 4, 2 -> 1, 3 -> 2, 4 -> 3: every port gets the former ifIndex of another
  const after = before.map((row) => ({ ...row, ifIndex: ((row.ifIndex + 2) % 4) + 1 }))
  test.each([
    { name: 'ifName', mode: 2 },
    { name: 'ifDescr', mode: 3 },
    { name: 'ifAlias', mode: 4 },
  ])('by $name', async ({ mode }) => {
    const { store } = database
    const id = await newDevice(store, { port_association_mode: mode })
    await writeDiscovery(store, id, [ports(before)], run)
    const ids = new Map((await portsOf(store, id)).map((p) => [p.ifName, p.port_id]))
    await writeDiscovery(store, id, [ports(after)], run)
    const now = await portsOf(store, id)
    expect(now.length).toBe(4)
    expect(new Map(now.map((p) => [p.ifName, p.port_id]))).toEqual(ids)
    expect(new Map(now.map((p) => [p.ifName, p.ifIndex]))).toEqual(
      new Map(after.map((p) => [p.ifName ?? '', p.ifIndex])),
    )
  })
  test('by ifIndex the names move and the ids stay with the ifIndex', async () => {
    const { store } = database
    const id = await newDevice(store, { port_association_mode: 1 })
    await writeDiscovery(store, id, [ports(before)], run)
    const ids = new Map((await portsOf(store, id)).map((p) => [p.ifIndex, p.port_id]))
    await writeDiscovery(store, id, [ports(after)], run)
    expect(new Map((await portsOf(store, id)).map((p) => [p.ifIndex, p.port_id]))).toEqual(ids)
    expect((await portsOf(store, id)).map((p) => p.ifName)).toEqual(['Gi0/2', 'Gi0/3', 'Gi0/4', 'Gi0/1'])
  })
  test('equal names keep their ids by ifIndex', async () => {
    const { store } = database
    const id = await newDevice(store, { port_association_mode: 2 })
    const same = [1, 2, 3].map((i) => port(i, { ifName: 'eth' }))
    await writeDiscovery(store, id, [ports(same)], run)
    const first = await portsOf(store, id)
    await writeDiscovery(store, id, [ports([...same].reverse())], run)
    expect(await portsOf(store, id)).toEqual(first)
  })
})

test('a walk without names adds no second row for a port that is known by name', async () => {
  const { store } = database
  const id = await newDevice(store, { port_association_mode: 2 })
  await writeDiscovery(store, id, [ports([port(1), port(2)])], run)
  const before = await portsOf(store, id)
  await writeDiscovery(store, id, [ports([{ ifIndex: 1, ifOperStatus: 'up' }, port(2)], false)], run)
  expect(await portsOf(store, id)).toEqual(before)
})

test('values that the agent did not report are kept, values reported as empty are cleared', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1, { ifMtu: 1500, ifAlias: 'uplink' })])], run)
  await writeDiscovery(store, id, [ports([{ ifIndex: 1, ifMtu: null }])], run)
  expect((await portsOf(store, id))[0]).toMatchObject({ ifName: 'Gi0/1', ifAlias: 'uplink', ifMtu: null })
})

test('a description set by a person survives discovery and polls', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1, { ifAlias: 'from device' })])], run)
  const [row] = await portsOf(store, id)
  const portId = row?.port_id ?? 0
  await store.sql`update ports set "ifAlias" = 'by hand' where port_id = ${portId}`
  await store.sql`insert into devices_attribs (device_id, attrib_type, attrib_value) values (${id}, 'ifName:Gi0/1', '1')`
  await writeDiscovery(store, id, [ports([port(1, { ifAlias: 'changed on device' })])], run)
  await writePortChanges(store, [{ port_id: portId, ifAlias: 'changed again', ifOperStatus: 'down' }])
  expect((await portsOf(store, id))[0]).toMatchObject({ ifAlias: 'by hand', ifOperStatus: 'down' })
})

test('a poll that sees a port go down and up stores both statuses and an event for each', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1)])], run)
  const [row] = await portsOf(store, id)
  const port_id = row?.port_id ?? 0
  await writePortChanges(store, [
    { port_id, ifOperStatus: 'down' },
    { port_id: 2 ** 31 - 1, ifOperStatus: 'down' },
  ])
  expect((await portsOf(store, id))[0]).toMatchObject({ ifOperStatus: 'down', ifOperStatus_prev: 'up' })
  await writePortChanges(store, [{ port_id, ifOperStatus: 'up', ifSpeed: 1e9, ifHighSpeed: 1000 }])
  const events = await store.sql<{ message: string; type: string; reference: string; severity: number }[]>`
    select message, type, reference, severity from eventlog where device_id = ${id} and type = 'interface' order by event_id`
  expect([...events]).toEqual([
    { message: 'ifOperStatus: up -> down', type: 'interface', reference: String(port_id), severity: 5 },
    { message: 'ifSpeed:  -> 1000000000', type: 'interface', reference: String(port_id), severity: 3 },
    { message: 'ifOperStatus: down -> up', type: 'interface', reference: String(port_id), severity: 1 },
  ])
})

test('invalid values are cleaned or dropped and counted, and the rest is stored', async () => {
  const { store } = database
  const id = await newDevice(store)
  const changes = await writeDiscovery(
    store,
    id,
    [
      ports([
        port(1, { ifAlias: 'a\u0000b\ud800c', ifMtu: 4_294_967_295, ifSpeed: Number.NaN, ifType: 'x'.repeat(500) }),
        port(2, { ifDescr: `${'😀'.repeat(300)}` }),
      ]),
    ],
    run,
  )
  const [first, second] = await portsOf(store, id)
  expect(first).toMatchObject({ ifAlias: 'ab\ufffdc', ifMtu: null, ifName: 'Gi0/1' })
  expect(second?.ifDescr).toBe('😀'.repeat(255))
  expect(changes.cleaned).toBe(5)
})

test('a device that was deleted meanwhile changes nothing', async () => {
  const { store } = database
  const id = await newDevice(store)
  await store.sql`delete from devices where device_id = ${id}`
  expect(await writeDiscovery(store, id, [ports([port(1)])], run)).toEqual({
    kinds: {},
    system: 0,
    events: 0,
    cleaned: 0,
    unstored: [],
  })
})

test('two concurrent discoveries of a device create each port once', async () => {
  const { store } = database
  const id = await newDevice(store)
  const rows = Array.from({ length: 200 }, (_, i) => port(i + 1))
  await Promise.all([1, 2, 3].map(() => writeDiscovery(store, id, [ports(rows)], run)))
  expect((await portsOf(store, id)).length).toBe(200)
})

test('removing a line card logs one event, not hundreds', async () => {
  const { store } = database
  const id = await newDevice(store)
  const rows = Array.from({ length: 120 }, (_, i) => port(i + 1))
  await writeDiscovery(store, id, [ports(rows)], run)
  await writeDiscovery(store, id, [ports(rows.slice(0, 20))], run)
  expect(await messagesOf(store, id)).toEqual(['Discovered 120 ports', '100 changes of ports'])
})
