import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { addressPart, macPart } from '../../src/core/base/address-text.ts'
import { type TestWeb, testWeb } from './support.ts'

let web: TestWeb
const ports: Record<string, number> = {}
const MAC = '4c14a3010203'

beforeAll(async () => {
  web = await testWeb()
  const { sql } = web.api.store
  const devices = await sql<{ device_id: number; hostname: string }[]>`
    insert into devices (hostname, ip, status) values ('edge-sw', '192.0.2.1', 1), ('core-sw', '192.0.2.2', 1), ('rtr', '10.20.0.1', 1)
    returning device_id, hostname`
  for (const { device_id, hostname } of devices) {
    const rows = await sql<{ port_id: number; ifName: string }[]>`
      insert into ports (device_id, "ifIndex", "ifName", "ifDescr")
      select ${device_id}, n, case when ${hostname} = 'rtr' then 'Vlan' || n else 'Gi1/0/' || n end, 'GigabitEthernet1/0/' || n
      from unnest(array[1, 17, 171, 48]) n returning port_id, "ifName"`
    for (const { port_id, ifName } of rows) ports[`${hostname} ${ifName}`] = port_id
  }
  const id = (name: string) => ports[name] ?? 0
  const of = (hostname: string) => devices.find((d) => d.hostname === hostname)?.device_id ?? 0
  // the uplinks see the station, too; the first of them has no other
  for (const [device, port] of [
    ['core-sw', 'Gi1/0/1'],
    ['edge-sw', 'Gi1/0/48'],
    ['edge-sw', 'Gi1/0/17'],
  ] as const)
    await sql`insert into ports_fdb (port_id, device_id, mac_address) values (${id(`${device} ${port}`)}, ${of(device)}, ${MAC})`
  for (const [port, device] of [
    ['core-sw Gi1/0/1', 'core-sw'],
    ['edge-sw Gi1/0/48', 'edge-sw'],
  ] as const)
    await sql`insert into links (local_port_id, local_device_id, remote_hostname, remote_port, remote_version, active, remote_device_id)
      values (${id(port)}, ${of(device)}, 'x', 'y', '', 1, 0)`
  await sql`insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address)
    values (${id('rtr Vlan1')}, ${of('rtr')}, ${MAC}, '10.20.0.101'), (${id('rtr Vlan1')}, ${of('rtr')}, 'aabbccdd4c14', '10.20.1.9'),
      (${id('rtr Vlan1')}, ${of('rtr')}, '00aa00bb00cc', '10.200.0.5')`
  await sql`insert into ipv4_addresses (ipv4_address, ipv4_prefixlen, port_id) values ('10.20.0.1', 24, ${id('rtr Vlan1')})`
  await sql`insert into ipv6_addresses (ipv6_address, ipv6_compressed, ipv6_prefixlen, ipv6_origin, port_id)
    values ('2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1', 64, 'manual', ${id('rtr Vlan17')})`
})
afterAll(() => web.drop())

const hits = async (text: string) => await web.api.services.fleet.search(SYSTEM, text, 20)
const titles = async (text: string) => (await hits(text)).map(({ title }) => title)

describe('a search for an address', () => {
  test('answers with MAC and edge port, then the ARP table, uplinks last', async () => {
    const found = (await hits('10.20.0.101')).filter(({ kind }) => kind === 'address')
    expect(found.map(({ title }) => title)).toEqual(Array(4).fill('10.20.0.101'))
    expect(found.map(({ detail }) => detail)).toEqual([
      '4c:14:a3:01:02:03 behind edge-sw Gi1/0/17',
      '4c:14:a3:01:02:03 · ARP of rtr Vlan1',
      '4c:14:a3:01:02:03 through uplink core-sw Gi1/0/1',
      '4c:14:a3:01:02:03 through uplink edge-sw Gi1/0/48',
    ])
    expect(found[0]?.port_id).toBe(ports['edge-sw Gi1/0/17'] ?? 0)
  })

  test.each([
    ['10.20.0.0/24', ['rtr', '10.20.0.1/24', '10.20.0.101']],
    ['10.20.0.0/23', ['rtr', '10.20.0.1/24', '10.20.0.101', '10.20.1.9']],
    ['10.20.1.', ['10.20.1.9']],
    ['10.20', ['10.20.0.1/24', '10.20.0.101', '10.20.1.9', '10.200.0.5']],
    ['2001:db8::1', ['2001:db8::1/64']],
    ['2001:db8::/32', ['2001:db8::1/64']],
    ['0.0.0.0/0', ['10.20.0.1/24', '10.20.0.101', '10.200.0.5']],
  ])('or a network finds what is in it: %s', async (text, wanted) => {
    const found = await titles(text)
    for (const title of wanted) expect(found).toContain(title)
    if (text === '10.20.0.0/24') expect(found).not.toContain('10.20.1.9')
    if (text.startsWith('2001')) expect(found).toHaveLength(1)
  })

  test.each([['10.20.0.0/33'], ['10.20.0.300'], ['10.20.0.1/'], ['1.2.3.4/5/6'], ['::/129']])(
    'that is none is no error: %s',
    async (text) => {
      expect((await hits(text)).filter(({ kind }) => kind === 'address')).toEqual([])
    },
  )
})

describe('a search for a MAC address', () => {
  test.each([['4c:14'], ['4C-14-A3'], ['4c14.a301.0203'], ['4c14a3'], ['4c:1']])(
    'in any notation: %s',
    async (text) => {
      const found = (await hits(text)).filter(({ field }) => field === 'MAC')
      expect(found[0]).toMatchObject({ title: MAC, detail: 'behind edge-sw Gi1/0/17' })
      expect(found.at(-1)?.detail).toContain('through uplink')
    },
  )

  test('finds its last octets, if no address begins with them', async () => {
    expect((await hits('dd:4c:14')).map(({ title }) => title)).toEqual(['aabbccdd4c14'])
    expect(await hits('d4:c1')).toEqual([])
  })

  test('is not one for part of an IPv4 address', () => {
    expect(['10.20.0.101', '10.20.0.0/24', '1.2'].map(macPart)).toEqual([null, null, null])
    expect(['zz', '4c', '12345678901234'].map(macPart)).toEqual([null, null, null])
    expect(['4c:14', 'sw1', '10.20.0.0/99'].map(addressPart)).toEqual([null, null, null])
  })
})

describe('a search for a port of a device', () => {
  test.each([['edge Gi1/0/17'], ['Gi1/0/17 edge-sw'], ['EDGE-SW gigabitethernet1/0/17'], ['edge-sw  Gi1/0/17 ']])(
    '%s',
    async (text) => {
      const found = (await hits(text)).filter(({ kind }) => kind === 'port')
      expect(found[0]?.title).toBe('edge-sw Gi1/0/17')
      expect(found.map(({ title }) => title)).not.toContain('core-sw Gi1/0/17')
    },
  )

  test('has no more than the actor may see, and survives odd text', async () => {
    const person = await web.signedIn(['user'])
    for (const text of ['edge Gi1/0/17', '10.20.0.101', '4c:14', '10.20.0.0/24']) {
      const page = await web.send(`/search?q=${encodeURIComponent(text)}`, { cookie: person.cookie })
      expect(await page.text()).not.toContain('edge-sw')
    }
    for (const text of ['a "b" \\ {x}', '% _', 'a b c d e f g', '{}', '" "'])
      expect(Array.isArray(await hits(text))).toBe(true)
  })
})
