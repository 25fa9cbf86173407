import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { compile } from '../../../src/core/rules/compile.ts'
import { brokenRule } from '../../../src/core/rules/read-matches.ts'
import { dropOldSightings } from '../../../src/core/sightings/write-retention.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice, port, ports } from '../discovery/factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const fdb = (...rows: readonly (readonly [string, number])[]): Observation => ({
  kind: 'fdb',
  complete: true,
  rows: rows.map(([mac_address, ifIndex]) => ({ mac_address, ifIndex, vlan: null })),
})
const [A, B] = ['4c14a3000001', '4c14a3000002']

async function devicesOf(...rules: readonly (readonly [field: string, operator: string, value: unknown])[]) {
  const compiled = compile({
    condition: 'AND',
    rules: rules.map(([field, operator, value]) => ({ field, operator, value })),
  })
  expect(await brokenRule(database.store, compiled)).toBeNull()
  const rows = await database.store.sql.unsafe<{ device_id: number }[]>(compiled.members, [...compiled.params])
  return rows.map(({ device_id }) => device_id)
}

test('a rule finds a MAC address that is new on a port, by the description of the port, and one that moved', async () => {
  const { store } = database
  const isNew = (alias: string) =>
    devicesOf(
      ['ports.ifAlias', 'contains', alias],
      ['sightings.is_new', 'equal', 1],
      ['sightings.first_seen', 'greater_or_equal', '`macros.past_60m`'],
    )
  const hasMoved = () => devicesOf(['mac_moves.moved_at', 'greater_or_equal', '`macros.past_60m`'])
  const id = await newDevice(store)
  const switchPorts = ports([port(1, { ifAlias: 'printer' }), port(2, { ifAlias: 'meeting room' }), port(3)])
  await writeDiscovery(store, id, [switchPorts, fdb([A, 1])], run)
  // everything is there for the first time
  expect(await isNew('printer')).toEqual([])
  await writeDiscovery(store, id, [fdb([A, 1], [B, 2])], run)
  expect(await isNew('printer')).toEqual([])
  expect(await isNew('meeting')).toEqual([id])
  expect(await hasMoved()).toEqual([])
  await writeDiscovery(store, id, [fdb([A, 1], [B, 3])], run)
  expect(await hasMoved()).toEqual([id])
  await store.sql`update sightings set first_seen = first_seen - interval '2 h', last_seen = last_seen - interval '2 h'`
  expect(await isNew('meeting')).toEqual([])
  // back on a port that it knows
  await writeDiscovery(store, id, [fdb([A, 1], [B, 2])], run)
  expect(await isNew('meeting')).toEqual([])
})

test('what ended long ago is deleted, what is there stays, and 0 days keep everything', async () => {
  const { store } = database
  const { sql } = store
  await sql`delete from devices`
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2)]), fdb([A, 1], [B, 1])], run)
  await writeDiscovery(store, id, [fdb([A, 1], [B, 2])], run)
  await sql`update sightings set first_seen = first_seen - interval '400 d', last_seen = last_seen - interval '366 d'`
  await sql`update mac_moves set moved_at = moved_at - interval '366 d'`
  expect(await dropOldSightings(store, 0)).toBe(0)
  expect(await dropOldSightings(store, 367)).toBe(0)
  expect(await dropOldSightings(store, 365)).toBe(2)
  const left = await sql<{ mac: string }[]>`select mac_address as mac from sightings where last_seen is null order by 1`
  expect(left.map(({ mac }) => mac)).toEqual([A, B])
})

test('a device that is deleted takes its sightings with it, and a port leaves them without a place', async () => {
  const { store } = database
  const { sql } = store
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2)]), fdb([A, 1], [B, 2])], run)
  await sql`delete from ports where device_id = ${id}`
  const [{ n = 0 } = {}] = await sql<{ n: number }[]>`
    select count(*)::int as n from sightings where device_id = ${id} and port_id is null`
  expect(n).toBe(2)
  await writeDiscovery(store, id, [ports([port(1), port(2)]), fdb([A, 1])], run)
  const open = await sql`select from sightings where device_id = ${id} and last_seen is null`
  expect(open.count).toBe(1)
  await sql`delete from devices where device_id = ${id}`
  expect((await sql`select from sightings where device_id = ${id}`).count).toBe(0)
})
