import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { address, ipv4, newDevice, port, ports, portsOf } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }

function addressesOf(store: Store, deviceId: number) {
  return store.sql<{ id: number; address: string; prefix: number; network: string | null; ifIndex: number }[]>`
    select ipv4_address_id as id, ipv4_address as address, ipv4_prefixlen as prefix, ipv4_network as network, "ifIndex"
    from ipv4_addresses join ports using (port_id) left join ipv4_networks using (ipv4_network_id)
    where device_id = ${deviceId} order by ipv4_address_id`
}

test('addresses belong to ports and networks, and a network is created once', async () => {
  const { store } = database
  const [a, b] = [await newDevice(store), await newDevice(store)]
  await writeDiscovery(store, a, [ports([port(1)]), ipv4([address(1, '192.0.2.1')])], run)
  await writeDiscovery(
    store,
    b,
    [ports([port(7)]), ipv4([address(7, '192.0.2.2'), address(7, '203.0.113.5', 32)])],
    run,
  )
  expect((await addressesOf(store, a)).map(({ id: _, ...row }) => row)).toEqual([
    { address: '192.0.2.1', prefix: 24, network: '192.0.2.0/24', ifIndex: 1 },
  ])
  expect((await addressesOf(store, b)).map((row) => [row.address, row.network])).toEqual([
    ['192.0.2.2', '192.0.2.0/24'],
    ['203.0.113.5', null],
  ])
  const networks = await store.sql`select count(*)::int as n from ipv4_networks where ipv4_network = '192.0.2.0/24'`
  expect(networks[0]?.['n']).toBe(1)
})

test('addresses of interfaces without a port are not stored', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1)]), ipv4([address(99, '198.51.100.1')])], run)
  expect((await addressesOf(store, id)).length).toBe(0)
})

test('a truncated walk never removes addresses, a complete one does', async () => {
  const { store } = database
  const id = await newDevice(store)
  const both = [address(1, '192.0.2.1'), address(1, '192.0.2.9')]
  await writeDiscovery(store, id, [ports([port(1)]), ipv4(both)], run)
  await writeDiscovery(store, id, [ipv4([], false)], run)
  expect((await addressesOf(store, id)).length).toBe(2)
  await writeDiscovery(store, id, [ipv4([address(1, '192.0.2.9')])], run)
  expect((await addressesOf(store, id)).map((row) => row.address)).toEqual(['192.0.2.9'])
})

test('an address that moves to another port or prefix keeps its row', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2)]), ipv4([address(1, '10.1.1.1')])], run)
  const [before] = await addressesOf(store, id)
  await writeDiscovery(store, id, [ipv4([address(2, '10.1.1.1', 16)])], run)
  const [after] = await addressesOf(store, id)
  expect(after).toEqual({ id: before?.id ?? 0, address: '10.1.1.1', prefix: 16, network: '10.1.0.0/16', ifIndex: 2 })
})

test('an address on two ports has two rows', async () => {
  const { store } = database
  const id = await newDevice(store)
  const anycast = [address(1, '10.9.9.9'), address(2, '10.9.9.9')]
  await writeDiscovery(store, id, [ports([port(1), port(2)]), ipv4(anycast)], run)
  const first = await addressesOf(store, id)
  await writeDiscovery(store, id, [ipv4([...anycast].reverse())], run)
  expect(first.length).toBe(2)
  expect(await addressesOf(store, id)).toEqual(first)
})

test('IPv6: global addresses have a network, link-local ones and unknown prefixes none', async () => {
  const { store } = database
  const id = await newDevice(store)
  const row = (text: string, compressed: string, prefixLen: number) =>
    ({ address: text, compressed, prefixLen, origin: 'manual', ifIndex: 1, context: null }) as const
  await writeDiscovery(
    store,
    id,
    [
      ports([port(1)]),
      {
        kind: 'ipv6',
        complete: true,
        rows: [
          row('2001:0db8:0000:0001:0000:0000:0000:0005', '2001:db8:0:1::5', 64),
          row('fe80:0000:0000:0000:0000:0000:0000:0001', 'fe80::1', 64),
          row('2001:0db8:0000:0002:0000:0000:0000:0005', '2001:db8:0:2::5', 0),
        ],
      },
    ],
    run,
  )
  const rows = await store.sql<{ ipv6_compressed: string; ipv6_network: string | null }[]>`
    select ipv6_compressed, ipv6_network from ipv6_addresses join ports using (port_id)
    left join ipv6_networks using (ipv6_network_id) where device_id = ${id} order by ipv6_address_id`
  expect(rows.map((r) => [r.ipv6_compressed, r.ipv6_network])).toEqual([
    ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
    ['fe80::1', null],
    ['2001:db8:0:2::5', null],
  ])
})

test('addresses of a port that returns with another ifIndex follow it', async () => {
  const { store } = database
  const id = await newDevice(store, { port_association_mode: 2 })
  await writeDiscovery(store, id, [ports([port(1)]), ipv4([address(1, '10.4.4.4')])], run)
  const [stored] = await portsOf(store, id)
  await writeDiscovery(store, id, [ports([{ ...port(1), ifIndex: 77 }]), ipv4([address(77, '10.4.4.4')])], run)
  expect((await addressesOf(store, id)).map((row) => row.ifIndex)).toEqual([77])
  expect((await portsOf(store, id)).map((p) => p.port_id)).toEqual([stored?.port_id ?? 0])
})
