import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import type { ObservedHost, Source } from '../../src/core/candidates/observed-host.ts'
import { recordHost } from '../../src/core/candidates/record-host.ts'
import { createGateway } from '../../src/core/pollers/gateway.ts'
import { answering, MACS, mute, SCAN } from '../core/candidates/hosts.ts'
import { makeDevice } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

const MARKUP = '<img src=x onerror=alert(1)><u>'

let web: TestWeb
let admin: Person
let adder: Person
let reader: Person
/** The device that reports neighbours, its first port, and candidates by address. */
let deviceId: number
let portId: number
const ids = new Map<string, number>()
const idOf = (address: string) => ids.get(address) ?? 0

beforeAll(async () => {
  web = await testWeb({ nets: '192.0.2.0/24,198.51.100.0/24', mydomain: 'example.net' })
  const { store } = web.api
  const { deviceId: device, portIds } = await makeDevice(store, 2)
  deviceId = device
  portId = portIds[0] ?? 0
  await store.sql`update devices set display = 'core-1', hostname = 'core-1.example.net' where device_id = ${deviceId}`
  await store.sql`update ports set "ifName" = 'Gi1/0/1' where port_id = ${portId}`
  const neighbour: Source = {
    ...SCAN,
    ...{ kind: 'lldp', scanId: null, deviceId, portId, remoteName: 'access-7', remotePlatform: 'WS-C2960X' },
  } as const
  await store.sql`insert into links (local_port_id, local_device_id, protocol, remote_hostname, remote_port, remote_platform, remote_version)
    values (${portId}, ${deviceId}, 'lldp', 'access-7', 'Gi0/1', 'WS-C2960X', ''),
      (${portIds[1] ?? 0}, ${deviceId}, 'lldp', ${`stranger ${MARKUP}`}, 'eth0', '', '')`
  await found(
    answering('192.0.2.7', identity(7, 'access-7', 'ios'), 0, neighbour),
    answering('192.0.2.8', identity(8, 'printer-8', 'jetdirect')),
    answering('198.51.100.9', identity(9, MARKUP, 'generic')),
    mute('192.0.2.50', 2),
  )
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  await web.api.services.users.defineRole('adder', ['device.create', 'device.viewany'])
  adder = await web.signedIn(['user'])
  await web.api.services.users.setRoles(adder.username, ['user', 'adder'])
  await web.api.services.users.grant(adder.username, { deviceIds: [deviceId] })
})
afterAll(() => web.drop())

const identity = (number: number, sysName: string, os: string) => ({
  ...{ sysName, os, macs: MACS(number, 4), sysDescr: `${sysName} runs ${os}`, hardware: `Model ${number}`, ports: 4 },
})

async function found(...hosts: readonly ObservedHost[]): Promise<void> {
  const { store, settings, services } = web.api
  const gateway = createGateway({
    ...{ store, settings, log: services.log },
    poller: () => Promise.reject(new Error('nothing is added at once')),
    ownerOf: () => Promise.reject(new Error('nothing is polled')),
    graceS: 0,
    changed: () => undefined,
  })
  for (const host of hosts) {
    const { candidateId } = await recordHost(
      { store, settings, gateway, reverse: async () => null, keepsPing: true },
      host,
    )
    ids.set(host.target.address, candidateId ?? 0)
  }
}

const open = async (path: string, person: Person) => {
  const answer = await web.send(path, { cookie: person.cookie })
  return { status: answer.status, text: await answer.text() }
}
const act = async (person: Person, path: string, form: Readonly<Record<string, string>>, accept = 'text/html') => {
  const headers = { accept }
  const answer = await web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie, headers })
  const text = await answer.text()
  const says = /<div class="note \w+" role="status">.*?<b>(.*?)<\/b>/s.exec(text)?.[1]
  return { status: answer.status, to: answer.headers.get('location'), says, text }
}
const stateOf = async (address: string) =>
  (await web.api.services.candidates.list(SYSTEM, { state: 'all' })).rows.find((one) => one.address === address)?.state

describe('the page of found devices', () => {
  test('says what each is, where it was seen and by whom, and why it is here; text of devices stays text', async () => {
    const { text } = await open('/found', admin)
    expect(text).toContain('4 devices wait for a decision')
    expect(text).toContain(`href="/found/accept?ids=${idOf('192.0.2.7')}"`)
    expect(text).toContain(`href="/port/${portId}"`)
    expect(text).toContain('ios Model 7')
    expect(text).toContain('community 1 of the settings')
    expect(text).toContain('No rule adds or ignores it')
    expect(text).toContain('It answers ping, but not SNMP')
    expect(text).toContain('&lt;img src=x')
    expect(text).not.toContain(MARKUP)
    expect(text).toMatch(/href="\/found"[^>]*>.*?<span class="count">4<\/span>/s)
  })

  test('is filtered by state, source, network, system and text, and is a CSV file', async () => {
    const names = async (query: string) => {
      const { text } = await open(`/found?format=csv&${query}`, admin)
      return text
        .split('\r\n')
        .slice(1, -1)
        .flatMap((line) => /^"Waiting","(.*?)"/.exec(line)?.[1] ?? [])
        .sort()
    }
    expect(await names('')).toEqual(['192.0.2.50', MARKUP, 'access-7', 'printer-8'])
    expect(await names('source=lldp')).toEqual(['access-7'])
    expect(await names('network=198.51.100.0/24')).toEqual([MARKUP])
    expect(await names('os=jetdirect')).toEqual(['printer-8'])
    expect(await names('q=runs+ios')).toEqual(['access-7'])
    expect(await names('scan=1')).toEqual(['192.0.2.50', MARKUP, 'printer-8'])
    expect(await names('state=ignored')).toEqual([])
    expect((await open('/found?state=added', admin)).text).toContain('No candidate is added')
    const counts = async (query: string) =>
      [
        ...(await open(`/found?${query}`, admin)).text.matchAll(/(All|Waiting|Ignored|Added)\s*<small>(\d+)<\/small>/g),
      ].map(([, state, n]) => `${state} ${n}`)
    expect(await counts('')).toEqual(['All 4', 'Waiting 4', 'Ignored 0', 'Added 0'])
    expect(await counts('state=ignored&os=jetdirect')).toEqual(['All 1', 'Waiting 1', 'Ignored 0', 'Added 0'])
    // systems are chosen from those that were found, and one that is gone stays chosen
    const systems = (await open('/found?os=vanished', admin)).text
    expect(systems).toMatch(/<option value="ios">ios<\/option>.*<option value="vanished" selected/s)
  })

  test('is for those who may add devices, who see what their devices report', async () => {
    expect((await open('/found', reader)).status).toBe(404)
    const { status, text } = await open('/found', adder)
    expect([status, text.includes('access-7'), text.includes('printer-8')]).toEqual([200, true, false])
    const foreign = await open(`/found/accept?ids=${idOf('192.0.2.8')}`, adder)
    expect(foreign.text).toContain('None of them waits any more')
    const tick = { [`candidate-${idOf('192.0.2.8')}`]: '1' }
    await act(adder, '/found', { do: 'ignore', ...tick })
    expect(await stateOf('192.0.2.8')).toBe('new')
    await act(adder, '/found', { do: 'exclude', network: '192.0.2.0/25', ...tick })
    expect(await web.api.services.settings.stored()).toEqual(new Map())
    for (const path of ['/scans', '/found/rules', '/first-run']) expect((await open(path, adder)).status).toBe(404)
    expect((await open('/found', adder)).text).not.toContain('Exclude network')
  })

  test('ignores for ever, offers again, and excludes a network', async () => {
    const tick = { [`candidate-${idOf('192.0.2.8')}`]: '1' }
    expect((await act(admin, '/found', { do: 'ignore' })).says).toContain('Select one or more')
    expect((await act(admin, '/found', { do: 'ignore', ...tick })).says).toBe('1 is ignored from now on.')
    expect((await open('/found?state=ignored', admin)).text).toContain('Offer again')
    await found(answering('192.0.2.8', identity(8, 'printer-8', 'jetdirect')))
    expect(await stateOf('192.0.2.8')).toBe('ignored')
    expect((await act(admin, '/found', { do: 'unignore', ...tick })).says).toBe('1 is offered again.')
    expect(await stateOf('192.0.2.8')).toBe('new')
    expect((await act(admin, '/found', { do: 'exclude', network: 'all' })).says).toContain('enter a network')
    expect((await act(admin, '/found', { do: 'exclude', network: '203.0.113.7/25' })).says).toContain('203.0.113.0/25')
    expect((await web.api.services.settings.stored()).get('autodiscovery.nets-exclude')).toEqual(['203.0.113.0/25'])
  })
})

describe('accepting', () => {
  const path = () => `/found/accept?ids=${idOf('192.0.2.8')},${idOf('192.0.2.50')}`

  test('leads from the ticked ones to the names that they would get', async () => {
    const ticks = { [`candidate-${idOf('192.0.2.8')}`]: '1', [`candidate-${idOf('192.0.2.50')}`]: '1' }
    const chosen = await act(admin, '/found', { do: 'choose', ...ticks })
    expect([chosen.status, chosen.to]).toEqual([303, path()])
    const { text } = await open(path(), admin)
    expect(text).toContain('Add 2 devices')
    expect(text).toContain('printer-8.example.net')
    expect((await open('/found/accept?ids=0,x,99999999', admin)).text).toContain('None of them waits any more')
  })

  test('adds those that answer, and says of each other one why not; the progress is streamed', async () => {
    web.api.network.agents.set('192.0.2.8', { knows: ({ community }) => community === 'public', sysName: 'printer-8' })
    const form = { do: 'accept', name: 'sysname', location: 'Attic' }
    const { text } = await act(admin, path(), form, 'application/x-ndjson')
    const sent = text
      .split('\n')
      .filter((line) => line !== '')
      .map(
        (line) =>
          JSON.parse(line) as {
            step?: { what: string; result: string; state: string }
            progress?: string
            end?: string
          },
      )
    expect(sent.at(-1)?.end).toBe('1 added, 1 not added: they stay in Found.')
    expect(sent.flatMap(({ progress }) => progress ?? [])).toEqual(['1 of 2', '2 of 2'])
    const step = (name: string) => sent.find(({ step: one }) => one?.what.startsWith(name))?.step
    expect(step('printer-8')).toMatchObject({ result: 'added', state: 'ok' })
    expect(step('192.0.2.50')?.result).toContain('Add it by ping alone')
    const [row] = await web.api.store.sql<{ hostname: string; overwrite_ip: string; location: string }[]>`
      select hostname, overwrite_ip, location from devices left join locations on locations.id = location_id where hostname like 'printer-8%'`
    expect(row).toEqual({ hostname: 'printer-8.example.net', overwrite_ip: '192.0.2.8', location: 'Attic' })
    expect(await stateOf('192.0.2.8')).toBe('added')
  })

  test('without scripts the answer has the results', async () => {
    const one = `/found/accept?ids=${idOf('192.0.2.50')}`
    const refused = await act(admin, one, { do: 'accept' })
    expect(refused.says).toContain('1 not added')
    const added = await act(admin, one, { do: 'accept', ping_only: '1', hostname: 'camera-50' })
    expect(added.says).toBe('1 added.')
    expect(added.text).toMatch(/<a href="\/device\/\d+">192.0.2.50<\/a>/)
    const [row] = await web.api.store.sql<
      { snmp_disable: number }[]
    >`select snmp_disable from devices where hostname = 'camera-50'`
    expect(row).toEqual({ snmp_disable: 1 })
  })

  test('a device that moved gets its new address', async () => {
    const { sql } = web.api.store
    await sql`update devices set overwrite_ip = '192.0.2.200', status = 0 where device_id = ${deviceId}`
    await sql`update candidates set moved_from = ${deviceId} where id = ${idOf('198.51.100.9')}`
    const path = `/found/accept?ids=${idOf('198.51.100.9')}`
    const { text } = await open(path, admin)
    expect(text).toContain('This is probably')
    expect(text).toContain('Any host can claim a name, a serial number or a MAC address')
    expect(text).toContain('Change its address')
    const moved = await act(admin, path, { do: 'move', id: String(idOf('198.51.100.9')) })
    expect(moved.to).toBe(`/device/${deviceId}`)
    const [row] = await sql<{ overwrite_ip: string }[]>`select overwrite_ip from devices where device_id = ${deviceId}`
    expect(row).toEqual({ overwrite_ip: '198.51.100.9' })
  })
})

test('rules are added in order, moved, and deleted; a pattern that is none is refused', async () => {
  const add = (form: Readonly<Record<string, string>>) => act(admin, '/found/rules', { do: 'add', ...form })
  expect((await add({ action: 'ignore', platform: '/^Cisco IP Phone/' })).status).toBe(303)
  expect((await add({ action: 'accept', network: '192.0.2.9/24', os: 'ios', protocol: 'cdp' })).status).toBe(303)
  expect((await add({ action: 'ignore', sysname: '/(/' })).says).toContain('regular expression')
  const order = async () =>
    [...(await open('/found/rules', admin)).text.matchAll(/<span class="wrap" dir="auto">(.*?)<\/span>/g)].map(
      (m) => m[1],
    )
  expect(await order()).toEqual(['platform like /^Cisco IP Phone/', 'in 192.0.2.0/24, system ios, seen by CDP'])
  const rules = await web.api.services.candidates.rules(SYSTEM)
  const last = String(rules[1]?.id)
  await act(admin, '/found/rules', { do: 'up', id: last })
  expect((await order())[0]).toContain('seen by CDP')
  await act(admin, '/found/rules', { do: 'delete', id: last })
  expect(await order()).toHaveLength(1)
})

describe('neighbours that are not monitored', () => {
  test('have Add on the tab of the device, for those who may', async () => {
    const path = `/device/${deviceId}/neighbours`
    const { text } = await open(path, adder)
    expect(text).toContain(`href="/found/accept?ids=${idOf('192.0.2.7')}" aria-label="Add access-7"`)
    expect(text).toContain('href="/devices/new?hostname=stranger')
    expect((await open(path, reader)).text).not.toContain('aria-label="Add')
    expect((await open('/devices/new?hostname=%22%3E%3Cu%3E', admin)).text).toContain('value="&quot;&gt;&lt;u&gt;"')
  })

  test('have Add also where other devices report more of them than the map draws', async () => {
    const { store } = web.api
    const other = await makeDevice(store, 1)
    await store.sql`
      insert into links (local_port_id, local_device_id, protocol, remote_hostname, remote_port, remote_version)
      select ${other.portIds[0] ?? 0}, ${other.deviceId}, 'lldp', 'aa-' || n, 'Gi0/1', '' from generate_series(1, 600) n`
    expect((await open(`/device/${deviceId}/neighbours`, admin)).text).toContain('aria-label="Add access-7"')
    await store.sql`delete from devices where device_id = ${other.deviceId}`
  })

  test('are drawn on the map, where the count leads to Found', async () => {
    const { text } = await open('/topology', adder)
    expect(text).toContain('class="nd ghost"')
    expect(text).toContain('<title>access-7, not monitored</title>')
    expect(text).toContain(`href="/found/accept?ids=${idOf('192.0.2.7')}"`)
    expect(text).toContain('<a href="/found">Neighbours that are not monitored</a>')
    expect(text).not.toContain('<img src=x')
    const seen = (await open('/topology', reader)).text
    expect(seen).toContain('class="nd ghost"')
    expect(seen).not.toContain('/found')
    expect((await open('/topology?ghosts=no', adder)).text).not.toContain('class="nd ghost"')
  })

  test('have Add in the ARP table where no monitored device has the address', async () => {
    const { sql } = web.api.store
    await sql`insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address, context_name) values
      (${portId}, ${deviceId}, '001b21000700', '192.0.2.7', ''), (${portId}, ${deviceId}, '001b21000800', '192.0.2.8', ''),
      (${portId}, ${deviceId}, '001b21006300', '192.0.2.99', '')`
    const { text } = await open(`/device/${deviceId}/fdb`, adder)
    expect(text).toContain(`href="/found/accept?ids=${idOf('192.0.2.7')}" aria-label="Add 192.0.2.7"`)
    expect(text).toContain('href="/devices/new?hostname=192.0.2.99"')
    expect(text).not.toContain('Add 192.0.2.8"')
    expect((await open(`/device/${deviceId}/fdb`, reader)).text).not.toContain('aria-label="Add')
  })
})
