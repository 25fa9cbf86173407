import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { freePort } from '../../../packages/snmp/tests/support/snmpd.ts'
import { createSettings, type SettingsHolder } from '../../../src/config/settings.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { DomainError } from '../../../src/core/base/errors.ts'
import type { RecordedHost } from '../../../src/core/candidates/observed-host.ts'
import { type CandidateService, createCandidateService } from '../../../src/core/candidates/service.ts'
import { addDevice } from '../../../src/core/devices/add.ts'
import type { NewDevice } from '../../../src/core/devices/new-device.ts'
import { findDoubles } from '../../../src/core/identity/find-doubles.ts'
import { createGateway, type RoutedGateway } from '../../../src/core/pollers/gateway.ts'
import { HERE } from '../../../src/core/pollers/owner.ts'
import { runNow } from '../../../src/core/scans/run-now.ts'
import { createScanService } from '../../../src/core/scans/service.ts'
import { createLog } from '../../../src/observe/log.ts'
import { databaseUpstream } from '../../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../../src/poller/poller.ts'
import { createScanner, type Scanner } from '../../../src/scanner/scanner.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import {
  type FindableAgent,
  type FindableAgents,
  serialOf,
  startFindableAgents,
} from '../../support/findable-agents.ts'

// Scans of real agents on loopback, with the thread that asks, the rules of identity, a database, and the poller that
// discovers what was added.

setDefaultTimeout(120_000)

const USER = { authname: 'watcher', authpass: 'a long passphrase', cryptopass: 'another passphrase' }
const log = createLog('silent')
let database: TestDatabase
let settings: SettingsHolder
let scanner: Scanner
let poller: Poller
let gateway: RoutedGateway
let agents: FindableAgents
let candidates: CandidateService

beforeAll(async () => {
  database = await testDatabase()
  const port = await freePort()
  settings = createSettings({
    flags: {
      ...{ nets: '127.82.0.0/16', 'snmp.timeout': '0.5', 'snmp.port': String(port), 'autodiscovery.rate': '2000' },
      ...{ 'poller.workers': '1', icmp_check: 'false' },
    },
  })
  settings.applyStored(
    new Map<string, unknown>([
      ['snmp.community', ['public', 'branch']],
      ['snmp.v3', [{ ...USER, authlevel: 'authPriv', authalgo: 'SHA', cryptoalgo: 'AES' }]],
    ]),
  )
  agents = startFindableAgents(port)
  scanner = createScanner({ settings, log })
  const { store } = database
  poller = createPoller({ upstream: databaseUpstream(store), settings, log })
  await poller.open()
  gateway = createGateway({
    ...{ store, settings, log, ownerOf: () => Promise.resolve(HERE), changed: () => undefined },
    poller: () => Promise.resolve(poller),
  })
  const unused = (): never => {
    throw new Error('not used in this test')
  }
  candidates = createCandidateService({
    ...{ store, settings, gateway, reverse: () => Promise.resolve(null) },
    devices: { update: unused },
    groups: { find: unused, create: unused, add: unused },
    stored: {} as never,
  })
})
afterEach(async () => {
  agents.clear(...placed.splice(0))
  await gateway.announced()
  await database.store.sql`truncate candidates, candidate_rules, devices, eventlog, scans cascade`
})
afterAll(async () => {
  agents?.stop()
  scanner?.close()
  await poller?.stop(2000)
  await database?.drop()
})

const placed: string[] = []
async function place(agent: FindableAgent, ...addresses: string[]): Promise<void> {
  placed.push(...addresses)
  await agents.place(agent, ...addresses)
}

/** Scans networks without pings, which every loopback address answers. */
async function scan(...networks: string[]): Promise<RecordedHost[]> {
  const { store } = database
  const hosts: RecordedHost[] = []
  const [added] = await createScanService({ store, settings }).start(SYSTEM, { networks, ping: false }, true)
  if (added === undefined) throw new Error('no scan')
  const done = await runNow({ store, settings, gateway, log, ask: scanner.ask }, added, new AbortController().signal, {
    host: (host) => void hosts.push(host),
  })
  expect(done.state).toBe('done')
  return hosts.filter(({ state }) => state !== 'silent')
}
const list = async () => (await candidates.list(SYSTEM, { state: 'all', order: 'address', limit: 500 })).rows
const events = async () =>
  (await database.store.sql<{ message: string }[]>`select message from eventlog order by event_id`).map(
    ({ message }) => message,
  )

/** Adds the only candidate, and has it discovered. */
async function watch(): Promise<number> {
  const [candidate] = await list()
  const [accepted] = await candidates.accept(SYSTEM, [candidate?.id ?? 0], { nameBy: 'sysname' })
  expect(accepted?.problem ?? null).toBeNull()
  const deviceId = accepted?.deviceId ?? 0
  expect(await gateway.discover(deviceId)).toMatchObject({ failure: null })
  return deviceId
}

const agent = (name: string, number: number, more: Partial<FindableAgent> = {}): FindableAgent => ({
  ...{ name, number, listed: [`10.82.0.${number}`] },
  ...more,
})
const range = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i + 1))

test('a router that answers at forty addresses is one device', async () => {
  const addresses = range(40, (i) => `127.82.1.${i}`)
  await place(agent('core-1', 1, { listed: range(40, (i) => `10.82.1.${i}`) }), ...addresses)
  const hosts = await scan('127.82.1.0/26')
  expect(hosts.length).toBe(40)
  const [candidate, ...others] = await list()
  expect(others).toEqual([])
  expect(candidate).toMatchObject({ name: 'core-1', ports: 4, credentials: 'community 1 of the settings, v2c' })
  expect(candidate?.addresses.toSorted()).toEqual(addresses.toSorted())
})

test('two units of a cluster that share an address are two devices, also when the address moves between them', async () => {
  const shared = '10.82.2.9'
  const units = [1, 2].map((n) => agent(`firewall-${n}`, 20 + n, { listed: [`10.82.2.${n}`, shared] }))
  const [first, second] = units as [FindableAgent, FindableAgent]
  await place(first, '127.82.2.1', '127.82.2.3')
  await place(second, '127.82.2.2')
  await scan('127.82.2.0/29')
  expect((await list()).map(({ name }) => name).toSorted()).toEqual(['firewall-1', 'firewall-2'])
  await place(second, '127.82.2.3')
  await scan('127.82.2.0/29')
  expect((await list()).map(({ name }) => name).toSorted()).toEqual(['firewall-1', 'firewall-2'])
})

test('machines cloned with their engine ID are two devices', async () => {
  await place(agent('vm-a', 31, { image: 'template' }), '127.82.3.1')
  await place(agent('vm-b', 32, { image: 'template' }), '127.82.3.2')
  await scan('127.82.3.0/29')
  expect((await list()).map(({ name }) => name).toSorted()).toEqual(['vm-a', 'vm-b'])
})

test('an agent that speaks only v3 is found with the user of the settings', async () => {
  await place(agent('secure-1', 41, { v3: USER, community: 'closed' }), '127.82.4.1')
  const [host] = await scan('127.82.4.0/30')
  expect(host).toMatchObject({ address: '127.82.4.1', state: 'found', name: 'secure-1' })
  expect((await list()).map(({ credentials }) => credentials)).toEqual(['user 1 of the settings, v3'])
})

test('an agent with other credentials is no device, and the reason is said', async () => {
  const other = { ...USER, authname: 'somebody' }
  await place(agent('stranger-1', 51, { v3: other, community: 'closed' }), '127.82.5.1')
  await place(agent('stranger-2', 52, { community: 'closed' }), '127.82.5.2')
  const hosts = await scan('127.82.5.0/29')
  expect(hosts).toMatchObject([{ address: '127.82.5.1', name: null, sysObjectId: null }])
  expect(hosts[0]?.why).toContain('does not know the user')
  const [candidate, ...others] = await list()
  expect(others).toEqual([])
  expect(candidate).toMatchObject({ address: '127.82.5.1', credentials: null, os: 'generic' })
  // a community that is not its own gets no answer at all, and that of the settings was asked for
  expect(agents.asked('127.82.5.2')).toBeGreaterThan(1)
})

test('a stack of which one member is exchanged between two scans is still one device', async () => {
  const serials = [serialOf(61), serialOf(62), serialOf(63)]
  await place(agent('stack-1', 61, { serials }), '127.82.6.1')
  await scan('127.82.6.0/30')
  const [before] = await list()
  await place(agent('stack-1', 61, { serials: [serialOf(61), serialOf(69), serialOf(63)] }), '127.82.6.1')
  await scan('127.82.6.0/30')
  expect((await list()).map(({ id, name }) => [id, name])).toEqual([[before?.id ?? 0, 'stack-1']])
})

test('a monitored stack that gets another serial number altogether is still that device', async () => {
  await place(agent('stack-2', 65), '127.82.6.5')
  await scan('127.82.6.4/30')
  const deviceId = await watch()
  await place(agent('stack-2', 65, { serials: [serialOf(66)] }), '127.82.6.5', '127.82.6.6')
  const hosts = await scan('127.82.6.4/30')
  expect(hosts.map(({ state, deviceId }) => [state, deviceId])).toEqual([
    ['known', deviceId],
    ['known', deviceId],
  ])
})

test('a monitored device that answers at another address is noted there once, and not found again', async () => {
  const router = agent('edge-1', 71, { listed: ['10.82.7.1', '10.82.7.2'] })
  await place(router, '127.82.7.1')
  await scan('127.82.7.0/30')
  const deviceId = await watch()
  await place(router, '127.82.7.2')
  for (const _ of [1, 2]) {
    const hosts = await scan('127.82.7.0/30')
    expect(hosts.map(({ state, deviceId }) => [state, deviceId])).toEqual([
      ['known', deviceId],
      ['known', deviceId],
    ])
  }
  expect((await candidates.otherAddresses(SYSTEM, deviceId)).map(({ address }) => address)).toEqual(['127.82.7.2'])
  expect((await events()).filter((message) => message.startsWith('Also answers at'))).toEqual([
    'Also answers at 127.82.7.2',
  ])
  expect((await list()).map(({ state }) => state)).toEqual(['added'])
})

test('a monitored device that answers only at another address now is offered as moved', async () => {
  await place(agent('branch-1', 81), '127.82.8.1')
  await scan('127.82.8.0/30')
  const deviceId = await watch()
  agents.clear('127.82.8.1')
  await gateway.poll(deviceId)
  await place(agent('branch-1', 81), '127.82.8.2')
  const hosts = await scan('127.82.8.0/30')
  expect(hosts).toMatchObject([{ address: '127.82.8.2', state: 'found' }])
  const waiting = (await list()).filter(({ state }) => state === 'new')
  expect(waiting).toMatchObject([{ movedFrom: deviceId, address: '127.82.8.2' }])
  expect(waiting[0]?.why).toContain(`It is probably branch-1 (device ${deviceId})`)
})

for (const [own, elsewhere] of [
  ['127.82.10.1', '127.82.10.2'],
  ['127.82.10.2', '127.82.10.1'],
] as const)
  test(`a device at ${elsewhere} whose address ${own} another host took over is offered as moved while it counts as up`, async () => {
    const device = agent('branch-2', 101)
    await place(device, own)
    await scan('127.82.10.0/30')
    const deviceId = await watch()
    await place(agent('newcomer', 102), own)
    await place(device, elsewhere)
    const status = () => database.store.sql`select status from devices where device_id = ${deviceId}`
    expect(await status()).toMatchObject([{ status: 1 }])
    for (const _ of [1, 2]) await scan('127.82.10.0/30')
    const waiting = (await list()).filter(({ state }) => state === 'new')
    expect(waiting.map(({ name, address, movedFrom }) => [name, address, movedFrom]).toSorted()).toEqual([
      ['branch-2', elsewhere, deviceId],
      ['newcomer', own, null],
    ])
    const text = `It is probably branch-2 (device ${deviceId}), at whose address ${own} another host answers`
    expect(waiting.find(({ movedFrom }) => movedFrom !== null)?.why).toContain(text)
    const moved = `Another host answers at ${own}; this device was found at ${elsewhere}`
    expect((await events()).filter((message) => message === moved)).toHaveLength(1)
    // it is back: nothing is left to decide about it
    await place(device, own)
    await scan('127.82.10.0/30')
    expect((await list()).filter(({ movedFrom, state }) => movedFrom !== null && state === 'new')).toEqual([])
  })

test('another host at the address of a found device is another found device', async () => {
  await place(agent('first', 111), '127.82.11.1')
  await scan('127.82.11.0/30')
  await place(agent('second', 112), '127.82.11.1')
  await scan('127.82.11.0/30')
  expect((await list()).map(({ name, addresses }) => [name, addresses]).toSorted()).toEqual([
    ['first', []],
    ['second', ['127.82.11.1']],
  ])
})

/** Adds a device by hand: its id, or the refusal with the id of the device that it is. */
async function add(request: NewDevice): Promise<{ added: number } | { is: number | null; message: string }> {
  try {
    const { deviceId } = await addDevice({ store: database.store, settings, gateway }, SYSTEM, request)
    return { added: deviceId }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { is: error.deviceId, message: error.message }
  }
}

test('a router that is added by hand is refused under its other addresses and names, by what it says itself', async () => {
  settings.applyStored(
    new Map<string, unknown>([
      ['snmp.community', ['public']],
      ['allow_duplicate_sysName', true],
    ]),
  )
  const router = agent('edge-9', 91, { listed: range(40, (i) => `10.82.9.${i}`) })
  await place(router, '127.82.9.1', '127.82.9.2', '127.82.9.40')
  const first = await add({ hostname: '127.82.9.1' })
  const deviceId = 'added' in first ? first.added : 0
  expect(await gateway.discover(deviceId)).toMatchObject({ failure: null })
  // its engine ID and name are those of another image now, so that only its hardware tells
  await place({ ...router, name: 'renamed', image: 'other' }, '127.82.9.2', '127.82.9.40')
  for (const request of [
    { hostname: '127.82.9.2' },
    { hostname: '127.82.9.40', snmpver: 'v1' },
    { hostname: 'edge.example.net', overwriteIp: '127.82.9.2' },
  ])
    expect(await add(request)).toEqual({
      is: deviceId,
      message: expect.stringContaining(
        `Cannot add ${request.hostname}, it is 127.82.9.1 (device ${deviceId}), which answers at 127.82.9.1: they have the serial number`,
      ),
    })
  // clones have its engine ID and name
  await place(agent('edge-9', 92), '127.82.9.3')
  expect(await add({ hostname: '127.82.9.3' })).toEqual({ added: expect.any(Number) })
  const forced = await add({ hostname: '127.82.9.2', force: true, snmpver: 'v2c', community: 'public' })
  expect(forced).toEqual({ added: expect.any(Number) })
})

test('imported devices that turn out to be one after their discovery are named, and nothing is merged', async () => {
  const { store } = database
  await place(agent('edge-7', 91, { listed: ['10.82.9.1', '10.82.9.2'] }), '127.82.9.1', '127.82.9.2')
  await place(agent('edge-8', 92, { image: 'edge-7' }), '127.82.9.3')
  // as an import leaves them: the credentials are known, nothing was asked
  const rows = await store.sql<{ id: number }[]>`
    insert into devices (hostname, ip, community, snmpver, port, transport, "sysName")
    select a, a::inet, 'public', 'v2c', ${agents.port}, 'udp', a from unnest(${['127.82.9.1', '127.82.9.2', '127.82.9.3']}::text[]) a
    returning device_id as id`
  const [first = 0, second = 0, clone = 0] = rows.map(({ id }) => id)
  const options = { namesRepeat: false, signal: new AbortController().signal }
  expect(await findDoubles(store, options)).toBe(0)
  for (const id of [first, second, clone]) expect(await gateway.discover(id)).toMatchObject({ failure: null })
  expect(await findDoubles(store, options)).toBe(1)
  expect(await findDoubles(store, options)).toBe(0)
  const reason = expect.stringMatching(/^they have the (serial number|MAC address)/)
  expect(await candidates.doubles(SYSTEM, second, 10)).toMatchObject([{ device_id: first, other_id: second, reason }])
  expect(await candidates.doubles(SYSTEM, clone, 10)).toEqual([])
  // whoever reads the events of one need not see the other
  const told = (await events()).filter((message) => message.startsWith('Probably monitored twice'))
  expect(told).toEqual([expect.stringContaining(': they have'), expect.stringContaining(': they have')])
  expect(told.join()).not.toContain('127.82')
  expect(await store.sql`select device_id from devices`).toHaveLength(3)
  // what was another device's hardware is forgotten when it is found to be another
  await place(agent('edge-9', 93), '127.82.9.2')
  expect(await gateway.discover(second)).toMatchObject({ failure: null })
  await store.sql`update ports set deleted = 1 where device_id = ${second} and "ifPhysAddress" in (
    select "ifPhysAddress" from ports where device_id = ${first})`
  expect(await findDoubles(store, options)).toBe(0)
  expect(await candidates.doubles(SYSTEM, null, 10)).toEqual([])
})
