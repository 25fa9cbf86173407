import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { LinkRow } from '../../../src/modules/links/observation.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice, port, ports } from './factories.ts'

// The first database in a process starts a server.
setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const link = (local: string, remote_port = 'Gi0/2'): LinkRow => ({
  local: [{ by: 'name', value: local }],
  protocol: 'lldp',
  remote_hostname: 'far',
  remote_port,
  remote_platform: null,
  remote_version: 'Some OS 1.2',
  remote: { name: null, mac: null, addresses: [], portNames: [], portMac: null, portIndex: null },
})

/** Stored links of a device with two ports after each of the discoveries. */
async function after(...readings: LinkRow[][]) {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1, { ifName: 'one' }), port(2, { ifName: 'two' })])], {
    tookMs: 1,
    complete: true,
  })
  const stored: { id: number; ifIndex: number | null; active: number }[][] = []
  for (const rows of readings) {
    const links: Observation = { kind: 'links', complete: true, rows }
    await writeDiscovery(store, id, [links])
    stored.push(
      await store.sql<{ id: number; ifIndex: number | null; active: number }[]>`
        select id, "ifIndex", active from links left join ports on port_id = local_port_id
        where local_device_id = ${id} order by id`,
    )
  }
  return stored
}

test('a neighbour on another local port keeps its link, even after an absence', async () => {
  const [first = [], lost = [], moved = [], gone = [], back = []] = await after(
    [link('one')],
    [link('no port has this name')],
    [link('two')],
    [],
    [link('one')],
  )
  const id = first[0]?.id ?? 0
  expect([first, lost, moved, gone, back].map((rows) => rows.map((row) => ({ ...row })))).toEqual([
    [{ id, ifIndex: 1, active: 1 }],
    [{ id, ifIndex: null, active: 1 }],
    [{ id, ifIndex: 2, active: 1 }],
    [{ id, ifIndex: 2, active: 0 }],
    [{ id, ifIndex: 1, active: 1 }],
  ])
})

test('if two links could have moved, neither does', async () => {
  const [, second = []] = await after([link('one'), link('two')], [link('no port has this name')])
  expect(second.map(({ ifIndex, active }) => [ifIndex, active])).toEqual([
    [1, 0],
    [2, 0],
    [null, 1],
  ])
})

test('another port of the neighbour is a different link', async () => {
  const [, second = []] = await after([link('one')], [link('one', 'Gi0/3')])
  expect(second.map(({ active }) => active)).toEqual([0, 1])
})

test('the addresses that a neighbour reports are stored with its link, a few of them', async () => {
  const { store } = database
  const id = await newDevice(store)
  const addresses = [
    '127.0.0.1',
    'fe80::1',
    '10.0.0.1',
    '10.0.0.1',
    '2001:db8::1',
    ...[2, 3, 4, 5].map((n) => `10.0.0.${n}`),
  ]
  const remote = { ...link('one').remote, mac: '001b213c9df8', addresses }
  await writeDiscovery(store, id, [{ kind: 'links', complete: true, rows: [{ ...link('one'), remote }] }])
  expect(await store.sql`select remote_addresses, remote_mac from links where local_device_id = ${id}`).toMatchObject([
    { remote_addresses: '10.0.0.1,2001:db8::1,10.0.0.2,10.0.0.3,10.0.0.4', remote_mac: '001b213c9df8' },
  ])
})
