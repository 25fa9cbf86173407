import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { address, ipv4, messagesOf, newDevice, port, ports, sensor } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const whole = { complete: true } as const
const interfaces = ports([port(1), port(2)])

/** Rows of many kinds, as a switch has. */
const FULL: readonly Observation[] = [
  ipv4([address(1, '192.0.2.1')]),
  { kind: 'port-stack', ...whole, rows: [{ high_ifIndex: 1, low_ifIndex: 2, ifStackStatus: 'active' }] },
  {
    kind: 'vlans',
    ...whole,
    rows: [{ vlan_vlan: 10, vlan_domain: 1, vlan_name: 'ten', vlan_type: null, vlan_state: 1 }],
  },
  {
    kind: 'port-vlans',
    ...whole,
    rows: [{ ifIndex: 1, vlan: 10, baseport: 1, priority: 0, state: 'unknown', cost: 0, untagged: 1 }],
  },
  { kind: 'port-switching', ...whole, rows: [{ ifIndex: 1, ifVlan: '10', ifTrunk: 'dot1Q' }] },
  { kind: 'arp', ...whole, rows: [{ ifIndex: 1, address: '192.0.2.2', mac: '020000000002', context: null }] },
  { kind: 'sensors', ...whole, rows: [sensor('1')] },
  {
    kind: 'processors',
    ...whole,
    rows: [
      {
        processor_type: 'hr',
        processor_index: '1',
        processor_oid: '1.3.6.1.2.1.25.3.3.1.2.1',
        processor_descr: 'CPU',
        processor_precision: 1,
        hrDeviceIndex: 1,
        entPhysicalIndex: 0,
        processor_usage: 5,
      },
    ],
  },
  {
    kind: 'components',
    ...whole,
    rows: [{ type: 'f5-ltm-pool', uid: 'a', label: 'pool', status: 0, error: '', attributes: {} }],
  },
]
const EMPTY = FULL.map((observation) => ({ ...observation, rows: [] }) as Observation)

async function discovered(store: Store): Promise<number> {
  const id = await newDevice(store)
  await writeDiscovery(store, id, [interfaces, ...FULL], run)
  return id
}

test('rows that were not found are removed, whether one kind is empty or all are', async () => {
  const { store } = database
  const [together, apart] = [await discovered(store), await discovered(store)]
  const { kinds } = await writeDiscovery(store, together, [interfaces, ...EMPTY], run)
  const single: Record<string, unknown> = { ports: kinds.ports }
  for (const observation of EMPTY) Object.assign(single, (await writeDiscovery(store, apart, [observation], run)).kinds)
  expect(kinds).toEqual(single)
  expect(Object.keys(kinds).length).toBe(FULL.length + 1)
  for (const [kind, { removed, changed }] of Object.entries(kinds))
    expect([kind, removed + changed]).toEqual([kind, kind === 'ports' ? 0 : 1])
  expect((await messagesOf(store, together)).toSorted()).toEqual((await messagesOf(store, apart)).toSorted())
})

test('incomplete observations without rows remove nothing', async () => {
  const { store } = database
  const id = await discovered(store)
  const { kinds } = await writeDiscovery(
    store,
    id,
    EMPTY.map((observation) => ({ ...observation, complete: false })),
    run,
  )
  expect(Object.values(kinds).every(({ added, changed, removed }) => added + changed + removed === 0)).toBe(true)
})

test('a device that has none of many kinds keeps none', async () => {
  const { store } = database
  const id = await newDevice(store)
  const { kinds } = await writeDiscovery(store, id, [interfaces, ...EMPTY], run)
  expect(kinds.ports).toEqual({ added: 2, changed: 0, removed: 0 })
  expect(kinds.sensors).toEqual({ added: 0, changed: 0, removed: 0 })
  expect(await messagesOf(store, id)).toEqual(['Discovered 2 ports'])
})
