import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { followDependencies } from '../../../src/app/leader/dependencies.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { INVENTORY_CHANNEL } from '../../../src/core/base/channels.ts'
import { computeParents } from '../../../src/core/dependencies/compute.ts'
import { createParentService } from '../../../src/core/dependencies/parents.ts'
import { findDevice } from '../../../src/core/devices/read.ts'
import { createLog } from '../../../src/observe/log.ts'
import { until } from '../../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// core-1 (1) with access switches (2, 3) by LLDP, a server (4) at a port of switch 2, a firewall (5) in the core's ARP table,
// and an island (6, 7).

setDefaultTimeout(120_000)

let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`
    insert into devices (device_id, hostname, status, ip) values (1, 'core-1', 1, '10.0.0.1'), (2, 'access-2', 1, '10.0.0.2'),
      (3, 'access-3', 1, '10.0.0.3'), (4, 'server', 1, '10.0.0.4'), (5, 'firewall', 1, '10.0.0.5'),
      (6, 'island-6', 1, '10.9.0.6'), (7, 'island-7', 1, '10.9.0.7')`
  await sql`
    insert into ports (port_id, device_id, "ifIndex", "ifName", "ifPhysAddress") values (11, 1, 1, 'Gi1/0/1', '020000000011'),
      (12, 1, 2, 'Gi1/0/2', '020000000012'), (13, 1, 3, 'Vlan10', '020000000013'), (21, 2, 1, 'Gi0/1', '020000000021'),
      (22, 2, 2, 'Gi0/2', '020000000022'), (31, 3, 1, 'Gi0/1', '020000000031'), (41, 4, 1, 'eth0', '020000000041'),
      (61, 6, 1, 'a', '020000000061'), (71, 7, 1, 'a', '020000000071')`
  await link(1, 11, 2, 21)
  await link(1, 12, 3, null)
  await link(6, 61, 7, 71)
  // the server is seen at its port, and at the uplinks towards it
  await sql`
    insert into ports_fdb (port_id, mac_address, device_id) values (22, '020000000041', 2), (11, '020000000041', 1),
      (31, '020000000041', 3)`
  await sql`
    insert into links (local_port_id, local_device_id, protocol, remote_hostname, remote_device_id, remote_port, remote_version)
    values (31, 3, 'lldp', 'core-1', 1, 'Gi1/0/2', '')`
  await sql`insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address) values (13, 1, '020000000051', '10.0.0.5')`
}, 60_000)
afterEach(async () => {
  await database?.drop()
}, 60_000)

async function link(a: number, portA: number, b: number, portB: number | null): Promise<void> {
  await database.store.sql`
    insert into links (local_port_id, local_device_id, remote_port_id, protocol, remote_hostname, remote_device_id, remote_port,
      remote_version) values (${portA}, ${a}, ${portB}, 'lldp', 'x', ${b}, 'Gi0/1', '')`
}

/** A poller that reports this place. */
async function poller(name: string, place: object | null, groups: number[] | null = null): Promise<void> {
  await database.store.sql`
    insert into poller_cluster (node_id, poller_name, last_report, master, named_groups, figures)
    values (${name}, ${name}, now(), 1, ${groups}, ${JSON.stringify(place === null ? {} : { place })}::text::jsonb)`
}

const PLACE = { addresses: ['10.0.0.99'], macs: ['020000000099'], gateways: [{ address: '10.0.0.1', mac: null }] }

const compute = (flags: Readonly<Record<string, string>> = {}) =>
  computeParents(database.store, createSettings({ flags }))

/** Parents in force by child, `+`: computed. */
async function parents(): Promise<Record<number, string>> {
  const rows = await database.store.sql<{ child: number; list: string }[]>`
    select child_device_id as child, string_agg(parent_device_id || case computed when 1 then '+' else '' end, ' ' order by parent_device_id) as list
    from device_relationships group by 1 order by 1`
  return Object.fromEntries(rows.map(({ child, list }) => [child, list]))
}

const COMPUTED = { 2: '1+', 3: '1+', 4: '2+', 5: '1+' }

describe('computed parents', () => {
  test('from links, MAC address tables and ARP tables, as seen from the default gateway of the poller', async () => {
    await poller('central', PLACE)
    expect(await compute()).toMatchObject({ devices: 4, changed: 4, unknown: [] })
    expect(await parents()).toEqual(COMPUTED)
    const { sql } = database.store
    const why = await sql<{ child: number; via: string }[]>`
      select child_device_id as child, via from device_relationships order by 1`
    expect(why.map(({ child, via }) => `${child}: ${via}`)).toEqual([
      '2: LLDP link Gi0/1',
      '3: LLDP link Gi0/1',
      '4: MAC address seen on Gi0/2',
      '5: ARP entry on Vlan10',
    ])
    const depths = await sql<{ max_depth: number }[]>`select max_depth from devices order by device_id`
    expect(depths.map(({ max_depth }) => max_depth)).toEqual([1, 2, 2, 3, 2, 0, 0])
    expect(await compute()).toMatchObject({ changed: 0 })
  })

  test('routers without links are at those that they have an adjacency of OSPF or IS-IS to', async () => {
    const { sql } = database.store
    await sql`insert into devices (device_id, hostname, status, ip) values (8, 'edge-8', 1, '10.0.0.8'), (9, 'edge-9', 1, '10.0.0.9'),
      (10, 'twin-10', 1, '10.0.0.10'), (11, 'twin-11', 1, '10.0.0.11')`
    await sql`insert into ports (port_id, device_id, "ifIndex", "ifName") values (81, 8, 1, 'xe-0/0/0'), (91, 9, 1, 'xe-0/0/1'),
      (101, 10, 1, 'a'), (111, 11, 1, 'a')`
    // the addresses of 10 and 11 are both 10.1.0.4
    await sql`insert into ipv4_addresses (port_id, ipv4_address, ipv4_prefixlen) values (81, '10.1.0.2', 30), (91, '10.1.0.6', 30),
      (101, '10.1.0.4', 30), (111, '10.1.0.4', 30), (13, '10.1.0.1', 30), (41, '10.1.0.9', 30)`
    await sql`insert into ospf_nbrs (device_id, port_id, ospf_nbr_id, "ospfNbrIpAddr", "ospfNbrState", context_name) values
      (1, 13, 'a', '10.1.0.2', 'full', ''), (8, 81, 'b', '10.1.0.1', 'full', ''), (1, 13, 'c', '10.1.0.4', 'full', ''),
      (6, 61, 'e', '10.1.0.9', 'full', ''), (1, 13, 'f', '10.1.0.6', 'down', '')`
    await sql`insert into isis_adjacencies (device_id, port_id, "isisCircIndex", "isisISAdjNeighSysID", "isisISAdjIPAddrAddress", lost_at)
      values (8, 81, 1, '1921.6800.0009', '10.1.0.6', null), (1, 13, 2, '1921.6800.0006', '10.1.0.6', 1)`
    await poller('central', PLACE)
    await compute()
    expect(await parents()).toEqual({ ...COMPUTED, 8: '1+', 9: '8+' })
    const why = await sql<
      { via: string }[]
    >`select via from device_relationships where child_device_id in (8, 9) order by child_device_id`
    expect(why.map(({ via }) => via)).toEqual(['OSPF neighbour on Vlan10', 'IS-IS neighbour on xe-0/0/0'])
  })

  test('a device of which nothing else is known is at the next hop of its default route', async () => {
    const { sql } = database.store
    await sql`insert into devices (device_id, hostname, status, ip, poller_group) values (8, 'branch-8', 1, '10.8.0.8', 0),
      (9, 'branch-9', 1, '10.8.0.9', 0), (10, 'branch-10', 1, '10.8.0.10', 0), (11, 'twin-11', 1, '10.8.0.11', 0)`
    await sql`insert into ports (port_id, device_id, "ifIndex", "ifName", deleted) values (81, 8, 1, 'a', 0), (111, 11, 1, 'a', 0),
      (82, 8, 2, 'b', 1)`
    await sql`insert into ipv4_addresses (port_id, ipv4_address, ipv4_prefixlen) values (13, '10.8.0.1', 24), (81, '10.8.1.1', 24),
      (22, '10.8.0.2', 24), (111, '10.8.0.2', 24), (82, '10.8.0.3', 24)`
    await sql`insert into ipv6_addresses (port_id, ipv6_address, ipv6_compressed, ipv6_prefixlen, ipv6_origin)
      values (13, '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1', 64, 'manual')`
    // 9 by IPv6 and the router behind which it is; 10 by an address that two devices have, one of a port that is gone, and none
    await sql`insert into default_routes (device_id, next_hop) values (8, '10.8.0.1'), (9, '10.8.1.1'), (9, '2001:db8::1'),
      (10, '10.8.0.2'), (10, '10.8.0.3'), (10, '192.0.2.1'), (2, '10.8.1.1'), (5, '10.8.1.1')`
    await poller('central', PLACE)
    await compute()
    expect(await parents()).toEqual({ ...COMPUTED, 8: '1+', 9: '1+ 8+' })
    const why = await sql<
      { via: string }[]
    >`select via from device_relationships where child_device_id in (8, 9) order by child_device_id, parent_device_id`
    expect(why.map(({ via }) => via)).toEqual([
      'default route by 10.8.0.1',
      'default route by 2001:db8::1',
      'default route by 10.8.1.1',
    ])
  })

  test('the switch port with the MAC address of the poller is nearer than its gateway', async () => {
    await database.store
      .sql`insert into ports_fdb (port_id, mac_address, device_id) values (22, '020000000099', 2), (11, '020000000099', 1)`
    await poller('central', PLACE)
    await compute()
    expect(await parents()).toEqual({ 1: '2+', 3: '1+', 4: '2+', 5: '1+' })
  })

  test('it is unknown where a poller is attached: none, and the group is reported', async () => {
    await poller('central', { ...PLACE, gateways: [{ address: '10.99.0.1', mac: null }] })
    expect(await compute()).toMatchObject({ devices: 0, changed: 0, unknown: [0] })
    await poller('other', PLACE)
    expect(await compute()).toMatchObject({ changed: 0, unknown: [0] })
    expect(await compute({ 'dependencies.attached': '["core-1"]' })).toMatchObject({ changed: 4, unknown: [] })
    expect(await parents()).toEqual(COMPUTED)
  })

  test('each poller group is seen from its own pollers', async () => {
    await database.store.sql`update devices set poller_group = 2 where device_id in (1, 2, 6, 7)`
    await poller('central', PLACE)
    await poller('remote', { addresses: ['10.9.0.7'], macs: [], gateways: [] }, [2])
    await compute()
    expect(await parents()).toEqual({ 3: '1+', 4: '2+', 5: '1+', 6: '7+' })
  })

  test('a remote poller says where it is', async () => {
    const { sql } = database.store
    await sql`insert into poller_groups (id, group_name, descr) values (2, 'Oslo', '')`
    await sql`update devices set poller_group = 2 where device_id in (6, 7)`
    await sql`insert into remote_pollers (name, public_key, poller_group, domain) values ('oslo', 'key', 2, '')`
    await poller('central', PLACE)
    expect(await compute()).toMatchObject({ unknown: [2] })
    const place = { addresses: ['10.9.0.7'], macs: [], gateways: [] }
    await sql`update remote_pollers set report = ${JSON.stringify({ place })}::text::jsonb`
    expect(await compute()).toMatchObject({ unknown: [] })
    expect(await parents()).toEqual({ ...COMPUTED, 6: '7+' })
  })

  test('switched off, they are removed', async () => {
    await poller('central', PLACE)
    await compute()
    await compute({ 'dependencies.compute': 'false' })
    expect(await parents()).toEqual({})
  })

  test('links that are over lead nowhere', async () => {
    await poller('central', PLACE)
    await compute()
    await database.store.sql`update links set active = 0 where local_device_id = 1 and remote_device_id = 2`
    await compute()
    // the server is still seen, behind a switch of which it is no longer known where it is
    expect(await parents()).toEqual({ 3: '1+', 4: '1+', 5: '1+' })
  })
})

describe('by hand', () => {
  const service = () => createParentService({ store: database.store, find: (ref) => findDevice(database.store, ref) })

  test('beats computed, until it is removed', async () => {
    await poller('central', PLACE)
    await compute()
    await service().replace(SYSTEM, 4, [3])
    expect(await parents()).toEqual({ ...COMPUTED, 4: '3' })
    await compute()
    expect(await parents()).toEqual({ ...COMPUTED, 4: '3' })
    await service().remove(SYSTEM, 4, null)
    expect(await parents()).toEqual(COMPUTED)
  })

  test('none is a choice too', async () => {
    await poller('central', PLACE)
    await compute()
    await service().replace(SYSTEM, 4, 'none')
    await compute()
    expect(await parents()).toEqual({ 2: '1+', 3: '1+', 5: '1+' })
    expect(await service().family(SYSTEM, 4)).toMatchObject({ none: true, parents: [] })
    await service().replace(SYSTEM, 4, 'computed')
    expect(await parents()).toEqual(COMPUTED)
  })

  test('a computed parent cannot be deleted', async () => {
    await poller('central', PLACE)
    await compute()
    await expect(service().remove(SYSTEM, 4, [2])).rejects.toThrow('Device dependency cannot be deleted')
    expect(await parents()).toEqual(COMPUTED)
  })

  test('what the page of a device shows', async () => {
    await poller('central', PLACE)
    await compute()
    await service().replace(SYSTEM, 3, [2])
    const family = await service().family(SYSTEM, 2)
    expect(family.parents).toMatchObject([{ name: 'core-1', computed: 1, via: 'LLDP link Gi0/1' }])
    expect(family.children.map(({ name, computed }) => [name, computed])).toEqual([
      ['access-3', 0],
      ['server', 1],
    ])
  })

  test('a loop with computed parents is possible, and depths are still counted', async () => {
    await poller('central', PLACE)
    await compute()
    await service().replace(SYSTEM, 1, [2])
    expect(await parents()).toEqual({ 1: '2', ...COMPUTED })
  })
})

test('many discoveries in a row do not put off the computation after the next one', async () => {
  const { store } = database
  const { sql } = store
  const settings = createSettings({ flags: { 'dependencies.attached': 'core-1' } })
  const hasParent = (child: number) => async () =>
    (await sql`select from computed_parents where child_device_id = ${child}`).length > 0
  const discovered = () => sql.notify(INVENTORY_CHANNEL, '')
  // a pause of a second for each of them would be minutes
  const following = followDependencies(store, settings, createLog('silent'), () => undefined, 1000)
  try {
    for (let i = 0; i < 300; i++) await discovered()
    await until(30, 'parents are computed', hasParent(2))
    await link(1, 12, 6, 61)
    await discovered()
    await until(30, 'the new link counts', hasParent(6))
  } finally {
    await following.stop()
  }
})
