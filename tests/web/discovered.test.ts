import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { FOUND_KINDS } from '../../src/core/lists/network-service.ts'
import { fillDevice } from '../support/fill.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

const MARKUP = '<img src=x onerror=alert(1)><u>'
const [MINE, OTHER, EVIL] = [10_000, 20_000, 30_000]

let web: TestWeb
let admin: Person
let user: Person
let ids: Readonly<Record<'mine' | 'other' | 'evil', number>>
beforeAll(async () => {
  web = await testWeb()
  const { store, services } = web.api
  const filled = async (base: number, marker: string) => (await fillDevice(store, base, marker)).ids.get('devices') ?? 0
  ids = { mine: await filled(MINE, 'granted'), other: await filled(OTHER, 'foreign'), evil: await filled(EVIL, MARKUP) }
  await store.sql`update component set type = 'f5-ltm-pool'`
  await store.sql`update wireless_sensors set sensor_class = 'clients'`
  admin = await web.signedIn(['admin'])
  user = await web.signedIn(['user'])
  await services.users.grant(user.username, { deviceIds: [ids.mine] })
}, 120_000)
afterAll(() => web.drop())

const open = async (path: string, person: Person) => {
  const answer = await web.send(path, { cookie: person.cookie })
  return { status: answer.status, text: await answer.text() }
}
const order = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((m) => m[1] ?? '')

/** The tab that shows a list; absent: one of its own. */
const TAB: Readonly<Record<string, string>> = { 'default-routes': 'routing' }

describe.each(FOUND_KINDS.map((kind) => [kind, TAB[kind] ?? kind] as const))('the list %s', (kind, tab) => {
  test('has a page and a tab, shows text from devices as text, and can be searched', async () => {
    const { text } = await open(`/discovered?of=${kind}`, admin)
    expect(text).toContain(`/device/${ids.mine}/${tab}`)
    expect(text).toContain(`/device/${ids.other}/${tab}`)
    for (const path of [`/discovered?of=${kind}`, `/device/${ids.evil}/${tab}`]) {
      const shown = await open(path, admin)
      expect([path, shown.status, /<img src=x|<u>/.test(shown.text)]).toEqual([path, 200, false])
    }
    const found = (await open(`/discovered?of=${kind}&q=GRANTED`, admin)).text
    expect(found).toContain(`/device/${ids.mine}/${tab}`)
    expect(found).not.toContain(`/device/${ids.other}/${tab}`)
    expect((await open(`/discovered?of=${kind}&q=no-such-text`, admin)).text).toContain('matches')
    expect((await open(`/device/${ids.mine}`, admin)).text).toContain(`/device/${ids.mine}/${tab}`)
  })

  test('shows a user only what was granted, on the page, in CSV and on the tab', async () => {
    for (const path of [`/discovered?of=${kind}`, `/discovered?of=${kind}&format=csv`, `/device/${ids.mine}/${tab}`]) {
      const { status, text } = await open(path, user)
      expect([path, status, text.includes('foreign')]).toEqual([path, 200, false])
    }
    expect((await open(`/device/${ids.other}/${tab}`, user)).status).toBe(404)
  })

  test('says what is missing when nothing was found, and hides the tab', async () => {
    const [{ id } = { id: 0 }] = await web.api.store.sql<{ id: number }[]>`
      insert into devices (hostname) values (${`empty-${kind}.example.net`}) returning device_id as id`
    expect((await open(`/device/${id}/${tab}`, admin)).text).toMatch(/report|have been found/)
    expect((await open(`/device/${id}`, admin)).text).not.toContain(`/device/${id}/${tab}"`)
  })
})

test('a user of a port sees its rows without the name of the device', async () => {
  const person = await web.signedIn(['user'])
  const [{ port } = { port: 0 }] = await web.api.store.sql<{ port: number }[]>`
    select port_id as port from transceivers where device_id = ${ids.other}`
  await web.api.services.users.grant(person.username, { portIds: [port] })
  const { text } = await open('/discovered?of=optics', person)
  expect(text).toContain(`/port/${port}`)
  expect(text).toContain('no access to the device')
  expect(text).not.toContain('foreign.example.net')
})

test('numbers in names are sorted as people count', async () => {
  const { sql } = web.api.store
  const names = [
    'Gi1/0/10',
    'gi1/0/2',
    'Gi1/0/1',
    'Gi2/0/1',
    'Te1/1',
    '',
    `x${'0'.repeat(300)}`,
    'x9',
    'x10',
    'Eth1',
    'eth001',
  ]
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${names}::text[]) name order by natural_key(name), name collate "C"`
  expect(rows.map(({ name }) => name.slice(0, 12))).toEqual([
    '',
    'Eth1',
    'eth001',
    'Gi1/0/1',
    'gi1/0/2',
    'Gi1/0/10',
    'Gi2/0/1',
    'Te1/1',
    'x00000000000',
    'x9',
    'x10',
  ])
})

test('optics show the weakest lane, and are marked when a reading is beyond its limit', async () => {
  const { sql } = web.api.store
  const [{ id, port } = { id: 0, port: 0 }] = await sql<{ id: number; port: number }[]>`
    with d as (insert into devices (hostname) values ('optics.example.net') returning device_id),
      p as (insert into ports (device_id, "ifIndex", "ifName") select device_id, 7, 'et-0/0/7' from d returning port_id)
    insert into transceivers (device_id, port_id, index, type) select d.device_id, p.port_id, '7', 'QSFP28' from d, p
    returning device_id as id, port_id as port`
  await sql`insert into sensors ${sql(
    [
      { sensor_descr: 'et-0/0/7 Rx lane 1', sensor_index: '1', sensor_current: -3.5, sensor_limit_low: -14 },
      { sensor_descr: 'et-0/0/7 Rx lane 2', sensor_index: '2', sensor_current: -17.25, sensor_limit_low: -14 },
      { sensor_descr: 'et-0/0/7 Tx lane 1', sensor_index: '3', sensor_current: 1, sensor_limit_low: -8 },
    ].map((row) => ({
      ...row,
      ...{ device_id: id, sensor_class: 'dbm', sensor_oid: '', sensor_type: 'x' },
      ...{ entPhysicalIndex: '7', entPhysicalIndex_measured: 'ports' },
    })),
  )}`
  const { text } = await open(`/device/${id}/optics`, admin)
  expect(text).toContain(`/port/${port}`)
  expect(text).toContain('beyond a limit')
  expect(text).toMatch(/−17\.25 dBm[\s\S]*1 dBm/)
})

test('pools say how many of their members are up', async () => {
  const { sql } = web.api.store
  const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`
    insert into devices (hostname) values ('balancer.example.net') returning device_id as id`
  await sql`insert into component ${sql([
    { device_id: id, type: 'f5-ltm-pool', label: '/Common/web', status: 1 },
    { device_id: id, type: 'f5-ltm-poolmember', label: '/Common/web', status: 0 },
    { device_id: id, type: 'f5-ltm-poolmember', label: '/Common/web', status: 2 },
    { device_id: id, type: 'f5-ltm-poolmember', label: '/Common/other', status: 0 },
  ])}`
  const { text } = await open(`/device/${id}/balancers`, admin)
  expect(text).toContain('1 of 2')
  expect(order(text, /(pool|member)<\/span>/g)).toEqual(['pool', 'member', 'member', 'member'])
})

test('the values of an access point are one row', async () => {
  const { sql } = web.api.store
  const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`
    insert into devices (hostname) values ('controller.example.net') returning device_id as id`
  await sql`insert into wireless_sensors ${sql(
    (
      [
        ['clients', 'AP 10', 12],
        ['channel', 'AP 10', 36],
        ['frequency', 'AP 10', 5180],
        ['clients', 'AP 9', 3],
      ] as const
    ).map(([sensor_class, sensor_descr, sensor_current], i) => ({
      ...{ sensor_class, sensor_descr, sensor_current },
      ...{ device_id: id, sensor_index: String(i), sensor_type: 'x', sensor_oids: '[]' },
    })),
  )}`
  const { text } = await open(`/device/${id}/radios`, admin)
  expect(order(text, />(AP \d+)</g)).toEqual(['AP 9', 'AP 10'])
  expect(text).toContain('5180 MHz')
})

test('a BGP session has its own history and prefixes', async () => {
  const { sql } = web.api.store
  const [{ id, device } = { id: 0, device: 0 }] = await sql<{ id: number; device: number }[]>`
    with d as (insert into devices (hostname) values ('edge.example.net') returning device_id)
    insert into public."bgpPeers" (device_id, "bgpPeerIdentifier", "bgpPeerRemoteAs", "bgpPeerState", "bgpPeerLastErrorText", context_name)
    select device_id, '192.0.2.9', 64500, 'active', 'hold timer expired', '' from d returning "bgpPeer_id" as id, device_id as device`
  await sql`insert into public."bgpPeers_cbgp" (device_id, "bgpPeerIdentifier", afi, safi, "AcceptedPrefixes", context_name)
    values (${device}, '192.0.2.9', 'ipv6', 'unicast', 4711, '')`
  await sql`insert into eventlog (device_id, message, type, reference, severity) values
    (${device}, 'BGP session went down', 'bgpPeer', ${String(id)}, 5), (${device}, 'another session', 'bgpPeer', '999999', 5)`
  const { text } = await open(`/bgp/${id}`, admin)
  expect(text).toContain('BGP session went down')
  expect(text).not.toContain('another session')
  expect(text).toMatch(/ipv6 unicast[\s\S]*4711/)
  expect(text).toContain('hold timer expired')
  expect((await open(`/device/${device}/routing`, admin)).text).toContain(`/bgp/${id}`)
  expect((await open('/routing', admin)).text).toContain(`/bgp/${id}`)
  expect([(await open(`/bgp/${id}`, user)).status, (await open('/bgp/999999', user)).status]).toEqual([404, 404])
})
