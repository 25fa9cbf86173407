import { afterAll, beforeAll, expect, test } from 'bun:test'
import { coordinates, lockDevice, syncSystem } from '../../../src/core/discovery/device.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { SystemObservation } from '../../../src/modules/system/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { messagesOf, newDevice } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const system = (members: Omit<SystemObservation, 'kind'>): SystemObservation => ({ kind: 'system', ...members })

async function locationOf(deviceId: number) {
  const rows = await database.store.sql<{ id: number; location: string; lat: string | null; lng: string | null }[]>`
    select l.id, l.location, l.lat, l.lng from devices join locations l on l.id = location_id
    where device_id = ${deviceId}`
  return rows[0] ?? null
}

test('values of the system group are stored in the device record', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [
    system({
      sysObjectID: '1.3.6.1.4.1.9.1.1',
      sysName: 'core',
      os: 'ios',
      type: 'network',
      icon: 'cisco.svg',
      version: '15.2',
    }),
  ])
  const rows = await store.sql`select "sysObjectID", "sysName", os, type, icon, version, last_discovered
    from devices where device_id = ${id}`
  expect(rows[0]).toEqual({
    sysObjectID: '.1.3.6.1.4.1.9.1.1',
    sysName: 'core',
    os: 'ios',
    type: 'network',
    icon: 'cisco.svg',
    version: '15.2',
    last_discovered: null,
  })
})

test('a changed version and serial are events, after the first discovery', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [system({ version: '15.2', serial: 'A' })], run)
  await writeDiscovery(store, id, [system({ version: '15.4', serial: 'B' })], run)
  await writeDiscovery(store, id, [system({ version: undefined, serial: null })], run)
  expect(await messagesOf(store, id)).toEqual(['version: 15.2 -> 15.4', 'serial: A -> B', 'serial: B -> '])
  const rows = await store.sql`select version, serial from devices where device_id = ${id}`
  expect(rows[0]).toEqual({ version: '15.4', serial: null })
})

test('devices with the same sysLocation share a location, case-insensitive', async () => {
  const [a, b] = [await newDevice(database.store), await newDevice(database.store)]
  await writeDiscovery(database.store, a, [system({ sysLocation: 'Rack 12' })], run)
  await writeDiscovery(database.store, b, [system({ sysLocation: 'rack 12' })], run)
  expect(await locationOf(a)).toMatchObject({ location: 'Rack 12', lat: null })
  expect((await locationOf(b))?.id).toBe((await locationOf(a))?.id ?? 0)
})

test('devices at one place are stored side by side, and a place found by several at once is made once', async () => {
  const { store } = database
  const [a, b] = [await newDevice(store), await newDevice(store)]
  await writeDiscovery(store, a, [system({ sysLocation: 'Hall 1' })], run)
  const stay = Promise.withResolvers<void>()
  const held = store.sql.begin(async (tx) => {
    const device = await lockDevice(tx, a)
    if (device === null) throw new Error('no such device')
    await syncSystem(tx, device, system({ sysLocation: 'Hall 1' }), { count: 0 })
    await stay.promise
  })
  await writeDiscovery(store, b, [system({ sysLocation: 'Hall 1' })], run)
  stay.resolve()
  await held
  expect((await locationOf(b))?.id).toBe((await locationOf(a))?.id ?? 0)

  const many = await Promise.all(Array.from({ length: 8 }, () => newDevice(store)))
  await Promise.all(many.map((id) => writeDiscovery(store, id, [system({ sysLocation: 'Hall 2' })], run)))
  const places = new Set(await Promise.all(many.map(async (id) => (await locationOf(id))?.id)))
  expect(places.size).toBe(1)
  expect(places.has(undefined)).toBe(false)
})

test('coordinates in sysLocation become those of the location, unless a person fixed them', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [system({ sysLocation: 'Roof [51.5074, -0.1278]' })], run)
  expect(await locationOf(id)).toMatchObject({ lat: '51.50740000', lng: '-0.12780000' })
  const place = (await locationOf(id))?.id ?? 0
  await store.sql`update locations set lat = 1, lng = 2, fixed_coordinates = 1 where id = ${place}`
  await writeDiscovery(store, id, [system({ sysLocation: 'Roof [51.5074, -0.1278]' })], run)
  expect(await locationOf(id)).toMatchObject({ lat: '1.00000000', lng: '2.00000000' })
})

test('a location chosen by a person is kept', async () => {
  const { store } = database
  const id = await newDevice(store, { override_sysLocation: 1 })
  await writeDiscovery(store, id, [system({ sysLocation: 'Elsewhere' })], run)
  expect(await locationOf(id)).toBeNull()
})

test('an empty sysLocation clears the location, an unknown one keeps it', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [system({ sysLocation: 'Attic' })], run)
  await writeDiscovery(store, id, [system({})], run)
  expect(await locationOf(id)).toMatchObject({ location: 'Attic' })
  await writeDiscovery(store, id, [system({ sysLocation: '' })], run)
  expect(await locationOf(id)).toBeNull()
})

test.each([
  { name: 'brackets at the end', text: 'x [1.5, -2]', want: { lat: 1.5, lng: -2 } },
  { name: 'round brackets', text: 'x (1.5,-2)', want: { lat: 1.5, lng: -2 } },
  { name: 'only brackets', text: '[-90,180]', want: { lat: -90, lng: 180 } },
  { name: 'no coordinates', text: 'Room [12]', want: null },
  { name: 'not on this Earth', text: '[91, 0]', want: null },
  { name: 'brackets in the middle', text: '[1, 2] x', want: null },
])('coordinates: $name', ({ text, want }) => expect(coordinates(text)).toEqual(want))
