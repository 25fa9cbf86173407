import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { askNeighbours } from '../../../src/core/candidates/ask-neighbours.ts'
import { targetsOf } from '../../../src/core/candidates/neighbours.ts'
import { makesNetworkEquipment, NETWORK_MANUFACTURERS } from '../../../src/core/candidates/network-manufacturers.ts'
import type { ProbeTarget } from '../../../src/core/candidates/observed-host.ts'
import type { Reported } from '../../../src/core/candidates/read-reported.ts'
import { recordHost } from '../../../src/core/candidates/record-host.ts'
import { blocksOf } from '../../../src/core/inventory/manufacturers.ts'
import type { AskHosts } from '../../../src/core/scans/scan.ts'
import { type TestApi, testApi } from '../../support/api.ts'
import { answering, MACS, mute } from './hosts.ts'

setDefaultTimeout(60_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())
beforeEach(async () => {
  await api.store.sql`truncate candidates, devices, eventlog restart identity cascade`
  await api.store.sql`insert into devices (device_id, hostname, ip, status) values (1, 'switch1', '10.0.0.1', 1)`
  await api.store
    .sql`insert into ports (port_id, device_id, "ifIndex", "ifName") values (1, 1, 1, 'Gi1/0/1'), (2, 1, 2, 'Gi1/0/2')`
})

/** Neighbours that links report: name, addresses, platform, description. */
const link = (
  name: string,
  addresses: string | null,
  over: { protocol?: string; platform?: string; version?: string; port?: number } = {},
) =>
  api.store.sql`
    insert into links (local_device_id, local_port_id, protocol, remote_hostname, remote_port, remote_platform, remote_version, remote_addresses)
    values (1, ${over.port ?? 1}, ${over.protocol ?? 'lldp'}, ${name}, 'eth0', ${over.platform ?? null}, ${over.version ?? ''}, ${addresses})`

test('network equipment that switches have learned is asked at the address that ARP gives it', async () => {
  const { sql } = api.store
  await sql`insert into devices (device_id, hostname, ip, status, disabled) values (2, 'switch2', '10.0.0.2', 1, 0), (3, 'off', '10.0.0.3', 1, 1)`
  await sql`insert into ports (port_id, device_id, "ifIndex", "ifName") values (3, 2, 1, 'uplink'), (4, 3, 1, 'x')`
  // Cisco's, Cisco's without ARP, Intel's, Cisco's at an address of a monitored device
  await sql`insert into ports_fdb (port_id, mac_address, device_id) values
    (1, '00000c123456', 1), (1, '00000c123457', 1), (1, '001b21000001', 1), (1, '00000c123458', 1),
    (3, '00000c123456', 2), (3, '001b21000001', 2), (3, '001b21000002', 2), (3, '001b21000003', 2),
    (3, '001b21000004', 2), (4, '00000c12345a', 3)`
  await sql`insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address) values
    (3, 2, '00000c123456', '10.0.0.9'), (3, 2, '001b21000001', '10.0.0.10'), (3, 2, '00000c123458', '10.0.0.2'),
    (4, 3, '00000c12345a', '10.0.0.11')`
  await sql`insert into ipv6_nd (port_id, device_id, mac_address, ipv6_address) values
    (3, 2, '00000c123456', '2001:0db8:0000:0000:0000:0000:0000:0009')`
  expect(await round({ 'autodiscovery.fdb': false })).toEqual([])
  const nets = ['10.0.0.0/8', '2001:db8::/32']
  const up = { '10.0.0.9': 'access-9' }
  expect((await round({ nets }, up)).toSorted()).toEqual(['10.0.0.9', '2001:db8::9'])
  // the port with the fewest MAC addresses is named
  const [only, ...others] = await found()
  expect(others).toEqual([])
  expect(only).toMatchObject({ name: 'access-9', by: ['fdb switch1 Gi1/0/1'] })
})

test('every manufacturer of network equipment has blocks of MAC addresses in the registry', async () => {
  for (const name of NETWORK_MANUFACTURERS) {
    const [block] = await blocksOf(name)
    expect([name, block]).toEqual([name, expect.stringMatching(/^[0-9a-f]{6,9}$/)])
  }
  for (const name of ['Cisco Systems, Inc', 'Arista', 'F5 Inc.', 'Zte corporation'])
    expect(makesNetworkEquipment(name)).toBe(true)
  for (const name of ['', 'Intel Corporate', 'Aristarchus', 'F50', 'San Francisco Cisco'])
    expect(makesNetworkEquipment(name)).toBe(false)
})

test('ARP tells the manufacturer of what answers', async () => {
  const { sql } = api.store
  await sql`insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address) values
    (1, 1, '00000c123457', '10.0.0.9'), (1, 1, '00005e000101', '10.0.0.10')`
  const asked = await round({ discovery_modules: { 'discovery-arp': true } })
  expect(asked.toSorted()).toEqual(['10.0.0.10', '10.0.0.9'])
  const deps = {
    store: api.store,
    settings: createSettings({}),
    gateway: {} as never,
    reverse: async () => null,
    keepsPing: true,
  }
  for (const address of ['10.0.0.9', '10.0.0.10']) await recordHost(deps, mute(address, 1))
  const { rows } = await api.services.candidates.list(SYSTEM, { order: 'address' })
  expect(rows.map(({ address, vendor }) => [address, vendor])).toEqual([
    ['10.0.0.9', 'Cisco Systems, Inc'],
    ['10.0.0.10', null],
  ])
})

/** Runs a round; the hosts of `up` answer. Returns the addresses that were asked. */
async function round(
  settings: Readonly<Record<string, unknown>>,
  up: Readonly<Record<string, string>> = {},
  again = {},
) {
  const asked: string[] = []
  const askHosts: AskHosts = async function* (targets) {
    for await (const target of targets as Iterable<ProbeTarget>) {
      asked.push(target.address)
      const sysName = up[target.address]
      const n = Object.keys(up).indexOf(target.address)
      const host =
        sysName === undefined
          ? mute(target.address, null)
          : answering(target.address, { sysName, macs: MACS(n + 1, 2) })
      yield { ...host, target }
    }
  }
  const holder = createSettings({})
  holder.applyStored(new Map(Object.entries({ nets: ['10.0.0.0/8'], ...settings })))
  const deps = {
    store: api.store,
    settings: holder,
    gateway: { resolve: async (name: string) => api.network.names.get(name) ?? null } as never,
    reverse: async () => null,
    askHosts,
  }
  const memory = { askedAt: new Map<string, number>(), ...again }
  await askNeighbours(deps, memory, new AbortController().signal)
  return asked
}
const found = async () =>
  (await api.services.candidates.list(SYSTEM, { state: 'all', order: 'name' })).rows.map(
    ({ name, address, why, sources }) => ({
      name,
      address,
      why,
      by: sources.map(({ kind, device, port }) => `${kind} ${device} ${port}`),
    }),
  )

test('neighbours by LLDP and CDP are asked at their address, and shown with who reports them', async () => {
  await link('edge-1', '10.0.1.1,10.0.2.1')
  await link('edge-1', '10.0.1.1', { protocol: 'cdp', port: 2 })
  expect(await round({}, { '10.0.1.1': 'edge-1.example.net' })).toEqual(['10.0.1.1'])
  const [one, ...others] = await found()
  expect(others).toEqual([])
  expect(one).toMatchObject({ name: 'edge-1.example.net', address: '10.0.1.1' })
  expect(one?.by.toSorted()).toEqual(['cdp switch1 Gi1/0/2', 'lldp switch1 Gi1/0/1'])
  const [neighbour, ...rest] = await api.services.candidates.unmonitored(SYSTEM)
  expect(rest).toEqual([])
  expect(neighbour).toMatchObject({
    candidateId: 1,
    name: 'edge-1',
    links: [
      { deviceId: 1, portId: 1 },
      { deviceId: 1, portId: 2 },
    ],
  })
})

test('nothing outside of nets or inside of an excluded network is asked; a neighbour outside is shown', async () => {
  await link('outside', '192.0.2.7')
  await link('excluded', '10.66.0.1')
  await link('00:1b:21:00:00:01', null)
  expect(await round({ 'autodiscovery.nets-exclude': ['10.66.0.0/16'] })).toEqual([])
  expect((await found()).map(({ name, why }) => [name, why])).toEqual([
    ['00:1b:21:00:00:01', 'LLDP names it, with no address in your networks. Give its address to add it'],
    [
      'outside',
      'LLDP names it at 192.0.2.7, which is in no network of setting nets. Add the network there to have it asked',
    ],
  ])
  expect(await round({ nets: [] }, {})).toEqual([])
})

test('a neighbour with a name and no address is looked up with mydomain', async () => {
  api.network.names.set('edge-2.example.net', '10.0.3.1')
  await link('edge-2', null)
  expect(await round({ mydomain: 'example.net' }, { '10.0.3.1': 'edge-2' })).toEqual(['10.0.3.1'])
  expect(
    await round({ mydomain: 'example.net' }, {}, { askedAt: new Map([['0 edge-2.example.net', Date.now()]]) }),
  ).toEqual([])
})

test('excluded names, descriptions and platforms are left alone', async () => {
  await link('SEP001122334455', '10.0.4.1', { protocol: 'cdp', platform: 'Cisco IP Phone 7960' })
  await link('ap-1', '10.0.4.2', { version: 'Cisco IOS Software, C1240 Software (C1240-K9W8-M)' })
  await link('Phone-9', '10.0.4.3')
  await link('edge-3', '10.0.4.4', { platform: 'Cisco IP Phone 7960' })
  const asked = await round({ 'autodiscovery.xdp_exclude.sysname_regexp': ['/^phone-/i'] })
  // platforms count for CDP alone
  expect(asked).toEqual(['10.0.4.4'])
})

test('each kind has its switch', async () => {
  const { sql } = api.store
  await link('edge-4', '10.0.5.1')
  await sql`insert into ospf_nbrs (device_id, port_id, ospf_nbr_id, "ospfNbrIpAddr", context_name) values (1, 1, 'x', '10.0.5.2', '')`
  await sql`insert into isis_adjacencies (device_id, port_id, "isisCircIndex", "isisISAdjNeighSysID", "isisISAdjIPAddrAddress")
    values (1, 1, 3, '1921.6800.0005', '10.0.5.5'), (1, 1, 4, '1921.6800.0006', null)`
  await sql`insert into "bgpPeers" (device_id, "bgpPeerIdentifier", context_name) values (1, '10.0.5.3', '')`
  await sql`insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address, context_name) values
    (1, 1, '001b21000001', '10.0.5.4', ''), (1, 1, '001b21000002', '10.0.0.1', '')`
  expect((await round({})).toSorted()).toEqual(['10.0.5.1', '10.0.5.2', '10.0.5.3', '10.0.5.5'])
  // what is silent is a candidate only where a neighbour names it
  expect((await found()).map(({ name }) => name)).toEqual(['edge-4'])
  await sql`truncate candidates cascade`
  const off = {
    'autodiscovery.xdp': false,
    'autodiscovery.ospf': false,
    'autodiscovery.isis': false,
    'autodiscovery.bgp': false,
  }
  expect(await round(off)).toEqual([])
  expect(await round({ ...off, discovery_modules: { 'discovery-arp': true } })).toEqual(['10.0.5.4'])
})

test('what was asked lately is not asked again', async () => {
  await link('edge-5', '10.0.6.1')
  expect(await round({}, { '10.0.6.1': 'edge-5' })).toEqual(['10.0.6.1'])
  // by another process, which remembers nothing
  expect(await round({}, { '10.0.6.1': 'edge-5' })).toEqual([])
})

test('what was only heard of is recorded once in an interval, and at once if it is new', async () => {
  await link('far-1', '192.0.2.1')
  await link('00:1b:21:00:00:02', null, { port: 2 })
  const settings = createSettings({})
  const deps = {
    ...{ store: api.store, settings, gateway: {} as never, reverse: async () => null },
    askHosts: async function* () {} as AskHosts,
  }
  const memory = { askedAt: new Map<string, number>() }
  const recorded = async (now: number) =>
    (await askNeighbours(deps, memory, new AbortController().signal, now)).recorded
  const start = Date.now()
  expect(await recorded(start)).toBe(2)
  expect(await recorded(start + 3_599_000)).toBe(0)
  await link('far-2', '192.0.2.2')
  expect(await recorded(start + 3_599_000)).toBe(1)
  settings.applyStored(new Map([['autodiscovery.interval', 600]]))
  expect(await recorded(start + 3_599_000)).toBe(2)
})

test('networks of the settings are read once for any number of neighbours, which would hold the thread for seconds', () => {
  let reads = 0
  const counted = (networks: string[]) =>
    new Proxy(networks, {
      get: (list, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads++
        return Reflect.get(list, name)
      },
    })
  const nets = counted(Array.from({ length: 50 }, (_, i) => `10.${i}.0.0/16`))
  const excluded = counted(Array.from({ length: 50 }, (_, i) => `10.200.${i}.0/24`))
  const others = createSettings({})
  const get = (name: string) =>
    name === 'nets' ? nets : name === 'autodiscovery.nets-exclude' ? excluded : others.get(name as 'nets')
  const rows = Array.from({ length: 1000 }, (_, i) => ({
    ...{ kind: 'arp', device_id: 1, poller_group: 0, port_id: 1, addresses: [`10.99.${i >> 8}.${i & 255}`] },
    ...{ remote_name: null, remote_port: null, remote_platform: null, remote_description: null },
  })) as Reported[]
  expect(targetsOf([...rows, { ...rows[0], addresses: ['10.3.0.1'] } as Reported], { get } as never).ask).toHaveLength(
    1,
  )
  expect(reads).toBeLessThanOrEqual(200)
})

test('a text that is no address breaks no round', async () => {
  await link('odd', '127.one,192.168.x')
  await link('good', '10.0.9.1')
  expect(await round({}, { '10.0.9.1': 'good' })).toEqual(['10.0.9.1'])
})

test('a neighbour without an address that was added under another name breaks no round', async () => {
  await link('edge-8', null)
  await round({})
  await api.store.sql`update candidates set state = 'added', device_id = 1`
  await link('good', '10.0.9.2', { port: 2 })
  expect(await round({}, { '10.0.9.2': 'good' })).toEqual(['10.0.9.2'])
})

test('a round that is stopped looks up no more names', async () => {
  for (let i = 0; i < 20; i++) await link(`far-${i}`, null)
  const stopping = new AbortController()
  let looked = 0
  const resolve = async () => {
    looked++
    stopping.abort()
    return null
  }
  const deps = {
    ...{ store: api.store, settings: createSettings({}), reverse: async () => null },
    gateway: { resolve } as never,
    askHosts: async function* () {} as AskHosts,
  }
  await askNeighbours(deps, { askedAt: new Map() }, stopping.signal)
  expect(looked).toBe(1)
})
