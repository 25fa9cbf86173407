import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { startAgent } from '../../../packages/snmp/tests/support/agent.ts'
import { freePort } from '../../../packages/snmp/tests/support/snmpd.ts'
import { openScanner } from '../../../src/app/open-scanner.ts'
import { createSettings, type SettingsHolder } from '../../../src/config/settings.ts'
import { type Actor, SYSTEM } from '../../../src/core/base/actor.ts'
import type { Gateway } from '../../../src/core/base/gateway.ts'
import type { RecordedHost } from '../../../src/core/candidates/observed-host.ts'
import { createGateway } from '../../../src/core/pollers/gateway.ts'
import { HERE } from '../../../src/core/pollers/owner.ts'
import { portOf } from '../../../src/core/scans/network-options.ts'
import { findScan, lastScanned } from '../../../src/core/scans/read.ts'
import { runNow } from '../../../src/core/scans/run-now.ts'
import type { ScanRunDeps } from '../../../src/core/scans/run-scan.ts'
import type { Scan } from '../../../src/core/scans/scan.ts'
import { startScanTurns } from '../../../src/core/scans/scan-turns.ts'
import { createScanService } from '../../../src/core/scans/service.ts'
import { releaseDead, takeScan } from '../../../src/core/scans/write.ts'
import { generateSiteKey } from '../../../src/lib/site-keys.ts'
import { createLog } from '../../../src/observe/log.ts'
import { createScanner, type Scanner } from '../../../src/scanner/scanner.ts'
import { probeTarget } from '../../scanner/support.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

setDefaultTimeout(60_000)

const log = createLog('silent')
const signal = new AbortController().signal
let database: TestDatabase
let settings: SettingsHolder
let scanner: Scanner
let scans: ReturnType<typeof createScanService>
let deps: ScanRunDeps

beforeAll(async () => {
  database = await testDatabase()
  settings = createSettings({
    flags: {
      ...{ nets: '127.81.0.0/16,127.0.0.1', 'snmp.timeout': '0.1', 'snmp.version': 'v2c' },
      ...{ 'snmp.port': String(await freePort()), 'autodiscovery.rate': '20000' },
    },
  })
  scanner = createScanner({ settings, log })
  const { store } = database
  scans = createScanService({ store, settings })
  const gateway: Gateway = createGateway({
    ...{ store, settings, log, ownerOf: () => Promise.resolve(HERE), changed: () => undefined },
    poller: () => Promise.reject(new Error('no poller in this test')),
  })
  deps = { store, settings, gateway, ask: scanner.ask, log }
})
beforeEach(async () => {
  await database.store.sql`delete from scans`
})
afterAll(async () => {
  scanner.close()
  await database.drop()
})

const start = async (networks: string[], more: object = {}, byCommand = true): Promise<Scan> => {
  const [scan] = await scans.start(SYSTEM, { networks, ping: false, ...more }, byCommand)
  if (scan === undefined) throw new Error('no scan')
  return scan
}
const until = (isSo: () => Promise<boolean>) => eventually(async () => ((await isSo()) ? true : null))
const setStored = (values: Readonly<Record<string, unknown>>): void => {
  settings.applyStored(new Map(Object.entries(values)))
}

test('a scan asks every address, records what answers, and ends with the counts', async () => {
  const agent = await startAgent(
    () => ({ '1.3.6.1.2.1.1.5.0': { kind: 'OctetString', value: Buffer.from('core-1') } }),
    {},
    '127.0.0.1',
  )
  setStored({ 'autodiscovery.nets-exclude': ['127.81.0.0/30'] })
  try {
    const here = createSettings({
      flags: { nets: '127.81.0.0/16,127.0.0.1', 'snmp.timeout': '0.1', 'snmp.port': String(agent.port) },
    })
    here.applyStored(new Map<string, unknown>([['autodiscovery.nets-exclude', ['127.81.0.0/30']]]))
    const thread = createScanner({ settings: here, log })
    const hosts: RecordedHost[] = []
    const [added] = await createScanService({ store: database.store, settings: here }).start(
      SYSTEM,
      { networks: ['127.81.0.0/28', '127.0.0.1'], ping: false, rate: 20_000 },
      true,
    )
    const scan = await runNow({ ...deps, settings: here, ask: thread.ask }, added ?? { id: 0 }, signal, {
      host: (host) => void hosts.push(host),
    })
    thread.close()
    expect(scan.counts).toMatchObject({ total: 12, done: 12, excluded: 3, answeredSnmp: 1, silent: 11, found: 1 })
    expect([scan.state, scan.why]).toEqual(['done', null])
    expect(hosts.length).toBe(12)
    expect(hosts.find(({ state }) => state === 'found')).toMatchObject({ address: '127.0.0.1', name: 'core-1' })
  } finally {
    setStored({})
    agent.stop()
  }
})

test('a scan that found nothing says how many answered what, and what to check', async () => {
  const { why, state } = await runNow(deps, await start(['127.81.1.0/29']), signal, {})
  expect(state).toBe('done')
  expect(why).toContain('Of 6 addresses, 0 answered SNMP, 6 were silent')
  for (const word of ['community', 'access lists', 'snmp.port', 'firewall']) expect(why).toContain(word)
})

test('a scan that was stopped goes on where it was: every address is met once', async () => {
  const scan = await start(['127.81.2.0/23'], { rate: 200 })
  const met: string[] = []
  const follower = { host: ({ address }: RecordedHost) => void met.push(address) }
  const running = runNow(deps, scan, signal, follower)
  await until(async () => ((await findScan(database.store, scan.id))?.counts.done ?? 0) > 20)
  const stopped = await scans.stop(SYSTEM, scan.id)
  expect(stopped.state).toBe('stopped')
  await running
  const between = await findScan(database.store, scan.id)
  expect(between?.counts.done).toBeLessThan(510)
  await scans.resume(SYSTEM, scan.id, true)
  const ended = await runNow(deps, scan, signal, follower)
  expect(ended.state).toBe('done')
  // what was done after the last progress was stored is asked again, and counted once
  expect(ended.counts).toMatchObject({ total: 510, done: 510, silent: 510 })
  expect(new Set(met).size).toBe(510)
})

test('the server runs what waits, one at a time for each poller group, in order', async () => {
  await database.store
    .sql`insert into poller_groups (id, group_name, descr) values (7, 'site', '') on conflict do nothing`
  const first = await start(['127.81.4.0/28'], { rate: 100 }, false)
  const second = await start(['127.81.5.0/28'], {}, false)
  const other = await start(['127.81.6.0/28'], { pollerGroup: 7 }, false)
  const byCommand = await start(['127.81.7.0/28'])
  const turns = startScanTurns(deps)
  const stateOf = async ({ id }: Scan) => (await findScan(database.store, id))?.state
  await until(async () => {
    const states = await Promise.all([first, second, other].map(stateOf))
    if (states[0] === 'running') expect(states[1]).toBe('waiting')
    return states.every((state) => state === 'done')
  })
  await turns.stop()
  expect(await stateOf(byCommand)).toBe('waiting')
  const [a, b] = [await findScan(database.store, first.id), await findScan(database.store, second.id)]
  expect(Number(b?.startedAt) >= Number(a?.endedAt)).toBe(true)
})

test('at a stop of the server, and after its death, a scan waits to go on; that of a command is stopped', async () => {
  const scan = await start(['127.81.8.0/22'], { rate: 100 }, false)
  const turns = startScanTurns(deps)
  await until(async () => ((await findScan(database.store, scan.id))?.counts.done ?? 0) > 0)
  await turns.stop()
  const kept = await findScan(database.store, scan.id)
  expect(kept).toMatchObject({ state: 'waiting' })
  expect(kept?.counts.done).toBeGreaterThan(0)
  expect(await takeScan(database.store, scan.id, 'dead')).toBe(true)
  const command = await start(['127.81.9.0/28'], { pollerGroup: 7 })
  await takeScan(database.store, command.id, 'dead too')
  await releaseDead(database.store, 60)
  expect((await findScan(database.store, scan.id))?.state).toBe('running')
  await database.store.sql`update scans set heard_at = now() - interval '2 minutes'`
  await releaseDead(database.store, 60)
  expect((await findScan(database.store, scan.id))?.state).toBe('waiting')
  expect((await findScan(database.store, command.id))?.state).toBe('stopped')
})

test('networks have rates and poller groups of their own, and are scanned again after their hours', async () => {
  setStored({
    'autodiscovery.networks': {
      '127.81.16.0/24': { rate: 50, poller_group: 7, every_hours: 24 },
      '127.81.17.0/24': { rate: 60, port: 1161 },
      '127.81.17.0/26': { rate: 70 },
    },
  })
  try {
    const parts = await scans.start(SYSTEM, { networks: ['127.81.16.0/22'], ping: false }, true)
    expect(parts.map(({ networks, rate, pollerGroup, counts }) => [networks, rate, pollerGroup, counts.total])).toEqual(
      [
        [['127.81.16.0/22'], 20_000, 0, 1022 - 255 - 256],
        [['127.81.16.0/24'], 50, 7, 254],
        [['127.81.17.0/24'], 60, 0, 254 - 63],
        [['127.81.17.0/26'], 70, 0, 62],
      ],
    )
    const usual = settings.get('snmp.port')
    expect(parts.map(({ networks }) => portOf(settings, networks))).toEqual([usual, usual, 1161, 1161])
    await database.store.sql`delete from scans`
    const turns = startScanTurns({ ...deps, ask: async function* () {} })
    await until(async () => (await scans.list(SYSTEM)).length > 0)
    await turns.stop()
    const again = startScanTurns({ ...deps, ask: async function* () {} })
    await again.stop()
    expect((await scans.list(SYSTEM)).map(({ networks, startedBy }) => [networks, startedBy])).toEqual([
      [['127.81.16.0/24'], 'schedule'],
    ])
  } finally {
    setStored({})
  }
})

test('a network of a poller group that does not exist is not scanned', async () => {
  setStored({ 'autodiscovery.networks': { '127.81.16.0/24': { poller_group: 4711 } } })
  try {
    await expect(start(['127.81.16.0/24'])).rejects.toThrow('poller group 4711, which does not exist')
  } finally {
    setStored({})
  }
})

test('a network at the site of a remote poller is not asked from here, and other poller groups are not mixed with it', async () => {
  const { sql } = database.store
  await sql`insert into poller_groups (id, group_name, descr) values (8, 'far', '') on conflict do nothing`
  const { publicText } = generateSiteKey()
  await sql`insert into remote_pollers (name, public_key, poller_group) values ('far-1', ${publicText}, 8)`
  const received: Uint8Array[] = []
  const host = await Bun.udpSocket({
    ...{ hostname: '127.81.9.1', port: settings.get('snmp.port'), binaryType: 'uint8array' },
    socket: { data: (_socket, data) => void received.push(data) },
  })
  const thread = openScanner({ store: database.store, settings, log })
  try {
    const failed = await runNow(
      { ...deps, ask: thread.ask },
      await start(['127.81.9.1'], { pollerGroup: 'far' }),
      signal,
      {},
    )
    expect(failed).toMatchObject({ state: 'failed', counts: { done: 0, silent: 0 } })
    expect(failed.why).toBe(
      'The scan could not go on: the site of remote poller far-1 cannot be asked: nats.url: no NATS server is set. Resume it to go on where it was.',
    )
    expect(received.length).toBe(0)
    const targets = [0, 8].map((pollerGroup) => ({ ...probeTarget('127.81.9.1'), pollerGroup }))
    await expect(Array.fromAsync(thread.ask(targets, signal, { ping: false }))).rejects.toThrow(
      'different poller groups',
    )
  } finally {
    thread.close()
    host.close()
  }
})

test('only administrators scan, and only their own networks of a sensible size', async () => {
  const someone: Actor = { ...SYSTEM, userId: 5, username: 'op', roles: new Set(['global-read']) }
  await expect(scans.start(someone, {})).rejects.toThrow('Only administrators')
  for (const ask of [scans.list(someone), scans.get(someone, 1), scans.stop(someone, 1), scans.resume(someone, 1)])
    await expect(ask).rejects.toThrow('Only administrators')
  await expect(start(['192.0.2.0/24'])).rejects.toThrow('192.0.2.0/24 is not in setting nets')
  await expect(start(['nonsense'])).rejects.toThrow('nonsense is not a network')
  for (const rate of [0, -1, 1.5, 20_001, 1e300, Number.NaN])
    await expect(start(['127.81.0.0/24'], { rate })).rejects.toThrow('The rate must be')
  const many = Array.from({ length: 1001 }, (_, i) => `127.81.${i >> 8}.${i & 255}`)
  await expect(start(many)).rejects.toThrow('A scan has at most 1000 networks; 1001 are given')
  await expect(start(['127.81.0.0/24'], { pollerGroup: 99 })).rejects.toThrow('There is no poller group 99')
  await expect(start(['127.81.0.0/24'], { snmp: false })).rejects.toThrow('needs ping or SNMP')
  const wide = createScanService({
    store: database.store,
    settings: createSettings({ flags: { nets: '10.0.0.0/8,2001:db8::/64' } }),
  })
  await expect(wide.start(SYSTEM, { networks: ['10.0.0.0/8'] })).rejects.toThrow('16,777,214 addresses')
  await expect(wide.start(SYSTEM, { networks: ['2001:db8::/64'], large: true })).rejects.toThrow('neighbours')
  expect((await wide.start(SYSTEM, { networks: ['10.0.0.0/8'], large: true })).length).toBe(1)
  // all own networks are those that can be scanned
  const both = createScanService({
    store: database.store,
    settings: createSettings({ flags: { nets: '10.0.0.0/24,2001:db8::/64' } }),
  })
  expect((await both.start(SYSTEM, {})).map(({ networks }) => networks)).toEqual([['10.0.0.0/24']])
  const six = createScanService({
    store: database.store,
    settings: createSettings({ flags: { nets: '2001:db8::/64' } }),
  })
  await expect(six.start(SYSTEM, {})).rejects.toThrow('only IPv6 networks with too many addresses')
  const none = createScanService({ store: database.store, settings: createSettings({ flags: {} }) })
  await expect(none.start(SYSTEM, {})).rejects.toThrow('Setting nets is empty')
})

test('what is over cannot be stopped, what runs cannot be resumed, and old scans are deleted', async () => {
  const scan = await start(['127.81.0.0/30'])
  await expect(scans.resume(SYSTEM, scan.id)).rejects.toThrow('only one that was stopped or failed')
  await scans.stop(SYSTEM, scan.id)
  await expect(scans.stop(SYSTEM, scan.id)).rejects.toThrow('only one that runs or waits')
  await expect(scans.get(SYSTEM, 0)).rejects.toThrow('There is no scan 0')
  await database.store.sql`
      insert into scans (networks, rate, started_by, state) select '{}', 1, 'x', 'done' from generate_series(1, 250)`
  await start(['127.81.0.0/30'])
  const [row] = await database.store.sql<{ count: number }[]>`select count(*)::int as count from scans`
  expect(row?.count).toBe(200)
})

test('a scan that cannot ask fails, says so, and can be resumed', async () => {
  const scan = await start(['127.81.20.0/28'])
  const broken = {
    ...deps,
    ask: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no sockets')) }) }),
  }
  const failed = await runNow(broken, scan, signal, {})
  expect(failed).toMatchObject({ state: 'failed' })
  expect(failed.why).toContain('no sockets')
  await scans.resume(SYSTEM, scan.id, true)
  expect(await runNow(deps, scan, signal, {})).toMatchObject({ state: 'done', counts: { done: 14 } })
})

test('a scheduled scan that was stopped or that failed is not added again before its hours', async () => {
  setStored({ 'autodiscovery.networks': { '127.81.30.0/28': { every_hours: 24 } } })
  const looks: number[] = []
  const broken: ScanRunDeps = {
    ...deps,
    ask: () => {
      looks.push(1)
      return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no sockets')) }) }
    },
  }
  const turns = startScanTurns(broken)
  try {
    await until(async () => (await scans.list(SYSTEM)).some(({ state }) => state === 'failed'))
    // its end and this one are notified, and both make the server look again
    const other = await start(['127.81.31.0/28'], {}, false)
    await until(async () => (await findScan(database.store, other.id))?.state === 'failed')
    const own = (await scans.list(SYSTEM)).filter(({ networks }) => networks.includes('127.81.30.0/28'))
    expect(own).toHaveLength(1)
    await database.store.sql`update scans set state = 'stopped' where id = ${own[0]?.id ?? 0}`
    const last = await start(['127.81.31.0/28'], {}, false)
    await until(async () => (await findScan(database.store, last.id))?.state === 'failed')
    expect(looks).toHaveLength(3)
  } finally {
    await turns.stop()
    setStored({})
  }
})

test('more scheduled networks than scans are kept are not forgotten', async () => {
  await database.store.sql`
      insert into scans (networks, rate, started_by, state)
      select array[format('127.81.%s.%s/32', n / 256, n % 256)], 1, 'x', 'done' from generate_series(1, 300) n`
  await start(['127.81.0.0/30'])
  expect((await lastScanned(database.store)).size).toBe(301)
})

test('a scan that has asked more addresses than an integer holds can go on', async () => {
  const scan = await start(['127.81.0.0/30'])
  await database.store.sql`update scans set counts = '{"done": 4294967294}' where id = ${scan.id}`
  expect(await takeScan(database.store, scan.id, 'here')).toBe(true)
})

test('two processes that begin scans of one poller group at the same time begin one', async () => {
  for (let round = 0; round < 20; round++) {
    await database.store.sql`delete from scans`
    const waiting = [await start(['127.81.40.0/30']), await start(['127.81.41.0/30'])]
    const taken = await Promise.all(waiting.map(({ id }, i) => takeScan(database.store, id, `process ${i}`)))
    expect(taken.filter(Boolean)).toHaveLength(1)
  }
})
