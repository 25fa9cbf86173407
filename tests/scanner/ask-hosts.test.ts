import { expect, setDefaultTimeout, test } from 'bun:test'
import { BerWriter } from '@portlight/snmp/ber.ts'
import { type CommunityMessage, encodeMessage, MessageView, VERSION } from '@portlight/snmp/message.ts'
import { openSession } from '@portlight/snmp/session.ts'
import { createTransport } from '@portlight/snmp/transport.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import fc from 'fast-check'
import { startAgent, targetAt } from '../../packages/snmp/tests/support/agent.ts'
import { findSnmpd, freePort, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { createSettings } from '../../src/config/settings.ts'
import { createLog } from '../../src/observe/log.ts'
import { READ_LIMITS } from '../../src/scanner/read-identity.ts'
import { createScanner } from '../../src/scanner/scanner.ts'
import { MAX_REFUSALS } from '../../src/scanner/trials.ts'
import { ask, probeTarget, silentAt } from './support.ts'

setDefaultTimeout(60_000)

const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })
const octets = (hex: string): SnmpValue => ({ kind: 'OctetString', value: Uint8Array.fromHex(hex) })
const number = (value: number): SnmpValue => ({ kind: 'Integer32', value })
const USERS = JSON.stringify([
  { authlevel: 'authPriv', authname: 'stranger', authpass: 'authentic12', cryptopass: 'private123' },
  { authlevel: 'authPriv', authname: 'friend', authpass: 'authentic12', cryptopass: 'private123', cryptoalgo: 'AES' },
])

test('an address where nothing is costs one datagram for engine discovery and one for each community and version', async () => {
  const silent = await silentAt('127.77.0.2')
  try {
    const flags = { 'snmp.port': String(silent.port), 'snmp.community': 'one,two', 'snmp.v3': USERS }
    const hosts = await ask(flags, [['127.77.0.2']])
    expect(hosts.get('127.77.0.2')).toMatchObject({ pingMs: null, snmp: null, failure: null })
    const view = new MessageView()
    const asked = silent.received.map((bytes) => {
      view.decode(bytes)
      return `${view.version} ${Buffer.from(view.octets(view.community)).toString()}`.trim()
    })
    expect(asked.map((line) => line.split(' ')[0])).toEqual(
      [VERSION.v3, VERSION.v2c, VERSION.v2c, VERSION.v1, VERSION.v1].map(String),
    )
    expect(asked.slice(1).map((line) => line.split(' ')[1])).toEqual(['one', 'two', 'one', 'two'])
  } finally {
    silent.close()
  }
})

test('nothing is sent outside of nets or into what is excluded, even if it is asked for', async () => {
  const inside = await silentAt('127.77.0.2')
  const sockets = [inside]
  for (const address of ['127.77.0.3', '127.78.0.2']) sockets.push(await silentAt(address, inside.port))
  try {
    const flags = {
      nets: '127.77.0.0/24',
      'autodiscovery.nets-exclude': '127.77.0.3',
      'snmp.port': String(inside.port),
    }
    const hosts = await ask(flags, [['127.77.0.2', '127.77.0.3', '127.78.0.2', 'not-an-address']], { ping: true })
    expect([...hosts.keys()]).toEqual(['127.77.0.2'])
    expect(sockets.map(({ received }) => received.length > 0)).toEqual([true, false, false])
  } finally {
    for (const socket of sockets) socket.close()
  }
})

test('agents are asked at the port of the smallest network with one of its own', async () => {
  const [first, second, third] = [
    await silentAt('127.77.1.2'),
    await silentAt('127.77.2.2'),
    await silentAt('127.77.3.2'),
  ]
  try {
    const networks = {
      '127.77.0.0/22': { port: first.port },
      '127.77.2.0/24': { port: second.port },
      '127.77.2.0/25': { rate: 100 },
      '127.77.3.2': { port: third.port },
    }
    const flags = { nets: '127.77.0.0/16', 'autodiscovery.networks': JSON.stringify(networks), 'snmp.port': '9' }
    await ask(flags, [['127.77.1.2', '127.77.2.2', '127.77.3.2']])
    expect([first, second, third].map(({ received }) => received.length > 0)).toEqual([true, true, true])
  } finally {
    for (const socket of [first, second, third]) socket.close()
  }
})

test('what an agent is: system group, engine, serials, addresses, ports, operating system', async () => {
  const agent = await startAgent(() => ({
    '1.3.6.1.2.1.1.1.0': text('Cisco IOS Software, C2960 Software (C2960-LANBASEK9-M), Version 15.0(2)SE'),
    '1.3.6.1.2.1.1.2.0': { kind: 'ObjectIdentifier', value: '1.3.6.1.4.1.9.1.716' },
    '1.3.6.1.2.1.1.5.0': text('access-1'),
    '1.3.6.1.2.1.2.1.0': number(3),
    '1.3.6.1.2.1.2.2.1.6.1': octets('001122334455'),
    '1.3.6.1.2.1.2.2.1.6.2': octets('001122334456'),
    '1.3.6.1.2.1.2.2.1.6.3': octets('000000000000'),
    '1.3.6.1.2.1.2.2.1.6.4': octets('01005e000001'),
    '1.3.6.1.2.1.2.2.1.6.5': octets(''),
    '1.3.6.1.2.1.4.20.1.1.127.0.0.1': { kind: 'IpAddress', value: '127.0.0.1' },
    '1.3.6.1.2.1.4.20.1.1.10.0.0.1': { kind: 'IpAddress', value: '10.0.0.1' },
    '1.3.6.1.2.1.4.34.1.3.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1': number(1),
    '1.3.6.1.2.1.4.34.1.3.2.16.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1': number(1),
    '1.3.6.1.2.1.17.1.1.0': octets('001122334400'),
    '1.3.6.1.2.1.47.1.1.1.1.5.1': number(11),
    '1.3.6.1.2.1.47.1.1.1.1.5.1001': number(3),
    '1.3.6.1.2.1.47.1.1.1.1.5.2001': number(3),
    '1.3.6.1.2.1.47.1.1.1.1.11.1001': text('FOC1'),
    '1.3.6.1.2.1.47.1.1.1.1.11.2001': text('FOC2'),
    '1.3.6.1.6.3.10.2.1.1.0': octets('80000009030011223344'),
  }))
  try {
    const hosts = await ask({ 'snmp.port': String(agent.port), 'snmp.version': 'v2c' }, [['127.0.0.1']])
    const snmp = hosts.get('127.0.0.1')?.snmp
    expect(snmp?.credentials).toEqual({ version: 'v2c', index: 0, port: agent.port })
    expect(snmp?.identity).toMatchObject({
      sysName: 'access-1',
      sysObjectId: '1.3.6.1.4.1.9.1.716',
      engineId: '80000009030011223344',
      serials: ['FOC1', 'FOC2'],
      baseMac: '001122334400',
      macs: ['001122334455', '001122334456'],
      addresses: ['2001:db8::1', '10.0.0.1'],
      os: 'ios',
      ports: 3,
    })
  } finally {
    agent.stop()
  }
})

test('a v1 agent is found and read', async () => {
  const agent = await startAgent(
    () => ({
      '1.3.6.1.2.1.1.1.0': text('old'),
      '1.3.6.1.2.1.1.2.0': { kind: 'ObjectIdentifier', value: '1.3.6.1.4.1.1' },
      '1.3.6.1.2.1.1.5.0': text('old-1'),
      '1.3.6.1.2.1.2.1.0': number(1),
      '1.3.6.1.2.1.2.2.1.6.1': octets('001122334455'),
    }),
    { reply: (answer, { version }, send) => version === 'v1' && send(answer) },
  )
  try {
    const hosts = await ask({ 'snmp.port': String(agent.port) }, [['127.0.0.1']])
    expect(hosts.get('127.0.0.1')?.snmp).toMatchObject({
      credentials: { version: 'v1' },
      identity: { sysName: 'old-1', ports: 1, macs: ['001122334455'], engineId: null },
    })
  } finally {
    agent.stop()
  }
})

test('a slow agent is found by its answer to an earlier request', async () => {
  const agent = await startAgent(() => ({ '1.3.6.1.2.1.1.5.0': text('slow') }), {
    reply(answer, { community }, send) {
      const isRight = Buffer.from(community).toString() === 'right'
      if (isRight) setTimeout(() => send(answer), agent.requests.length === 1 ? 500 : 0)
    },
  })
  try {
    const flags = { 'snmp.port': String(agent.port), 'snmp.version': 'v2c', 'snmp.community': 'right,a,b' }
    const snmp = (await ask(flags, [['127.0.0.1']])).get('127.0.0.1')?.snmp
    expect(snmp).toMatchObject({ credentials: { index: 0 }, identity: { sysName: 'slow' } })
  } finally {
    agent.stop()
  }
})

test('an agent whose tables never end, or who repeats itself, is read within limits', async () => {
  for (const repeats of [false, true]) {
    let row = 0
    const agent = await startAgent(() => ({}), {
      reply(_answer, request, send) {
        const [first] = request.varbinds
        const at = first?.oid ?? ''
        const oid =
          request.type === 0xa0 ? at : repeats ? `${at.split('.').slice(0, 11).join('.')}.1` : `${at}.${++row}`
        const bytes = encoded({ ...request, oid, value: octets('001122334455') })
        send(bytes)
      },
    })
    try {
      const flags = { 'snmp.port': String(agent.port), 'snmp.version': 'v2c' }
      const hosts = await ask(flags, [['127.0.0.1']], { rate: 20_000 })
      expect(hosts.get('127.0.0.1')?.snmp).not.toBeNull()
      expect(agent.requests.length).toBeLessThanOrEqual(READ_LIMITS.requests + 2)
    } finally {
      agent.stop()
    }
  }
})

test('garbage instead of responses finds nothing and breaks nothing', async () => {
  const garbage = fc.sample(fc.uint8Array({ maxLength: 200 }), 40)
  const agent = await startAgent(() => ({ '1.3.6.1.2.1.1.5.0': text('x') }), {
    reply(answer, _request, send) {
      for (const bytes of garbage) {
        send(bytes)
        // the start and the id of a real response, and then garbage
        send(Uint8Array.of(...answer.subarray(0, Math.min(answer.length, 24)), ...bytes))
      }
    },
  })
  try {
    const hosts = await ask({ 'snmp.port': String(agent.port), 'snmp.version': 'v2c' }, [['127.0.0.1']])
    expect(hosts.get('127.0.0.1')).toMatchObject({ snmp: null })
  } finally {
    agent.stop()
  }
})

test('ping answers where SNMP is silent, and the other way round', async () => {
  const port = await freePort()
  const pinged = await ask({ 'snmp.port': String(port), 'snmp.version': 'v2c' }, [['127.77.0.9']], { ping: true })
  expect(pinged.get('127.77.0.9')?.snmp).toBeNull()
  // a host without ICMP sockets asks by SNMP only
  expect(typeof (pinged.get('127.77.0.9')?.pingMs ?? 0)).toBe('number')
  const only = await ask({ 'snmp.port': String(port) }, [['127.77.0.9']], { ping: true, snmp: false })
  expect(only.get('127.77.0.9')).toMatchObject({ snmp: null, failure: null })
})

const snmpd = findSnmpd()
const CONFIG = (port: number) =>
  [
    `agentaddress ${Array.from({ length: 12 }, (_, i) => `udp:127.0.0.${i + 2}:${port}`).join()}`,
    'createUser friend SHA "authentic12" AES "private123"',
    'rouser friend authpriv',
  ].join('\n')
const ADDRESSES = Array.from({ length: 12 }, (_, i) => `127.0.0.${i + 2}`)

/** A counter of the agent. */
async function counter(port: number, oid: string): Promise<number> {
  const transport = await createTransport({ sockets: 1 })
  try {
    const answer = await openSession(transport, targetAt(port)).get([oid])
    const value = answer.kind === 'answer' ? answer.varbinds[0]?.value : undefined
    return value?.kind === 'Counter32' ? value.value : Number.NaN
  } finally {
    transport.close()
  }
}

test.skipIf(snmpd === null)('v3 users come before communities where an engine answers', async () => {
  const agent = await startSnmpd(snmpd ?? '', CONFIG)
  try {
    const hosts = await ask({ 'snmp.port': String(agent.port), 'snmp.v3': USERS }, [['127.0.0.1'], ['127.0.0.2']])
    for (const host of hosts.values()) {
      expect(host.snmp?.credentials).toEqual({ version: 'v3', index: 1, port: agent.port })
      expect(host.snmp?.identity.sysName).toBe('portlight-test')
      expect(host.snmp?.identity.engineId).toMatch(/^[0-9a-f]{10,64}$/)
    }
    expect(hosts.size).toBe(2)
    // the user that worked at the first address is tried first at the second, which is in the same subnet
    expect(await counter(agent.port, '1.3.6.1.6.3.15.1.1.3.0')).toBe(1)
  } finally {
    await agent.stop()
  }
})

test.skipIf(snmpd === null)('an agent with many addresses gets few wrong passwords', async () => {
  const agent = await startSnmpd(snmpd ?? '', CONFIG)
  try {
    const wrong = JSON.stringify([{ authlevel: 'authNoPriv', authname: 'friend', authpass: 'not-this-one' }])
    const flags = { 'snmp.port': String(agent.port), 'snmp.version': 'v3', 'snmp.v3': wrong }
    const hosts = await ask(
      flags,
      ADDRESSES.map((address) => [address]),
    )
    expect(hosts.size).toBe(ADDRESSES.length)
    expect(hosts.get('127.0.0.2')?.failure).toEqual({ kind: 'refused', reason: 'wrongDigest' })
    expect(await counter(agent.port, '1.3.6.1.6.3.15.1.1.5.0')).toBe(MAX_REFUSALS)
  } finally {
    await agent.stop()
  }
})

test.skipIf(snmpd === null)('the community that worked in a subnet is tried first there', async () => {
  const agent = await startSnmpd(snmpd ?? '', CONFIG)
  try {
    const flags = { 'snmp.port': String(agent.port), 'snmp.version': 'v2c', 'snmp.community': 'wrong,public' }
    const hosts = await ask(flags, [['127.0.0.2'], ADDRESSES.slice(1)])
    expect([...hosts.values()].map(({ snmp }) => snmp?.credentials.index)).toEqual(ADDRESSES.map(() => 1))
    // snmpInBadCommunityNames
    expect(await counter(agent.port, '1.3.6.1.2.1.11.4.0')).toBe(1)
  } finally {
    await agent.stop()
  }
})

test.skipIf(snmpd === null)('IPv6 agents are found', async () => {
  const agent = await startSnmpd(snmpd ?? '', CONFIG)
  try {
    const hosts = await ask({ 'snmp.port': String(agent.port), 'snmp.version': 'v2c' }, [['::1']])
    expect(hosts.get('::1')?.snmp?.identity.sysName).toBe('portlight-test')
  } finally {
    await agent.stop()
  }
})

function encoded(message: CommunityMessage & { oid: string; value: SnmpValue }): Uint8Array {
  const { oid, value, ...rest } = message
  return encodeMessage(new BerWriter(), {
    ...rest,
    type: 0xa2,
    errorStatus: 0,
    errorIndex: 0,
    varbinds: [{ oid, value }],
  })
}

test('while answers wait to be recorded, no more addresses are asked than fit the window', async () => {
  const settings = createSettings({ flags: { nets: '127.0.0.0/8', 'snmp.timeout': '0.1', 'autodiscovery.rate': '10' } })
  const scanner = createScanner({ settings, log: createLog('silent') })
  const asked = { ping: false, snmp: false }
  const { signal } = new AbortController()
  let taken = 0
  function* targets(most: number, count: boolean) {
    for (let i = 0; i < most; i++) {
      if (count) taken++
      yield probeTarget('127.77.0.9')
    }
  }
  try {
    const slow = scanner.ask(targets(2000, true), signal, asked)[Symbol.asyncIterator]()
    await slow.next()
    // meanwhile the thread answers a thousand for somebody else
    let others = 0
    for await (const _ of scanner.ask(targets(1000, false), signal, asked)) others++
    expect(others).toBe(1000)
    // the smallest window, and the one that was taken
    expect(taken).toBeLessThanOrEqual(65)
    let rest = 0
    while ((await slow.next()).done !== true) rest++
    expect(rest).toBe(1999)
  } finally {
    scanner.close()
  }
})
