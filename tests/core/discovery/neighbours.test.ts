import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { ArpRow } from '../../../src/modules/arp/observation.ts'
import type { LinkRow, RemoteEnd } from '../../../src/modules/links/observation.ts'
import type { NacRow } from '../../../src/modules/nac/observation.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import type { PortSecurityRow } from '../../../src/modules/port-security/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { address, ipv4, messagesOf, newDevice, port, ports, portsOf } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const UNKNOWN_END: RemoteEnd = { name: null, mac: null, addresses: [], portNames: [], portMac: null, portIndex: null }

/** A device with ports 1 to 3 after its first discovery, so that changes are logged. */
async function device(store: Store, columns: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const id = await newDevice(store, columns)
  await writeDiscovery(store, id, [ports([port(1), port(2), port(3)])], run)
  return id
}

const newMessages = async (store: Store, id: number) => (await messagesOf(store, id)).slice(1)

describe('ARP', () => {
  const entry = (ifIndex: number, text: string, mac: string): ArpRow => ({
    ifIndex,
    address: text,
    mac,
    context: null,
  })
  const arp = (rows: readonly ArpRow[], complete = true): Observation => ({ kind: 'arp', complete, rows })
  const entries = (store: Store, id: number) =>
    store.sql<{ id: number; ipv4_address: string; mac_address: string }[]>`
      select id::int, ipv4_address, mac_address from ipv4_mac where device_id = ${id} order by id`

  test('a changed MAC address keeps its row and is logged; entries of interfaces without a port are not stored', async () => {
    const { store } = database
    const id = await device(store)
    await writeDiscovery(store, id, [arp([entry(1, '10.0.0.1', 'aaaaaaaaaaaa'), entry(9, '10.0.0.9', 'aaaaaaaaaaaa')])])
    const before = await entries(store, id)
    expect(before).toMatchObject([{ ipv4_address: '10.0.0.1', mac_address: 'aaaaaaaaaaaa' }])
    await writeDiscovery(store, id, [arp([entry(1, '10.0.0.1', 'bbbbbbbbbbbb')])])
    expect(await entries(store, id)).toMatchObject([{ id: before[0]?.id ?? 0, mac_address: 'bbbbbbbbbbbb' }])
    expect(await newMessages(store, id)).toEqual(['MAC address of 10.0.0.1: aaaaaaaaaaaa -> bbbbbbbbbbbb'])
  })

  test('a truncated walk removes nothing, a complete one does', async () => {
    const { store } = database
    const id = await device(store)
    await writeDiscovery(store, id, [arp([entry(1, '10.0.0.1', 'aaaaaaaaaaaa'), entry(2, '10.0.0.2', 'cccccccccccc')])])
    await writeDiscovery(store, id, [arp([], false)])
    expect(await entries(store, id)).toHaveLength(2)
    await writeDiscovery(store, id, [arp([entry(2, '10.0.0.2', 'cccccccccccc')])])
    expect((await entries(store, id)).map((row) => row.ipv4_address)).toEqual(['10.0.0.2'])
  })

  test('IPv6 neighbours have their own table', async () => {
    const { store } = database
    const id = await device(store)
    const row = entry(1, '2001:0db8:0000:0000:0000:0000:0000:0007', 'aaaaaaaaaaaa')
    await writeDiscovery(store, id, [{ kind: 'nd', complete: true, rows: [row] }])
    const rows = await store.sql`select ipv6_address, mac_address, context_name from ipv6_nd where device_id = ${id}`
    expect([...rows]).toEqual([{ ipv6_address: row.address, mac_address: row.mac, context_name: '' }])
  })
})

describe('links', () => {
  const link = (rest: Partial<LinkRow> = {}): LinkRow => ({
    local: [{ by: 'ifIndex', value: '1' }],
    protocol: 'lldp',
    remote_hostname: 'far',
    remote_port: 'Gi0/2',
    remote_platform: null,
    remote_version: 'Some OS 1.2',
    remote: UNKNOWN_END,
    ...rest,
  })
  const links = (rows: readonly LinkRow[], complete = true): Observation => ({ kind: 'links', complete, rows })
  const stored = (store: Store, id: number) =>
    store.sql<{ id: number; ifIndex: number | null; active: number; remote_hostname: string }[]>`
      select id, "ifIndex", active, remote_hostname, remote_device_id, remote_port_id from links
      left join ports on port_id = local_port_id where local_device_id = ${id} order by id`

  test('a missing link becomes inactive, then is deleted; one that returns keeps its row', async () => {
    const { store } = database
    const id = await device(store)
    await writeDiscovery(store, id, [links([link()])])
    const [first] = await stored(store, id)
    await writeDiscovery(store, id, [links([], false)])
    expect(await stored(store, id)).toMatchObject([{ active: 1 }])
    await writeDiscovery(store, id, [links([])])
    expect(await stored(store, id)).toMatchObject([{ id: first?.id ?? 0, active: 0 }])
    await writeDiscovery(store, id, [links([link()])])
    expect(await stored(store, id)).toMatchObject([{ id: first?.id ?? 0, active: 1 }])
    await writeDiscovery(store, id, [links([])])
    await writeDiscovery(store, id, [links([])])
    expect(await stored(store, id)).toHaveLength(0)
    const name = 'Link to far Gi0/2 (lldp)'
    expect(await newMessages(store, id)).toEqual([
      `${name} found`,
      `${name} is gone`,
      `${name} is back`,
      `${name} is gone`,
    ])
  })

  test('the first match of a single port gives the local end; a name of two ports matches none', async () => {
    const { store } = database
    const id = await newDevice(store)
    const twins = [
      port(1, { ifAlias: 'twin' }),
      port(2, { ifAlias: 'twin' }),
      port(3, { ifPhysAddress: 'aabbccddeeff' }),
    ]
    await writeDiscovery(store, id, [ports(twins)], run)
    const by = (way: 'ifIndex' | 'name' | 'mac', value: string) => ({ by: way, value })
    await writeDiscovery(store, id, [
      links([
        link({ remote_hostname: 'a', local: [by('name', 'twin'), by('name', 'GIGABITETHERNET0/2')] }),
        link({ remote_hostname: 'b', local: [by('ifIndex', '77'), by('mac', 'aabbccddeeff')] }),
        link({ remote_hostname: 'c', local: [by('ifIndex', '78')] }),
      ]),
    ])
    expect((await stored(store, id)).map((row) => row.ifIndex)).toEqual([2, 3, null])
  })

  test('the remote end is a known device by name with or without domain, by MAC or by management address', async () => {
    const { store } = database
    const id = await device(store)
    const far = await newDevice(store, { sysName: 'core7.example.org' })
    await writeDiscovery(
      store,
      far,
      [
        ports([port(1, { ifPhysAddress: '020000000001' }), port(2, { ifPhysAddress: '020000000002' })]),
        ipv4([address(2, '198.18.7.7')]),
      ],
      run,
    )
    const [one, two] = await portsOf(store, far)
    const ends: [Partial<RemoteEnd>, number, number | null][] = [
      [{ name: 'CORE7', portNames: ['gi0/2'] }, far, two?.port_id ?? 0],
      [{ name: 'core7.example.org.', portIndex: 1 }, far, one?.port_id ?? 0],
      [{ name: 'core7.elsewhere.org' }, 0, null],
      [{ mac: '020000000001', portMac: '020000000002' }, far, two?.port_id ?? 0],
      [{ name: 'unheard', addresses: ['198.18.7.7'] }, far, null],
      [{ name: 'localhost' }, 0, null],
    ]
    const rows = ends.map(([end], i) => link({ remote_hostname: `n${i}`, remote: { ...UNKNOWN_END, ...end } }))
    await writeDiscovery(store, id, [links(rows)])
    expect(await stored(store, id)).toMatchObject(
      ends.map(([, remote_device_id, remote_port_id]) => ({ remote_device_id, remote_port_id })),
    )
  })

  test('a remote end that is discovered later is known from then on', async () => {
    const { store } = database
    const id = await device(store)
    const rows = [
      link({ remote_hostname: 'late9', remote_port: 'gi0/2', remote: { ...UNKNOWN_END, name: 'late9' } }),
      link({ remote_hostname: 'late9', remote_port: '02:00:00:00:09:01', remote: { ...UNKNOWN_END, name: 'late9' } }),
      link({ remote_hostname: 'other9', remote_port: 'gi0/2', remote: { ...UNKNOWN_END, name: 'other9' } }),
    ]
    await writeDiscovery(store, id, [links(rows)])
    expect(await stored(store, id)).toMatchObject(rows.map(() => ({ remote_device_id: 0, remote_port_id: null })))
    const far = await newDevice(store, { sysName: 'late9.example.org' })
    await writeDiscovery(store, far, [ports([port(1, { ifPhysAddress: '020000000901' }), port(2)])], run)
    const [one, two] = await portsOf(store, far)
    expect(await stored(store, id)).toMatchObject([
      { remote_device_id: far, remote_port_id: two?.port_id ?? 0 },
      { remote_device_id: far, remote_port_id: one?.port_id ?? 0 },
      { remote_device_id: 0, remote_port_id: null },
    ])
  })

  test('a name of two devices matches neither', async () => {
    const { store } = database
    const id = await device(store)
    await newDevice(store, { sysName: 'twin-switch' })
    await newDevice(store, { sysName: 'Twin-Switch' })
    await writeDiscovery(store, id, [links([link({ remote: { ...UNKNOWN_END, name: 'twin-switch' } })])])
    expect(await stored(store, id)).toMatchObject([{ remote_device_id: 0 }])
  })

  test('a neighbour no longer known by its address keeps its link while it is reported', async () => {
    const { store } = database
    const id = await device(store)
    const other = await newDevice(store)
    await writeDiscovery(store, other, [ports([port(1, { ifPhysAddress: '02000000bb01' })])], run)
    const reported = link({ remote_hostname: 'x', remote_version: '', remote: { ...UNKNOWN_END, mac: '02000000bb01' } })
    await writeDiscovery(store, id, [links([reported])])
    const before = await stored(store, id)
    expect(before.length).toBe(1)
    await store.sql`update ports set "ifPhysAddress" = '02000000bb02' where device_id = ${other}`
    await writeDiscovery(store, id, [links([reported])])
    await writeDiscovery(store, id, [links([reported])])
    expect(await stored(store, id)).toEqual(before)
  })

  test('a neighbour without name and description is stored only if it is a known device', async () => {
    const { store } = database
    const id = await device(store)
    const far = await newDevice(store)
    await writeDiscovery(store, far, [ports([port(1, { ifPhysAddress: '02000000aa01' })])], run)
    const nameless = (mac: string) =>
      link({ remote_hostname: mac, remote_version: '', remote: { ...UNKNOWN_END, mac } })
    await writeDiscovery(store, id, [links([nameless('02000000aa01'), nameless('02000000aa02')])])
    expect(await stored(store, id)).toMatchObject([{ remote_hostname: '02000000aa01', remote_device_id: far }])
  })

  test('names with quotes, backslashes and NUL are plain text', async () => {
    const { store } = database
    const id = await device(store)
    const name = 'a"b\\c\0d\'{},'
    await writeDiscovery(store, id, [
      links([
        link({ remote_hostname: name, remote: { ...UNKNOWN_END, name, portNames: [name], addresses: ['10.9.9.9'] } }),
      ]),
    ])
    expect(await stored(store, id)).toMatchObject([{ remote_hostname: 'a"b\\cd\'{},' }])
  })
})

describe('network access control', () => {
  const session = (rest: Partial<NacRow> = {}): NacRow => ({
    local: { by: 'ifIndex', value: '1' },
    auth_id: 'S1',
    domain: 'data',
    username: 'alice',
    mac_address: 'aaaaaaaaaaaa',
    ip_address: '',
    host_mode: 'multiAuth',
    authz_status: 'authorizationSuccess',
    authz_by: 'Authentication Server',
    authc_status: 'authcSuccess',
    method: 'dot1x',
    timeout: 60,
    time_left: 50,
    vlan: 7,
    time_elapsed: null,
    ...rest,
  })
  const nac = (rows: readonly NacRow[], complete = true): Observation => ({ kind: 'nac', complete, rows })
  const stored = (store: Store, id: number) =>
    store.sql`select ports_nac_id as id, historical, time_left, timeout from ports_nac where device_id = ${id}`

  test('an ended session stays as history and is deleted days later', async () => {
    const { store } = database
    const id = await device(store)
    await writeDiscovery(store, id, [nac([session()])])
    const [first] = await stored(store, id)
    expect(first).toMatchObject({ historical: 0, timeout: '60', time_left: '50' })
    await writeDiscovery(store, id, [nac([session({ time_left: 40 })])])
    expect([...(await stored(store, id))]).toEqual([{ ...first, time_left: '40' }])
    await writeDiscovery(store, id, [nac([], false)])
    expect(await stored(store, id)).toMatchObject([{ historical: 0 }])
    await writeDiscovery(store, id, [nac([])])
    expect(await stored(store, id)).toMatchObject([{ id: first?.['id'], historical: 1 }])
    await store.sql`update ports_nac set updated_at = now() - interval '11 days' where device_id = ${id}`
    await writeDiscovery(store, id, [nac([])])
    expect(await stored(store, id)).toHaveLength(0)
  })
})

describe('port security', () => {
  const row = (rest: Partial<PortSecurityRow> = {}): PortSecurityRow => ({
    ifIndex: 1,
    port_security_enable: 1,
    status: 'secureup',
    max_addresses: 1,
    address_count: 0,
    violation_action: 'shutdown',
    violation_count: 0,
    last_mac_address: null,
    sticky_enable: 0,
    ...rest,
  })
  const security = (rows: readonly PortSecurityRow[]): Observation => ({ kind: 'port-security', complete: true, rows })

  test('a port shut down by port security is logged, counts are not', async () => {
    const { store } = database
    const id = await device(store)
    await writeDiscovery(store, id, [security([row(), row({ ifIndex: 9 })])])
    await writeDiscovery(store, id, [security([row({ address_count: 1 })])])
    await writeDiscovery(store, id, [security([row({ address_count: 1, status: 'shutdown' })])])
    expect(await newMessages(store, id)).toEqual(['Port security: secureup -> shutdown'])
    const stored = await store.sql`select status, address_count from port_security where device_id = ${id}`
    expect([...stored]).toEqual([{ status: 'shutdown', address_count: 1 }])
    await writeDiscovery(store, id, [security([])])
    expect(await store.sql`select from port_security where device_id = ${id}`).toHaveLength(0)
  })
})
