import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { describeBgpPeer } from '../../../src/core/inventory/write-routing.ts'
import type { BgpCounterRow, BgpRow } from '../../../src/modules/bgp/observation.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { address, ipv4, messagesOf, newDevice, port, ports, portsOf } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }

const peer = (rest: Partial<BgpRow> = {}): BgpRow => ({
  bgpPeerIdentifier: '192.0.2.2',
  context_name: '',
  astext: '',
  bgpPeerRemoteAs: 64501,
  bgpPeerState: 'established',
  bgpPeerAdminStatus: 'start',
  bgpLocalAddr: '192.0.2.1',
  bgpPeerRemoteAddr: '0.0.0.0',
  bgpPeerInUpdates: 10,
  ...rest,
})
const bgp = (rows: readonly BgpRow[], complete = true): Observation => ({ kind: 'bgp', complete, rows })

const sessions = (deviceId: number) => database.store.sql<Record<string, unknown>[]>`
  select "bgpPeer_id" as id, vrf_id, "bgpPeerState" as state, "bgpPeerIface" as iface, "bgpPeerDescr" as descr,
    "bgpPeerInUpdates" as updates
  from "bgpPeers" where device_id = ${deviceId} order by 1`

test('a session finds its VRF and its interface, and keeps its id when it changes', async () => {
  const { store } = database
  const id = await newDevice(store)
  const seen: Observation[] = [
    ports([port(7)]),
    ipv4([address(7, '192.0.2.1')]),
    { kind: 'vrfs', complete: true, rows: [{ vrf_oid: '2', vrf_name: 'red' }] },
  ]
  await writeDiscovery(store, id, [...seen, bgp([peer({ vrf_oid: '2' })])], run)
  const [before] = await sessions(id)
  expect(before).toMatchObject({ iface: 7, state: 'established' })
  expect(before?.['vrf_id']).toBeNumber()
  await writeDiscovery(store, id, [bgp([peer({ vrf_oid: '2', bgpPeerState: 'idle', bgpPeerLastErrorText: 'cease' })])])
  expect((await sessions(id))[0]).toEqual({ ...before, state: 'idle' })
  expect((await messagesOf(store, id)).at(-1)).toBe('BGP session 192.0.2.2 (AS64501) established -> idle: cease')
})

test('values that the agent did not report stay; a session is deleted only after a complete walk', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [bgp([peer(), peer({ bgpPeerIdentifier: '192.0.2.3' })])], run)
  await writeDiscovery(store, id, [bgp([peer({ bgpPeerState: undefined, bgpPeerInUpdates: undefined })], false)])
  expect(await sessions(id)).toMatchObject([{ state: 'established', updates: 10 }, {}])
  await writeDiscovery(store, id, [bgp([peer()])])
  expect(await sessions(id)).toHaveLength(1)
})

test('a description set by a person stays', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [bgp([peer({ bgpPeerDescr: 'agent' })])], run)
  const [session] = await sessions(id)
  expect(await describeBgpPeer(store, Number(session?.['id']), 'Transit')).toBe(true)
  await writeDiscovery(store, id, [bgp([peer({ bgpPeerDescr: 'agent, new' })])])
  expect((await sessions(id))[0]).toMatchObject({ descr: 'Transit' })
  expect(await describeBgpPeer(store, 2_147_483_647, 'x')).toBe(false)
})

test('prefix counters keep their previous values and their growth', async () => {
  const { store } = database
  const id = await newDevice(store)
  const counted = (AcceptedPrefixes: number): Observation => {
    const row: BgpCounterRow = {
      bgpPeerIdentifier: '192.0.2.2',
      context_name: '',
      afi: 'ipv4',
      safi: 'unicast',
      AcceptedPrefixes,
    }
    return { kind: 'bgp_counters', complete: true, rows: [row] }
  }
  const stored = async () =>
    (
      await store.sql`select "AcceptedPrefixes" as now, "AcceptedPrefixes_prev" as prev, "AcceptedPrefixes_delta" as delta
        from "bgpPeers_cbgp" where device_id = ${id}`
    )[0]
  await writeDiscovery(store, id, [counted(3_000_000_000)], run)
  expect(await stored()).toEqual({ now: 3_000_000_000, prev: 3_000_000_000, delta: 0 })
  await writeDiscovery(store, id, [counted(2_999_999_990)])
  expect(await stored()).toEqual({ now: 2_999_999_990, prev: 3_000_000_000, delta: -10 })
})

test('OSPF interfaces find ports by address, unnumbered ones by ifIndex, and neighbours by network', async () => {
  const { store } = database
  const id = await newDevice(store)
  const seen: Observation[] = [
    ports([port(7), port(8)]),
    ipv4([address(7, '192.0.2.1')]),
    {
      kind: 'ospf_ports',
      complete: true,
      rows: [
        { ospf_port_id: '192.0.2.1.0', ospfIfIpAddress: '192.0.2.1', ospfAddressLessIf: 0, context_name: '' },
        { ospf_port_id: '0.0.0.0.8', ospfIfIpAddress: '0.0.0.0', ospfAddressLessIf: 8, context_name: '' },
        { ospf_port_id: '10.9.9.9.0', ospfIfIpAddress: '10.9.9.9', ospfAddressLessIf: 0, context_name: '' },
      ],
    },
    {
      kind: 'ospf_neighbours',
      complete: true,
      rows: [
        { ospf_nbr_id: '192.0.2.9.0', ospfNbrIpAddr: '192.0.2.9', ospfNbrAddressLessIndex: 0, context_name: '' },
        { ospf_nbr_id: '10.1.1.1.0', ospfNbrIpAddr: '10.1.1.1', ospfNbrAddressLessIndex: 0, context_name: '' },
      ],
    },
  ]
  await writeDiscovery(store, id, seen, run)
  const [first, second] = (await portsOf(store, id)).map(({ port_id }) => port_id)
  const found =
    await store.sql`select ospf_port_id as name, port_id from ospf_ports where device_id = ${id} order by id`
  expect(found.map((row) => row['port_id'])).toEqual([first, second, 0])
  const near = await store.sql`select port_id from ospf_nbrs where device_id = ${id} order by id`
  expect(near.map((row) => row['port_id'])).toEqual([first, null])
  const again = await writeDiscovery(store, id, seen.slice(2))
  expect(again.kinds.ospf_ports).toEqual({ added: 0, changed: 0, removed: 0 })
  expect(again.kinds.ospf_neighbours).toEqual({ added: 0, changed: 0, removed: 0 })
})

test('OSPFv3 rows refer to their process and area, access points to their service', async () => {
  const { store } = database
  const id = await newDevice(store)
  const seen: Observation[] = [
    ports([port(2)]),
    { kind: 'ospfv3_instances', complete: true, rows: [{ router_id: '198.51.100.1', context_name: '' }] },
    { kind: 'ospfv3_areas', complete: true, rows: [{ ospfv3AreaId: 0, context_name: '' }] },
    {
      kind: 'ospfv3_ports',
      complete: true,
      rows: [{ ospfv3IfIndex: 2, ospfv3IfInstId: 0, ospfv3IfAreaId: 0, context_name: '' }],
    },
    { kind: 'mpls_services', complete: true, rows: [{ svc_oid: 100, svcOperStatus: 'up' }] },
    {
      kind: 'mpls_saps',
      complete: true,
      rows: [
        { svc_oid: 100, sapPortId: 1, sapEncapValue: '10' },
        { svc_oid: 101, sapPortId: 1, sapEncapValue: '10' },
      ],
    },
  ]
  await writeDiscovery(store, id, seen, run)
  const [v3] = await store.sql`
    select p.port_id = o.port_id as port, o.ospfv3_instance_id = i.id as instance, o.ospfv3_area_id = a.id as area
    from ospfv3_ports o join ospfv3_instances i using (device_id) join ospfv3_areas a using (device_id)
      join ports p using (device_id) where o.device_id = ${id}`
  expect(v3).toEqual({ port: true, instance: true, area: true })
  const saps = await store.sql`
    select s.svc_oid from mpls_saps a join mpls_services s on s.svc_id = a.svc_id where a.device_id = ${id}`
  expect(saps.map((row) => Number(row['svc_oid']))).toEqual([100])
  const again = await writeDiscovery(store, id, seen)
  for (const change of Object.values(again.kinds)) expect(change).toEqual({ added: 0, changed: 0, removed: 0 })
})
