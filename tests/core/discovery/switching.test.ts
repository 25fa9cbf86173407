import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { FdbRow } from '../../../src/modules/fdb/observation.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import type { PortSwitchingRow, PortVlanRow, VlanRow } from '../../../src/modules/vlans/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice, port, ports } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const vlans = (rows: readonly VlanRow[], complete = true): Observation => ({ kind: 'vlans', complete, rows })
const vlan = (vlan_vlan: number, rest: Partial<VlanRow> = {}): VlanRow => ({
  vlan_vlan,
  vlan_domain: 1,
  vlan_name: `VLAN ${vlan_vlan}`,
  vlan_type: null,
  vlan_state: 1,
  ...rest,
})
const portVlans = (rows: readonly PortVlanRow[], complete = true): Observation => ({
  kind: 'port-vlans',
  complete,
  rows,
})
const on = (ifIndex: number, number: number, rest: Partial<PortVlanRow> = {}): PortVlanRow => ({
  ifIndex,
  vlan: number,
  baseport: ifIndex,
  priority: 0,
  state: 'unknown',
  cost: 0,
  untagged: 0,
  ...rest,
})
const switching = (rows: readonly PortSwitchingRow[], complete = true): Observation => ({
  kind: 'port-switching',
  complete,
  rows,
})
const fdb = (rows: readonly FdbRow[], complete = true): Observation => ({ kind: 'fdb', complete, rows })
const learned = (mac_address: string, number: number | null, ifIndex: number): FdbRow => ({
  mac_address,
  vlan: number,
  ifIndex,
})

const [A, B] = ['020000000001', '020000000002']

/** A device with ports 1 to 3 after its first discovery. */
async function discovered(store: Store, ...observations: readonly Observation[]): Promise<number> {
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2), port(3)]), ...observations], run)
  return id
}

const vlansOf = ({ sql }: Store, id: number) =>
  sql<{ vlan_id: number; vlan_vlan: number; vlan_name: string }[]>`
    select vlan_id, vlan_vlan, vlan_name from vlans where device_id = ${id} order by vlan_id`

const fdbOf = ({ sql }: Store, id: number) =>
  sql<{ ports_fdb_id: number; mac: string; vlan: number | null; ifIndex: number | null; fresh: boolean }[]>`
    select f.ports_fdb_id, f.mac_address as mac, v.vlan_vlan as vlan, p."ifIndex", f.updated_at > f.created_at as fresh
    from ports_fdb f left join vlans v using (vlan_id) left join ports p using (port_id)
    where f.device_id = ${id} order by f.ports_fdb_id`

const eventsOf = async ({ sql }: Store, id: number) =>
  (await sql<{ message: string }[]>`select message from eventlog where device_id = ${id} order by event_id`).map(
    ({ message }) => message,
  )

test('a renamed VLAN keeps its row; it is deleted only after a complete walk, and both are logged', async () => {
  const { store } = database
  const id = await discovered(store, vlans([vlan(10), vlan(20)]))
  const before = await vlansOf(store, id)
  await writeDiscovery(store, id, [vlans([vlan(10, { vlan_name: 'office' })], false)], run)
  expect([...(await vlansOf(store, id))]).toEqual([
    { vlan_id: before[0]?.vlan_id ?? 0, vlan_vlan: 10, vlan_name: 'office' },
    { vlan_id: before[1]?.vlan_id ?? 0, vlan_vlan: 20, vlan_name: 'VLAN 20' },
  ])
  await writeDiscovery(store, id, [vlans([vlan(10, { vlan_name: 'office' }), vlan(30)])], run)
  expect((await vlansOf(store, id)).map((row) => row.vlan_vlan)).toEqual([10, 30])
  expect(await eventsOf(store, id)).toEqual(
    expect.arrayContaining(['VLAN 20 VLAN 20 removed', 'VLAN 30 VLAN 30 added']),
  )
})

test('VLANs on ports keep their rows, follow the agent, and need a port', async () => {
  const { store } = database
  const read = (id: number) =>
    store.sql<{ id: number; ifIndex: number; vlan: number; state: string; untagged: number }[]>`
      select port_vlan_id as id, "ifIndex", vlan, state, untagged from ports_vlans join ports using (port_id)
      where ports.device_id = ${id} order by "ifIndex", vlan`
  const id = await discovered(store, portVlans([on(1, 10), on(1, 20), on(99, 10)]))
  const before = await read(id)
  expect(before.map((row) => [row.ifIndex, row.vlan])).toEqual([
    [1, 10],
    [1, 20],
  ])
  await writeDiscovery(store, id, [portVlans([on(1, 10, { state: 'forwarding', untagged: 1 })], false)], run)
  const changed = await read(id)
  expect(changed).toEqual([{ ...before[0], state: 'forwarding', untagged: 1 }, before[1]] as typeof changed)
  await writeDiscovery(store, id, [portVlans([on(1, 20)])], run)
  expect((await read(id)).map((row) => row.id)).toEqual([before[1]?.id ?? 0])
})

test('ifStackTable rows between ports, and of ports with nothing above or below, are stored; others are not', async () => {
  const { store } = database
  const stack = (rows: readonly (readonly [number, number])[], complete = true): Observation => ({
    kind: 'port-stack',
    complete,
    rows: rows.map(([high_ifIndex, low_ifIndex]) => ({ high_ifIndex, low_ifIndex, ifStackStatus: 'active' })),
  })
  const read = async (id: number) =>
    (
      await store.sql<{ pair: string }[]>`
        select coalesce(h."ifIndex", 0) || ' ' || coalesce(l."ifIndex", 0) as pair from ports_stack s
          left join ports h on h.port_id = s.high_port_id left join ports l on l.port_id = s.low_port_id
        where s.device_id = ${id} order by 1`
    ).map(({ pair }) => pair)
  const id = await discovered(
    store,
    stack([
      [1, 2],
      [1, 99],
      [3, 2],
      [0, 1],
      [2, 0],
      [0, 99],
    ]),
  )
  expect(await read(id)).toEqual(['0 1', '1 2', '2 0', '3 2'])
  await writeDiscovery(store, id, [stack([[1, 2]], false)], run)
  expect(await read(id)).toEqual(['0 1', '1 2', '2 0', '3 2'])
  await writeDiscovery(store, id, [stack([[1, 2]])], run)
  expect(await read(id)).toEqual(['1 2'])
})

test("each port's native VLAN follows the agent, is logged, and is cleared only by a complete walk", async () => {
  const { store } = database
  const read = async (id: number) =>
    (
      await store.sql<{ row: string }[]>`
        select concat_ws(' ', "ifIndex", coalesce("ifVlan", '-'), coalesce("ifTrunk", '-')) as row from ports
        where device_id = ${id} order by "ifIndex"`
    ).map(({ row }) => row)
  const id = await discovered(
    store,
    switching([
      { ifIndex: 1, ifVlan: '10', ifTrunk: null },
      { ifIndex: 2, ifVlan: '1', ifTrunk: 'dot1Q' },
    ]),
  )
  expect(await read(id)).toEqual(['1 10 -', '2 1 dot1Q', '3 - -'])
  await writeDiscovery(store, id, [switching([{ ifIndex: 1, ifVlan: '20', ifTrunk: null }], false)], run)
  expect(await read(id)).toEqual(['1 20 -', '2 1 dot1Q', '3 - -'])
  expect(await eventsOf(store, id)).toContain('ifVlan: 10 -> 20')
  await writeDiscovery(store, id, [switching([])], run)
  expect(await read(id)).toEqual(['1 - -', '2 - -', '3 - -'])
})

test('an address that moves within its VLAN keeps its row with a new updated_at', async () => {
  const { store } = database
  const id = await discovered(store, vlans([vlan(10), vlan(20)]), fdb([learned(A, 10, 1), learned(A, 20, 1)]))
  const before = await fdbOf(store, id)
  expect(before).toMatchObject([
    { mac: A, vlan: 10, ifIndex: 1, fresh: false },
    { mac: A, vlan: 20, ifIndex: 1 },
  ])
  await writeDiscovery(store, id, [fdb([learned(A, 10, 2), learned(B, 10, 1)])], run)
  expect(await fdbOf(store, id)).toMatchObject([
    { ports_fdb_id: before[0]?.ports_fdb_id, ifIndex: 2, fresh: true },
    { ports_fdb_id: before[1]?.ports_fdb_id, ifIndex: 1, fresh: false },
    { mac: B, vlan: 10, ifIndex: 1 },
  ])
})

test('in an unknown VLAN each port that reports an address has a row, also an unknown port', async () => {
  const { store } = database
  const rows = [learned(A, null, 1), learned(A, 77, 2), learned(A, null, 99), learned(A, null, 1)]
  const id = await discovered(store, fdb(rows))
  const before = await fdbOf(store, id)
  expect(before.map((row) => row.ifIndex).toSorted()).toEqual([1, 2, null])
  await writeDiscovery(store, id, [fdb(rows)], run)
  expect((await fdbOf(store, id)).map((row) => row.ports_fdb_id)).toEqual(before.map((row) => row.ports_fdb_id))
})

test('an address not seen again stays for days, and is deleted by a complete walk after that', async () => {
  const { store } = database
  const id = await discovered(store, fdb([learned(A, null, 1), learned(B, null, 1)]))
  const macs = async () => (await fdbOf(store, id)).map((row) => row.mac).toSorted()
  await writeDiscovery(store, id, [fdb([learned(A, null, 1)])], run)
  expect(await macs()).toEqual([A, B])
  await store.sql`update ports_fdb set updated_at = now() - interval '11 days' where device_id = ${id}`
  await writeDiscovery(store, id, [fdb([learned(A, null, 1)], false)], run)
  expect(await macs()).toEqual([A, B])
  await writeDiscovery(store, id, [fdb([learned(A, null, 1)])], run)
  expect(await macs()).toEqual([A])
})
