import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Permission } from '../../src/core/base/permissions.ts'
import { PAGES } from '../../src/web/pages.ts'
import { everyPermission } from '../core/access/world.ts'
import { fillDevice } from '../support/fill.ts'
import { addressOf } from './page-addresses.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

// What people with roles of their own see of a device that was granted to them: neither its credentials, nor what the
// role does not show.

setDefaultTimeout(300_000)

let web: TestWeb
let ids: ReadonlyMap<string, number>
beforeAll(async () => {
  web = await testWeb({ enable_billing: 'true', show_services: 'true', 'api.v1.enabled': 'true' })
  const { sql } = web.api.store
  ;({ ids } = await fillDevice(web.api.store, 10_000, 'granted'))
  await sql`update devices set snmpver = 'v3', authlevel = 'authPriv', community = 'secret-community',
    authname = 'name-in-snmp', authpass = 'secret-auth', cryptopass = 'secret-crypto'`
  await sql`insert into devices_attribs (device_id, attrib_type, attrib_value) values
    (${id('devices')}, 'other_program_password', 'secret-attribute')`
  await sql`update eventlog set message = 'only-an-event', datetime = now()`
  await sql`update syslog set msg = 'only-syslog'`
  await sql`update bills set bill_name = 'only-a-bill'`
  await sql`update services set service_name = 'only-a-service'`
  await sql`update ports_nac set username = 'only-nac'`
  await sql`update links set remote_hostname = 'only-a-neighbour', active = 1`
  await sql`update sensors set sensor_descr = 'only-a-sensor'`
  await sql`update vlans set vlan_name = 'only-a-vlan'`
  await sql`update "bgpPeers" set "astext" = 'only-a-peer', "bgpPeerDescr" = 'only-a-peer'`
  await sql`update port_groups set name = 'only-ports'`
})
afterAll(() => web.drop())

const id = (table: string): number => ids.get(table) ?? 0

async function member(name: string, permissions: readonly string[]): Promise<Person> {
  const { users } = web.api.services
  await users.defineRole(name, [...permissions])
  const person = await web.signedIn([])
  await users.setRoles(person.username, [name])
  await users.grant(person.username, { deviceIds: [id('devices')], billIds: [id('bills')] })
  return person
}

/** Addresses of pages on which a text stands. */
async function pagesWith(text: string, { cookie, userId }: Person): Promise<string[]> {
  const found: string[] = []
  for (const { path } of PAGES) {
    if (path.startsWith('/help')) continue
    const address = addressOf(path, ids, userId)
    if ((await (await web.send(address, { cookie })).text()).includes(text)) found.push(address)
  }
  return found
}

test('no page shows the credentials of a device to anyone but administrators', async () => {
  const every = everyPermission(web.api)
  for (const [name, permissions] of [
    ['everything', every],
    ['views', every.filter((one) => one.endsWith('.viewAny'))],
  ] as const)
    expect(await pagesWith('secret-', await member(name, permissions))).toEqual([])
  expect(await pagesWith('secret-', await web.signedIn(['global-read']))).toEqual([])
})

test('the text for a ticket has no credentials, not even for administrators', async () => {
  const { cookie } = await web.signedIn(['admin'])
  const text = await (await web.send(`/device/${id('devices')}/capture`, { cookie })).text()
  expect(text).toContain('user name stored')
  expect(text).toContain('only-an-event')
  expect(text).not.toMatch(/secret-|name-in-snmp/)
})

const SUBJECTS: readonly (readonly [Permission, string])[] = [
  ['Eventlog.viewAny', 'only-an-event'],
  ['Syslog.viewAny', 'only-syslog'],
  ['Bill.viewAny', 'only-a-bill'],
  ['Service.viewAny', 'only-a-service'],
  ['PortsNac.viewAny', 'only-nac'],
  ['Link.viewAny', 'only-a-neighbour'],
  ['Sensor.viewAny', 'only-a-sensor'],
  ['Vlan.viewAny', 'only-a-vlan'],
  ['BgpPeer.viewAny', 'only-a-peer'],
  ['PortGroup.viewAny', 'only-ports'],
]

test.each(SUBJECTS)('what %s shows stands on no page without it', async (gate, text) => {
  const views = everyPermission(web.api).filter((one) => one.endsWith('.viewAny'))
  const without = views.filter((one) => one !== gate)
  const named = gate.toLowerCase().replace('.', '-')
  expect(await pagesWith(text, await member(`without-${named}`, without))).toEqual([])
  expect(await pagesWith(text, await member(`with-${named}`, views))).not.toEqual([])
})

test('graphs are drawn for those whose role shows devices, ports, services or bills', async () => {
  const graphs: readonly (readonly [string, Permission])[] = [
    [`/graph/device/${id('devices')}/device_bits`, 'Device.viewAny'],
    [`/graph/port/${id('ports')}/port_bits`, 'Port.viewAny'],
    [`/graph/bill/${id('bills')}/bits`, 'Bill.viewAny'],
    ['/graph/sparks/port?ids=1', 'Port.viewAny'],
    ['/graph/sparks/device?ids=1', 'Device.viewAny'],
    ['/graph/sparks/sensor?ids=1', 'Sensor.viewAny'],
  ]
  const stranger = await member('stranger', ['location.viewAny'])
  for (const [at, [path, gate]] of graphs.entries()) {
    const allowed = await member(`graphs-${at}`, [gate])
    expect([path, (await web.send(path, { cookie: stranger.cookie })).status]).toEqual([path, 404])
    expect([path, (await web.send(path, { cookie: allowed.cookie })).status]).toEqual([path, 200])
  }
})
