import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import fc from 'fast-check'
import { startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { createSettings } from '../../src/config/settings.ts'
import { matchPorts, type StoredIdentity } from '../../src/core/discovery/match-ports.ts'
import type { PlannedPort } from '../../src/core/polling/read-plan.ts'
import { debounceRemovals } from '../../src/modules/debounce.ts'
import type { Observation } from '../../src/modules/observation.ts'
import type { PortRow } from '../../src/modules/ports/observation.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { decided, needsDescr, PortIdentities } from '../../src/poller/memory/port-identities.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { counter64, gauge, int, oid, text, ticks } from '../modules/agent.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(180_000)

interface Interface {
  readonly ifName: string
  readonly ifAlias: string
  readonly ifDescr: string
  /** Octets of its counters: each interface has others. */
  readonly octets: bigint
}

const [A, B, C]: readonly [Interface, Interface, Interface] = [
  { ifName: 'eth1', ifAlias: 'uplink', ifDescr: 'Port one', octets: 1_000_000_000n },
  { ifName: 'eth2', ifAlias: 'office', ifDescr: 'Port two', octets: 1_000_000n },
  { ifName: 'eth3', ifAlias: 'store', ifDescr: 'Port three', octets: 50_000_000n },
]

/** An agent whose interfaces and uptime can be changed. */
interface Changeable {
  agent: TestAgent
  /** Interfaces by ifIndex. */
  interfaces: ReadonlyMap<number, Interface>
  /** When the agent started, ms of performance.now(). */
  startedMs: number
  /** Added to all counters. */
  grown: bigint
}

async function changeable(interfaces: Changeable['interfaces'], blank: readonly string[] = []): Promise<Changeable> {
  const device: Changeable = {
    agent: null as unknown as TestAgent,
    interfaces,
    startedMs: performance.now() - 50_000_000,
    grown: 0n,
  }
  device.agent = await startAgent(() => {
    const mib: Record<string, SnmpValue> = {
      '1.3.6.1.2.1.1.1.0': text('a switch'),
      '1.3.6.1.2.1.1.2.0': oid('1.3.6.1.4.1.99999.1'),
      '1.3.6.1.2.1.1.3.0': ticks(Math.floor((performance.now() - device.startedMs) / 10)),
      '1.3.6.1.2.1.1.5.0': text('switch'),
    }
    for (const [ifIndex, one] of device.interfaces) {
      const cell = (table: string, column: number, value: SnmpValue) => {
        mib[`1.3.6.1.2.1.${table}.1.${column}.${ifIndex}`] = value
      }
      const named = (name: 'ifName' | 'ifAlias' | 'ifDescr') => text(blank.includes(name) ? '' : one[name])
      cell('2.2', 2, named('ifDescr'))
      cell('2.2', 3, int(6))
      cell('2.2', 7, int(1))
      cell('2.2', 8, int(1))
      cell('31.1.1', 1, named('ifName'))
      cell('31.1.1', 18, named('ifAlias'))
      cell('31.1.1', 15, gauge(10_000))
      cell('31.1.1', 6, counter64(one.octets + device.grown))
      cell('31.1.1', 10, counter64(one.octets + device.grown))
    }
    return mib
  })
  return device
}

let database: TestDatabase
let poller: Poller
const stops: (() => unknown)[] = []
beforeAll(async () => {
  database = await testDatabase()
  poller = createPoller({
    upstream: databaseUpstream(database.store),
    settings: createSettings({ flags: { 'poller.interval': '3600', 'poller.workers': '1', icmp_check: 'false' } }),
    log: createLog('silent'),
  })
  await poller.start()
})
afterAll(async () => {
  await poller?.stop(2000)
  for (const stop of stops) stop()
  await database?.drop()
})

async function add(device: Changeable, mode: number): Promise<number> {
  stops.push(() => device.agent.stop())
  const [row] = await database.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver, port_association_mode)
    values (${`mode-${mode}-${device.agent.port}`}, '127.0.0.1', ${device.agent.port}, 'public', 'v2c', ${mode}) returning device_id`
  const id = row?.device_id ?? 0
  await poller.resync()
  await poller.discover(id)
  return id
}

const portsOf = async (id: number) => [
  ...(await database.store.sql<
    { port_id: number; ifIndex: number; ifName: string; ifAlias: string; ifDescr: string; deleted: number }[]
  >`select port_id, "ifIndex", "ifName", "ifAlias", "ifDescr", deleted from ports where device_id = ${id} order by port_id`),
]
/** Octets of all samples of each port. */
const octetsOf = async (id: number) => {
  const rows = await database.store.sql<{ port_id: number; n: string }[]>`
    select port_id, sum(in_octets)::text as n from ts.port_samples join ports using (port_id)
    where device_id = ${id} and in_octets is not null group by port_id order by port_id`
  return rows.map(({ n }) => Number(n))
}
const discoveries = async (id: number) =>
  (await database.store.sql`select last_discovered::text as at from devices where device_id = ${id}`)[0]?.['at']

/** Polls once more with counters that have grown by 1,000 octets. */
async function poll(device: Changeable, id: number): Promise<void> {
  device.grown += 1000n
  // readings within a quarter of a second give no delta
  await Bun.sleep(300)
  await poller.poll(id)
}

const ROTATED = new Map([
  [1, B],
  [2, C],
  [3, A],
])
const FRESH = new Map([
  [11, B],
  [12, C],
  [13, A],
])
const START = new Map([
  [1, A],
  [2, B],
  [3, C],
])

for (const [mode, how, blank] of [
  [2, 'ifName', []],
  [3, 'ifDescr', []],
  [4, 'ifAlias', []],
  [4, 'an empty ifAlias, which is filled from ifDescr', ['ifAlias']],
  [2, 'an empty ifName, which is filled from ifDescr', ['ifName']],
] as const) {
  for (const [where, after] of [
    ['each other', ROTATED],
    ['new ifIndexes', FRESH],
  ] as const) {
    for (const reboot of [true, false]) {
      test(`ports identified by ${how} get the ifIndexes of ${where}${reboot ? ' at a reboot' : ''}`, async () => {
        const device = await changeable(START, blank)
        const id = await add(device, mode)
        await poll(device, id)
        await poll(device, id)
        await poll(device, id)
        const before = await portsOf(id)
        const octets = await octetsOf(id)
        expect(before.map(({ ifDescr }) => ifDescr)).toEqual([A.ifDescr, B.ifDescr, C.ifDescr])
        expect(octets.every((n) => n >= 2000 && n <= 3000)).toBe(true)
        const last = await discoveries(id)

        device.interfaces = after
        if (reboot) device.startedMs = performance.now() - 500
        await poll(device, id)
        // what this poll read is of other interfaces, so it is not stored, and a discovery decides
        await until(60, 'the discovery', async () => (await discoveries(id)) !== last)
        await poller.discover(id)
        const now = await portsOf(id)
        const indexOf = (one: Interface) => [...after].find(([, other]) => other === one)?.[0]
        expect(now).toEqual(before.map((port, i) => ({ ...port, ifIndex: indexOf([A, B, C][i] ?? A) ?? 0 })))
        for (let polls = 0; polls < 3; polls++) await poll(device, id)
        const added = (await octetsOf(id)).map((n, i) => n - (octets[i] ?? 0))
        // 1,000 a poll: never the difference of two interfaces
        expect(added.every((n) => n >= 1000 && n <= 4000)).toBe(true)
        const renamed = await database.store.sql`
          select message from eventlog where device_id = ${id} and message ~ '^(ifName|ifAlias|ifDescr):'`
        expect([...renamed]).toEqual([])
      })
    }
  }
}

test('an interface without an ifAlias that takes the ifIndex of one with it does not take its port', async () => {
  const bare = (one: Interface): Interface => ({ ...one, ifAlias: '' })
  const device = await changeable(
    new Map([
      [1, bare(A)],
      [2, B],
      [3, bare(C)],
    ]),
  )
  const id = await add(device, 4)
  for (let polls = 0; polls < 3; polls++) await poll(device, id)
  const before = await portsOf(id)
  const last = await discoveries(id)
  device.interfaces = new Map([
    [1, B],
    [2, bare(C)],
    [3, bare(A)],
  ])
  await poll(device, id)
  await until(60, 'the discovery', async () => (await discoveries(id)) !== last)
  await poller.discover(id)
  expect(await portsOf(id)).toEqual(before.map((port, i) => ({ ...port, ifIndex: [3, 1, 2][i] ?? 0 })))
})

test('ports identified by ifIndex keep it and take the names, without a delta of two interfaces', async () => {
  for (const noticedBy of ['poll', 'discovery'] as const) {
    const device = await changeable(START)
    const id = await add(device, 1)
    for (let polls = 0; polls < 3; polls++) await poll(device, id)
    const octets = await octetsOf(id)
    device.interfaces = ROTATED
    if (noticedBy === 'discovery') await poller.discover(id)
    for (let polls = 0; polls < 3; polls++) await poll(device, id)
    await until(30, 'the names', async () => (await portsOf(id))[0]?.ifName === 'eth2')
    expect((await portsOf(id)).map(({ ifIndex, ifName }) => [ifIndex, ifName])).toEqual([
      [1, 'eth2'],
      [2, 'eth3'],
      [3, 'eth1'],
    ])
    const added = (await octetsOf(id)).map((n, i) => n - (octets[i] ?? 0))
    expect(added.every((n) => n >= 1000 && n <= 3000)).toBe(true)
  }
})

const name = fc.constantFrom('', 'a', 'b', 'c', 'd')
const identity = fc.record({ ifName: name, ifDescr: name, ifAlias: name })
const mode = fc.constantFrom('ifIndex' as const, 'ifName' as const, 'ifDescr' as const, 'ifAlias' as const)

test('however interfaces are renumbered, each is matched with at most one port, and unique names with their own', () => {
  fc.assert(
    fc.property(
      mode,
      fc.array(identity, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 8, maxLength: 8 }),
      (how, interfaces, order) => {
        const stored: StoredIdentity[] = interfaces.map((one, i) => ({
          ...one,
          port_id: 100 + i,
          ifIndex: i + 1,
          deleted: 0,
        }))
        const free = [...new Set([...order, ...Array.from({ length: 20 }, (_, i) => i + 1)])]
        const seen = interfaces.map((one, i) => ({ ...one, ifIndex: free[i] ?? 0 }))
        const matched = matchPorts(how, stored, seen)
        const ids = matched.flatMap((port) => (port === null ? [] : [port.port_id]))
        expect(new Set(ids).size).toBe(ids.length)
        seen.forEach((row, i) => {
          if (how === 'ifIndex') expect(matched[i]?.ifIndex ?? row.ifIndex).toBe(row.ifIndex)
          else {
            const named = interfaces.filter((one) => one[how] === row[how])
            if (row[how] !== '' && named.length === 1) expect(matched[i]?.port_id).toBe(100 + i)
            // a name is never given the port of another name, unless only the alias of the same port has changed
            else if (row[how] !== '' && how !== 'ifAlias')
              expect([row[how], '']).toContain(matched[i]?.[how] ?? row[how])
          }
        })
      },
    ),
  )
})

test('a row is in doubt exactly if its identifying text is another one', () => {
  fc.assert(
    fc.property(
      mode,
      fc.array(identity, { maxLength: 6 }),
      fc.array(identity, { maxLength: 6 }),
      (how, before, now) => {
        const ports = before.map((one, i) => ({ ...one, port_id: i + 1, ifIndex: i + 1 }) as unknown as PlannedPort)
        const rows = new PortIdentities(ports, how, new Map())
        const fields = ['ifName', 'ifAlias', ...(needsDescr(ports, how) ? ['ifDescr'] : [])] as const
        rows.check(
          now.flatMap((one, row) =>
            fields.map((field) => ({ row, field: field as 'ifName', text: one[field as 'ifName'] })),
          ),
        )
        for (const [row, one] of before.entries()) {
          const read = now[row]
          if (how === 'ifIndex' || read === undefined) expect(rows.isDoubtful(row)).toBe(false)
          else {
            const filled = one[how] !== '' && one[how] === one.ifDescr
            const differs = (text: string, stored: string) => text !== stored && !(filled && text === '')
            expect(rows.isDoubtful(row)).toBe(
              differs(read[how], one[how]) || (filled && differs(read.ifDescr, one.ifDescr)),
            )
          }
        }
      },
    ),
  )
})

test('a text that discovery stores differently is accepted after two discoveries', () => {
  const port = { port_id: 7, ifIndex: 1, ifName: 'stored', ifAlias: '', ifDescr: 'd' } as unknown as PlannedPort
  const decisions = new Map()
  for (const doubtful of [true, true, false]) {
    const rows = new PortIdentities([port], 'ifName', decided(decisions))
    rows.check([{ row: 0, field: 'ifName', text: 'read' }])
    expect(rows.isDoubtful(0)).toBe(doubtful)
    rows.discovered(decisions)
  }
  const rows = new PortIdentities([port], 'ifName', decided(decisions))
  rows.check([{ row: 0, field: 'ifName', text: 'another' }])
  expect(rows.isDoubtful(0)).toBe(true)
})

test('a missing port is not reported again under its old ifIndex if its name has moved', () => {
  const row = (ifIndex: number, ifName: string): PortRow => ({ ifIndex, ifName })
  const seen = (rows: readonly PortRow[]): Observation[] => [{ kind: 'ports', complete: true, rows }]
  const { memory } = debounceRemovals(seen([row(1, 'a'), row(2, 'b'), row(3, 'c')]), new Map(), 'ifName')
  const after = seen([row(11, 'a'), row(3, 'c')])
  expect(debounceRemovals(after, memory, 'ifName').observations).toEqual(seen([row(11, 'a'), row(3, 'c'), row(2, 'b')]))
  expect(debounceRemovals(after, memory).observations).toEqual(
    seen([row(11, 'a'), row(3, 'c'), row(1, 'a'), row(2, 'b')]),
  )
})
