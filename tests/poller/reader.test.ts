import { afterAll, beforeAll, expect, test } from 'bun:test'
import { encodeOid } from '@portlight/snmp/oid.ts'
import { newProfile } from '@portlight/snmp/profile.ts'
import { openSession } from '@portlight/snmp/session.ts'
import { col, mibTable } from '@portlight/snmp/table.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import { createTransport, type Transport } from '@portlight/snmp/transport.ts'
import type { WalkOutcome } from '@portlight/snmp/walk.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { entPhysicalTable } from '../../src/mibs/entity-mib.ts'
import { ifTable, ifXTable } from '../../src/mibs/if-mib.ts'
import { need } from '../../src/modules/module.ts'
import { createAgents } from '../../src/poller/worker/agent.ts'
import { openReader } from '../../src/poller/worker/reader.ts'

let transport: Transport
let agent: DemoAgent

beforeAll(async () => {
  transport = await createTransport({})
  // its clock stands still, so that two readings are equal
  agent = await openDemoAgent('ups-1', { now: () => 1_800_000_000_000 })
})
afterAll(() => {
  transport.close()
  agent.stop()
})

const target = (over: Partial<SnmpTarget> = {}): SnmpTarget => ({
  address: agent.address,
  port: agent.port,
  transport: 'udp',
  snmpver: 'v2c',
  community: agent.community,
  authlevel: null,
  authname: null,
  authpass: null,
  authalgo: null,
  cryptopass: null,
  cryptoalgo: null,
  timeout: 1,
  retries: 1,
  ...over,
})

function open(over: Partial<SnmpTarget> = {}) {
  const agents = createAgents(transport, {
    timeoutMs: 1000,
    retries: 1,
    maxRepetitions: 0,
    maxRows: 100_000,
    maxPorts: 100_000,
    maxOctets: 32_000_000,
  })
  const { reader, opened } = openReader(agents, target(over), newProfile(4), () => 30_000, 1)
  const requests = () => [...opened()].reduce((sum, { stats }) => sum + stats.requests, 0)
  return { reader, requests }
}

const absent = [1, 2, 3, 4].map((n) =>
  need(mibTable(`absent ${n}`, `1.3.6.1.4.1.99999.${n}.1`, { a: col(1, 'Integer') })),
)

test('many tables take few requests, and none is probed twice', async () => {
  const { reader, requests } = open()
  const many = Array.from({ length: 40 }, (_, n) =>
    need(mibTable(`many ${n}`, `1.3.6.1.4.1.99998.${n + 1}.1`, { a: col(1, 'Integer') })),
  )
  await reader.probe?.([need(ifTable), ...many.slice(1)], null)
  expect(requests()).toBe(2)
  await reader.probe?.([need(ifTable), ...many.slice(1)], null)
  expect(requests()).toBe(2)
  for (const lacked of many.slice(1)) expect((await reader.table(lacked, null)).supported).toBe(false)
  expect(requests()).toBe(2)
})

test('further tables of interfaces are read with the rows of the first', async () => {
  const { reader, requests } = open()
  const { rows } = await reader.table({ ...need(ifTable, ['ifDescr']), interfaces: true }, null)
  const before = requests()
  const further = await reader.table({ ...need(ifXTable, ['ifName']), interfaces: true }, null)
  expect(further).toMatchObject({ supported: true, complete: true })
  expect(further.rows.size).toBe(rows.size)
  expect(requests() - before).toBe(1)
})

test('tables that an agent does not have cost one request together', async () => {
  const { reader, requests } = open()
  await reader.probe?.([need(ifTable), ...absent], null)
  expect(requests()).toBe(1)
  for (const lacked of absent)
    expect(await reader.table(lacked, null)).toMatchObject({ supported: false, complete: true })
  expect(requests()).toBe(1)
  expect((await reader.table(need(ifTable, ['ifDescr']), null)).rows.size).toBeGreaterThan(0)
})

test('an SNMPv1 agent gets a request for each', async () => {
  const { reader } = open({ snmpver: 'v1' })
  await reader.probe?.([need(ifTable), ...absent], null)
  expect((await reader.table(need(ifTable, ['ifDescr']), null)).rows.size).toBeGreaterThan(0)
  for (const lacked of absent)
    expect(await reader.table(lacked, null)).toMatchObject({ supported: false, complete: true })
})

test('a column that two modules need is walked once', async () => {
  const { reader, requests } = open()
  await reader.table(need(ifTable, ['ifDescr', 'ifType']), null)
  const before = requests()
  const again = await reader.table(need(ifTable, ['ifType', 'ifDescr']), null)
  expect(requests()).toBe(before)
  expect(again.rows.size).toBeGreaterThan(0)
  await reader.table(need(ifTable, ['ifDescr', 'ifMtu']), null)
  expect(requests()).toBe(before + 1)
})

test.each(['v1', 'v2c'] as const)('%s: columns read together equal columns read separately', async (snmpver) => {
  for (const table of [ifTable, ifXTable, entPhysicalTable]) {
    const session = openSession(transport, target(), { profile: newProfile(4) })
    const plain = (outcome: WalkOutcome) => ('cells' in outcome ? { ...outcome, cells: [...outcome.cells] } : outcome)
    const single = new Map<string, unknown>()
    for (const [name, column] of Object.entries(table.columns)) {
      single.set(name, plain(await session.walkColumn(`${table.entry}.${column.id}`)))
    }
    const other = openSession(transport, target({ snmpver }), { profile: newProfile(4) })
    const names = Object.keys(table.columns) as (keyof typeof table.columns & string)[]
    const together = await other.walkColumns<typeof table>(table, names)
    for (const [name, outcome] of together) {
      // v1 has no Counter64
      if (snmpver === 'v2c' || !String(name).includes('HC'))
        expect(plain(outcome)).toEqual(single.get(name) as ReturnType<typeof plain>)
    }
    if (snmpver === 'v2c') expect(other.stats.requests).toBeLessThan(names.length)
  }
})

test('a response corrupted in transit does not end a discovery', async () => {
  const { reader } = open()
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    port: 0,
    binaryType: 'uint8array',
    socket: {
      data(self, datagram, port, address) {
        // the request as its own response, with a sub-identifier beyond 2^32 in its OIDs
        const answer = datagram.slice()
        const pdu = answer.indexOf(0xa1)
        if (pdu < 0) return
        answer[pdu] = 0xa2
        for (let i = pdu; i < answer.length - 8; i++) {
          if (answer[i] === 0x06) answer.set([0x2b, 0x9f, 0xff, 0xff, 0xff, 0x7f], i + 2)
        }
        self.send(answer, port, address)
      },
    },
  })
  const agents = createAgents(transport, {
    timeoutMs: 200,
    retries: 0,
    maxRepetitions: 0,
    maxRows: 100_000,
    maxPorts: 100_000,
    maxOctets: 32_000_000,
  })
  const garbled = openReader(
    agents,
    target({ port: socket.port, retries: 0, timeout: 0.2 }),
    newProfile(4),
    () => 5000,
    1,
  )
  await garbled.reader.probe?.([need(ifTable), ...absent], null)
  socket.close()
  expect((await reader.table(need(ifTable, ['ifDescr']), null)).rows.size).toBeGreaterThan(0)
})

test('a malformed value is named, and costs nothing but itself', async () => {
  const oid = '1.3.6.1.2.1.2.2.1.3.1'
  const encoded = Buffer.from(encodeOid(oid))
  const clients = new Map<number, string>()
  const relay = await Bun.udpSocket({
    hostname: '127.0.0.1',
    port: 0,
    binaryType: 'uint8array',
    socket: {
      data(self, datagram, port, address) {
        if (port !== agent.port || address !== agent.address) {
          clients.set(port, address)
          self.send(datagram, agent.port, agent.address)
          return
        }
        // the value's tag becomes one that SNMP does not have
        const answer = Buffer.from(datagram)
        const at = answer.indexOf(encoded)
        if (at >= 0) answer[at + encoded.length] = 0x3f
        for (const [client, host] of clients) self.send(answer, client, host)
      },
    },
  })
  const agents = createAgents(transport, {
    timeoutMs: 2000,
    retries: 1,
    maxRepetitions: 0,
    maxRows: 100_000,
    maxPorts: 100_000,
    maxOctets: 32_000_000,
  })
  const whole = await open().reader.table(need(ifTable, ['ifDescr', 'ifType']), null)
  const far = target({ port: relay.port, address: '127.0.0.1' })
  const damaged = openReader(agents, far, newProfile(4), () => 20_000, 1)
  const { rows, complete } = await damaged.reader.table(need(ifTable, ['ifDescr', 'ifType']), null)
  relay.close()
  expect([...damaged.malformed]).toEqual([oid])
  expect(complete).toBe(true)
  expect(rows.size).toBe(whole.rows.size)
  expect(rows.get('1')).toEqual({ ifDescr: whole.rows.get('1')?.ifDescr })
  expect([...rows].slice(1)).toEqual([...whole.rows].slice(1))
})
