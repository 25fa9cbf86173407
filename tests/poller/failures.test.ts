import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { BerWriter } from '@portlight/snmp/ber.ts'
import { type CommunityMessage, encodeMessage, peekId, writeScoped, writeV3Header } from '@portlight/snmp/message.ts'
import { encodeOid } from '@portlight/snmp/oid.ts'
import { PDU, writePdu } from '@portlight/snmp/pdu.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { type Behaviour, startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { explanationText } from '../../src/cli/device-report.ts'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { createDeviceService, type DeviceService } from '../../src/core/devices/service.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

// Agents that answer, but not with the requested objects, with real workers, agents and database.

setDefaultTimeout(120_000)

const flags = {
  'poller.interval': '3600',
  'discovery.interval': '86400',
  'poller.workers': '1',
  'snmp.timeout': '0.2',
  'snmp.retries': '1',
  icmp_check: 'false',
}

let database: TestDatabase
let poller: Poller
let devices: DeviceService
const stops: (() => void | Promise<void>)[] = []

beforeAll(async () => {
  database = await testDatabase()
  const { store } = database
  const settings = createSettings({ flags })
  poller = createPoller({ upstream: databaseUpstream(store), settings, log: createLog('silent') })
  await poller.open()
  devices = createDeviceService({ store, settings, gateway: poller })
})
afterAll(async () => {
  await poller?.stop(2000)
  await database?.drop()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** What an agent does instead of answering; `well`: it answers. */
type Mood = 'well' | 'silent' | 'notIncreasing' | { readonly errorStatus: number }

const [TOO_BIG, GEN_ERR, AUTHORIZATION_ERROR] = [1, 5, 16].map((errorStatus): Mood => ({ errorStatus })) as [
  Mood,
  Mood,
  Mood,
]

const PORTS = [1, 2, 3]
const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })

let ticks = 100_000
const nextTicks = (): number => {
  ticks += 10
  return ticks
}

/** The objects of a small switch, whose sysUpTime advances with every request. */
function mib(): Record<string, SnmpValue> {
  const objects: Record<string, SnmpValue> = {
    '1.3.6.1.2.1.1.1.0': text('a switch'),
    '1.3.6.1.2.1.1.2.0': { kind: 'ObjectIdentifier', value: '1.3.6.1.4.1.8072.3.2.10' },
    '1.3.6.1.2.1.1.3.0': { kind: 'TimeTicks', value: nextTicks() },
    '1.3.6.1.2.1.1.5.0': text('moody'),
  }
  for (const port of PORTS) {
    const entry = '1.3.6.1.2.1.2.2.1'
    objects[`${entry}.1.${port}`] = { kind: 'Integer32', value: port }
    objects[`${entry}.2.${port}`] = text(`port ${port}`)
    objects[`${entry}.3.${port}`] = { kind: 'Integer32', value: 6 }
    objects[`${entry}.7.${port}`] = { kind: 'Integer32', value: 1 }
    objects[`${entry}.8.${port}`] = { kind: 'Integer32', value: 1 }
    objects[`${entry}.10.${port}`] = { kind: 'Counter32', value: 1000 * port }
    objects[`${entry}.16.${port}`] = { kind: 'Counter32', value: 2000 * port }
  }
  return objects
}

interface Moody {
  readonly agent: TestAgent
  mood: Mood
}

async function moodyAgent(hostname = '127.0.0.1'): Promise<Moody> {
  const writer = new BerWriter()
  const changed = (request: CommunityMessage, changes: Partial<CommunityMessage>): Uint8Array =>
    encodeMessage(writer, { ...request, type: PDU.Response, errorStatus: 0, errorIndex: 0, ...changes })
  const behaviour: Behaviour = {
    reply: (answer, request, send) => {
      const { mood } = moody
      if (mood === 'silent') return
      if (mood === 'well') return send(answer)
      if (mood !== 'notIncreasing') return send(changed(request, { ...mood, varbinds: request.varbinds }))
      if (request.type === PDU.GetRequest && request.varbinds.every(({ oid }) => oid.endsWith('.0')))
        return send(answer)
      // returns the successor of each requested OID, twice
      const value: SnmpValue = { kind: 'Integer32', value: 1 }
      const all = request.varbinds.map(({ oid }) => ({ oid: `${oid}.1`, value }))
      // a poll requests sysUpTime first, once
      const columns = all.length > 1 ? all.slice(1) : all
      return send(changed(request, { varbinds: [...all, ...columns] }))
    },
  }
  const agent = await startAgent(mib, behaviour, hostname)
  const moody: Moody = { agent, mood: 'well' }
  stops.push(agent.stop)
  return moody
}

/** A v3 agent that answers every request with a Report of this counter. Returns its port. */
async function reportingAgent(counter: string): Promise<number> {
  const writer = new BerWriter()
  const engineID = Uint8Array.of(0x80, 0, 0x1f, 0x88, 4, 1, 2, 3, 4)
  const empty = new Uint8Array(0)
  const report = (msgID: number): Uint8Array => {
    writer.begin()
    const mark = writer.at
    writePdu(writer, PDU.Report, msgID, 0, 0, (w) => w.requestVarbind(encodeOid(counter), -1))
    writeScoped(writer, mark, engineID, empty)
    writeV3Header(writer, mark, {
      msgID,
      msgFlags: 0,
      engineID,
      engineBoots: 7,
      engineTime: 1000,
      userName: empty,
      authParameters: empty,
      privParameters: empty,
    })
    return writer.finish()
  }
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    port: 0,
    binaryType: 'uint8array',
    socket: {
      data: (own, data, port, address) => {
        own.send(report(peekId(data)), port, address)
      },
    },
  })
  stops.push(() => socket.close())
  return socket.port
}

const user = { snmpver: 'v3', authname: 'alice', authlevel: 'authNoPriv', authpass: 'long enough', authalgo: 'SHA' }

let made = 0

async function watch(port: number, changes: Readonly<Record<string, string>> = {}): Promise<number> {
  const values = {
    hostname: `moody-${++made}`,
    overwrite_ip: '127.0.0.1',
    port,
    community: 'public',
    snmpver: 'v2c',
    ...changes,
  }
  const [row] = await database.store.sql<{ device_id: number }[]>`
    insert into devices ${database.store.sql(values)} returning device_id`
  return row?.device_id ?? 0
}

async function discovered(moody: Moody): Promise<number> {
  const id = await watch(moody.agent.port)
  expect((await poller.discover(id)).outcome).toBe('ok')
  expect(await portsOf(id)).toBe(PORTS.length)
  expect((await poller.poll(id)).outcome).toBe('ok')
  return id
}

async function portsOf(id: number): Promise<number> {
  const [row] = await database.store.sql<{ n: number }[]>`
    select count(*)::int as n from ports where device_id = ${id} and deleted = 0`
  return row?.n ?? 0
}

/** The status, and the events about reaching the device, once all changes by polls are stored. */
async function state(id: number): Promise<{ status: number; reason: string; events: string[] }> {
  await until(20, 'changes are stored', async () => poller.stats().changes.waiting === 0)
  const { sql } = database.store
  const [row] = await sql<{ status: number; reason: string }[]>`
    select status, status_reason as reason from devices where device_id = ${id}`
  const events = await sql<{ message: string }[]>`
    select message from eventlog where device_id = ${id} and type in ('snmp', 'dns') order by event_id`
  return { status: row?.status ?? -1, reason: row?.reason ?? '', events: events.map(({ message }) => message) }
}

async function explained(id: number): Promise<string> {
  return explanationText(await devices.explain(SYSTEM, String(id)))
}

const GEN_ERR_EVENT = 'SNMP: the agent answers with error-status genErr'
const AGAIN = 'SNMP: the agent answers without errors again'

describe('an agent that answers with errors is up', () => {
  test.each([
    ['genErr', GEN_ERR, GEN_ERR_EVENT],
    ['authorizationError', AUTHORIZATION_ERROR, 'SNMP: the agent answers with error-status authorizationError'],
    [
      'tooBig forever',
      TOO_BIG,
      'SNMP: the agent answers that the response would be too big, even for a single object (tooBig)',
    ],
    ['OIDs that do not increase', 'notIncreasing', 'SNMP: the agent answers with OIDs that do not increase'],
  ] as const)('%s: one event for any number of polls, and the ports stay', async (_name, mood, event) => {
    const moody = await moodyAgent()
    const id = await discovered(moody)
    moody.mood = mood
    for (let i = 0; i < 3; i++) expect((await poller.poll(id)).outcome).toBe('partial')
    expect(await state(id)).toEqual({ status: 1, reason: '', events: [event] })
    expect(await explained(id)).toContain(event.replace('SNMP: ', ''))
    expect((await poller.discover(id)).outcome).toBe('partial')
    expect(await portsOf(id)).toBe(PORTS.length)
    moody.mood = 'well'
    for (let i = 0; i < 3; i++) expect((await poller.poll(id)).outcome).toBe('ok')
    expect(await state(id)).toEqual({ status: 1, reason: '', events: [event, AGAIN] })
    expect(await explained(id)).not.toContain(`reason`)
  })

  test('counters continue from the last poll that read them', async () => {
    const moody = await moodyAgent()
    const id = await discovered(moody)
    const samples = async () => {
      const [row] = await database.store.sql<{ n: number }[]>`
        select count(*)::int as n from ts.port_samples join ports using (port_id) where device_id = ${id}`
      return row?.n ?? 0
    }
    const before = await samples()
    moody.mood = GEN_ERR
    await poller.poll(id)
    moody.mood = 'well'
    // readings within a quarter of a second give no delta
    await Bun.sleep(300)
    await poller.poll(id)
    expect(await samples()).toBe(before + PORTS.length)
  })

  test('another error is another event; occasional errors do not cause an event each', async () => {
    const moody = await moodyAgent()
    const id = await discovered(moody)
    for (const mood of [GEN_ERR, 'well', GEN_ERR, 'well', 'well', GEN_ERR, AUTHORIZATION_ERROR] as const) {
      moody.mood = mood
      await poller.poll(id)
    }
    expect((await state(id)).events).toEqual([
      GEN_ERR_EVENT,
      'SNMP: the agent answers with error-status authorizationError',
    ])
  })

  test('after a restart of the poller the same error is not a new event', async () => {
    const moody = await moodyAgent()
    const id = await discovered(moody)
    moody.mood = GEN_ERR
    await poller.poll(id)
    await state(id)
    const { store } = database
    const other = createPoller({
      upstream: databaseUpstream(store),
      settings: createSettings({ flags }),
      log: createLog('silent'),
    })
    stops.push(() => other.stop(1000))
    await other.open()
    expect((await other.poll(id)).outcome).toBe('partial')
    await until(20, 'changes are stored', async () => other.stats().changes.waiting === 0)
    expect(await state(id)).toEqual({ status: 1, reason: '', events: [GEN_ERR_EVENT] })
  })

  test('a probe returns the error', async () => {
    const moody = await moodyAgent()
    moody.mood = GEN_ERR
    expect(await poller.probe(moody.agent.target)).toEqual({
      kind: 'failed',
      failure: { kind: 'error', status: 'genErr' },
    })
  })

  test('a device that never returned a value is up too, from its first poll on', async () => {
    const moody = await moodyAgent()
    moody.mood = GEN_ERR
    const id = await watch(moody.agent.port)
    expect(await poller.poll(id)).toMatchObject({ outcome: 'partial', failure: { kind: 'error', status: 'genErr' } })
    expect(await state(id)).toEqual({ status: 1, reason: '', events: [GEN_ERR_EVENT] })
  })

  test('a few hundred cells that are all refused cost few requests', async () => {
    const moody = await moodyAgent()
    const id = await discovered(moody)
    const { sql } = database.store
    await sql`
      insert into ports (device_id, "ifIndex", "ifName", "ifAdminStatus", "ifOperStatus")
      select ${id}, i, 'x' || i, 'up', 'up' from generate_series(10, 200) i`
    poller.refresh(id)
    moody.mood = GEN_ERR
    moody.agent.requests.length = 0
    await until(20, 'a poll of the new plan', async () => {
      await poller.poll(id)
      return moody.agent.requests.some(({ type, errorIndex }) => type === PDU.GetBulkRequest && errorIndex > 10)
    })
    moody.agent.requests.length = 0
    await poller.poll(id)
    expect(moody.agent.requests.length).toBeGreaterThan(0)
    expect(moody.agent.requests.length).toBeLessThan(300)
  })
})

test('an agent that answers only with errors can be added; one that denies access cannot', async () => {
  const moody = await moodyAgent()
  const request = { hostname: 'localhost', port: moody.agent.port, snmpver: 'v2c', community: 'own', only: true }
  moody.mood = AUTHORIZATION_ERROR
  await expect(devices.add(SYSTEM, request)).rejects.toThrow('Could not connect to localhost')
  moody.mood = GEN_ERR
  const { taken, record } = await devices.addAndReport(SYSTEM, request)
  const words = 'v2c with the given community; the agent answers with error-status genErr'
  expect(taken).toEqual({ text: words, asGiven: true, stored: false })
  expect(await state(record.device_id)).toEqual({ status: 1, reason: '', events: [`SNMP: answered to ${words}`] })
})

test('an agent that answers from another port is refused with the reason, and read once the device accepts that', async () => {
  const objects = () => ({ ...mib(), '1.3.6.1.2.1.1.5.0': text('elsewhere') })
  const agent = await startAgent(objects, { reply: (bytes, _request, send) => send(bytes, 'other') }, '127.0.0.5')
  stops.push(() => agent.stop())
  const request = { hostname: '127.0.0.5', port: agent.port, snmpver: 'v2c', community: 'public', only: true }
  await expect(devices.add(SYSTEM, request)).rejects.toThrow(/snmp reachability: answers come from .*snmp_any_source/)
  const record = await devices.add(SYSTEM, { ...request, anySource: true })
  const id = record.device_id
  await poller.resync()
  expect((await poller.discover(id)).outcome).toBe('ok')
  expect((await devices.explain(SYSTEM, String(id))).now.probe).toMatchObject({ kind: 'answer' })
  await devices.update(SYSTEM, String(id), [['snmp_any_source', 0]])
  await until(20, 'a poll that refuses the answers', async () => {
    const { failure } = await poller.poll(id)
    return failure?.kind === 'otherSource'
  })
  await devices.update(SYSTEM, String(id), [['snmp_any_source', '1']])
  await until(20, 'a poll that accepts them', async () => (await poller.poll(id)).outcome === 'ok')
  const noted = await database.store.sql`select message from eventlog where message like '%snmp_any_source: %'`
  expect(noted.map(({ message }) => message)).toEqual([
    'Device 127.0.0.5: snmp_any_source: 1 → 0',
    'Device 127.0.0.5: snmp_any_source: 0 → 1',
  ])
})

test('an agent with an IPv6 address is polled even if the transport is udp', async () => {
  const moody = await moodyAgent('::1')
  const id = await watch(moody.agent.port, { hostname: '::1', overwrite_ip: '' })
  expect((await poller.discover(id)).outcome).toBe('ok')
  expect(await state(id)).toMatchObject({ status: 1, reason: '' })
})

describe('an agent that does not answer is down', () => {
  test('silence changes the status and causes no other event', async () => {
    const moody = await moodyAgent()
    const id = await discovered(moody)
    moody.mood = 'silent'
    expect(await poller.poll(id)).toMatchObject({ outcome: 'unreachable', failure: { kind: 'timeout' } })
    expect(await state(id)).toEqual({ status: 0, reason: 'snmp', events: [] })
    expect(await explained(id)).toMatch(/reason +no answer \(timeout\); since/)
    moody.mood = 'well'
    await poller.poll(id)
    expect(await state(id)).toEqual({ status: 1, reason: '', events: [] })
    expect(await explained(id)).not.toContain('reason')
  })

  test('from errors to silence and back: up, down, up, with one event each', async () => {
    const moody = await moodyAgent()
    const id = await discovered(moody)
    for (const mood of [GEN_ERR, 'silent', 'silent', GEN_ERR] as const) {
      moody.mood = mood
      await poller.poll(id)
    }
    expect(await state(id)).toEqual({
      status: 1,
      reason: '',
      events: [GEN_ERR_EVENT, 'SNMP: no answer (timeout)', GEN_ERR_EVENT],
    })
  })

  test.each([
    ['1.3.6.1.6.3.15.1.1.2.0', 'the agent rejects every request as outside its time window (usmStatsNotInTimeWindows)'],
    ['1.3.6.1.6.3.15.1.1.6.0', 'the agent rejects the privacy password or algorithm (usmStatsDecryptionErrors)'],
    ['1.3.6.1.6.3.12.1.5.0', 'the agent does not know the context (snmpUnknownContexts)'],
    ['1.3.6.1.6.3.15.1.1.99.0', 'the agent refuses the request with an unknown Report'],
  ])('a Report of %s to every request', async (counter, words) => {
    const id = await watch(await reportingAgent(counter), user)
    for (let i = 0; i < 2; i++) expect((await poller.poll(id)).outcome).toBe('unreachable')
    expect(await state(id)).toEqual({ status: 0, reason: 'snmp', events: [`SNMP: ${words}`] })
    expect(await explained(id)).toContain(words)
  })

  const snmpd = findSnmpd()

  describe.skipIf(snmpd === null)('refusals of snmpd', () => {
    let agent: Snmpd
    beforeAll(async () => {
      agent = await startSnmpd(
        snmpd ?? '',
        () =>
          'createUser alice SHA "long enough"\nrouser alice auth\ncreateUser bob SHA "long enough"\nrouser bob auth',
      )
    })
    afterAll(() => agent?.stop())

    test.each([
      ['unknown user', { authname: 'mallory' }, 'the agent does not know the user (usmStatsUnknownUserNames)'],
      [
        'wrong password',
        { authpass: 'another one' },
        'the agent rejects the authentication password or algorithm (usmStatsWrongDigests)',
      ],
      [
        'privacy for a user without it',
        { authname: 'bob', authlevel: 'authPriv', cryptoalgo: 'AES', cryptopass: 'not private' },
        'the agent does not support the security level for this user (usmStatsUnsupportedSecLevels)',
      ],
    ])('%s', async (_name, changes, words) => {
      const id = await watch(agent.port, { ...user, ...changes })
      expect((await poller.discover(id)).outcome).toBe('unreachable')
      for (let i = 0; i < 2; i++) expect((await poller.poll(id)).outcome).toBe('unreachable')
      const { status, reason, events } = await state(id)
      expect({ status, reason, events }).toEqual({ status: 0, reason: 'snmp', events: [`SNMP: ${words}`] })
      const explanation = await explained(id)
      expect(explanation).toContain(words)
      expect(explanation).not.toContain('long enough')
      await database.store.sql`update devices set ${database.store.sql({ ...user })} where device_id = ${id}`
      poller.refresh(id)
      await until(20, 'up with the right credentials', async () => {
        await poller.poll(id)
        return (await state(id)).status === 1
      })
      expect((await state(id)).events.at(-1)).toBe('SNMP: the agent answers again')
    })

    test('impossible credentials: the reason is reported without a secret', async () => {
      const id = await watch(agent.port, { ...user, authalgo: 'ROT13' })
      expect((await poller.poll(id)).outcome).toBe('unreachable')
      const { status, events } = await state(id)
      expect(status).toBe(0)
      expect(events).toEqual([expect.stringMatching(/^SNMP: no session can be opened: /)])
      expect(events.join()).not.toContain(user.authpass)
    })
  })
})
