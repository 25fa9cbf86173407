import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FLEET_EPOCH_MS } from '../../src/demo/instant.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { type Client, encodeQuestion, openClient, walk } from './client.ts'

const NOON_MS = FLEET_EPOCH_MS + 900 * 86_400_000 + 12 * 3_600_000
const SYS_UP_TIME = '1.3.6.1.2.1.1.3.0'
const SYS_NAME = '1.3.6.1.2.1.1.5.0'
const IF_TABLE = '1.3.6.1.2.1.2.2.1'
const IF_HC_IN_OCTETS = '1.3.6.1.2.1.31.1.1.1.6'

let client: Client
let nowMs = NOON_MS
const agents: DemoAgent[] = []

/** An agent whose clock is `nowMs`. */
async function agentOf(name: string): Promise<DemoAgent> {
  const agent = await openDemoAgent(name, { now: () => nowMs })
  agents.push(agent)
  return agent
}

beforeAll(async () => {
  client = await openClient()
})
afterAll(() => {
  client.close()
  for (const agent of agents) agent.stop()
})

describe('requests of SNMPv2c (RFC 3416 §4.2)', () => {
  test('GET answers each OID, with noSuchObject or noSuchInstance if one is missing', async () => {
    const agent = await agentOf('access-1')
    const oids = [SYS_NAME, `${IF_TABLE}.2.9`, `${IF_TABLE}.2.4711`, '1.3.6.1.2.1.1.5', '1.3.6.1.4.1.99999.1.0']
    const reply = await client.ask(agent, { type: 'GetRequest', oids })
    expect(reply.errorStatus).toBe(0)
    expect(reply.varbinds.map((v) => v.oid)).toEqual(oids)
    expect(reply.varbinds.map((v) => v.value.kind)).toEqual([
      'OctetString',
      'OctetString',
      'noSuchInstance',
      'noSuchInstance',
      'noSuchObject',
    ])
  })

  test('GETNEXT after the last instance returns endOfMibView', async () => {
    const agent = await agentOf('printer-1')
    const reply = await client.ask(agent, { type: 'GetNextRequest', oids: ['1.3.7', '1.3'] })
    expect(reply.varbinds.map((v) => [v.oid, v.value.kind])).toEqual([
      ['1.3.7', 'endOfMibView'],
      ['1.3.6.1.2.1.1.1.0', 'OctetString'],
    ])
  })

  test('GETBULK returns non-repeaters once and interleaves the repeaters', async () => {
    const agent = await agentOf('access-2')
    const reply = await client.ask(agent, {
      type: 'GetBulkRequest',
      oids: ['1.3.6.1.2.1.1.3', `${IF_TABLE}.1`, `${IF_TABLE}.8`],
      nonRepeaters: 1,
      maxRepetitions: 3,
    })
    expect(reply.varbinds.map((v) => v.oid)).toEqual([
      SYS_UP_TIME,
      ...[1, 2, 3].flatMap((n) => [`${IF_TABLE}.1.${n}`, `${IF_TABLE}.8.${n}`]),
    ])
  })

  test('GETBULK at the end of the view returns endOfMibView once for each repeater', async () => {
    const agent = await agentOf('ups-1')
    const last = (await walk(client, agent, '1.3')).varbinds.at(-1)?.oid ?? ''
    const reply = await client.ask(agent, {
      type: 'GetBulkRequest',
      oids: ['1.3.6.1.6.3.99', last],
      maxRepetitions: 10,
    })
    expect(reply.varbinds.map((v) => [v.oid, v.value.kind])).toEqual([
      ['1.3.6.1.6.3.99', 'endOfMibView'],
      [last, 'endOfMibView'],
    ])
  })

  test('GETBULK reads what GETNEXT reads', async () => {
    const agent = await agentOf('wan-1')
    const single = await walk(client, agent, '1.3')
    for (const repetitions of [1, 7, 200]) {
      expect((await walk(client, agent, '1.3', repetitions)).varbinds).toEqual(single.varbinds)
    }
  })

  test('SET is refused and changes nothing', async () => {
    const agent = await agentOf('web-1')
    const reply = await client.ask(agent, { type: 'SetRequest', oids: [SYS_NAME] })
    expect([reply.errorStatus, reply.errorIndex]).toEqual([17, 1])
    const after = await client.ask(agent, { type: 'GetRequest', oids: [SYS_NAME] })
    expect(after.varbinds[0]?.value).toEqual({ kind: 'OctetString', value: new TextEncoder().encode('web-1') })
  })
})

describe('requests of SNMPv1 (RFC 1157, RFC 3584)', () => {
  test('a missing instance is noSuchName with its error-index and the varbinds of the request', async () => {
    const agent = await agentOf('access-1')
    const oids = [SYS_NAME, '1.3.6.1.2.1.1.99.0']
    const reply = await client.ask(agent, { version: 'v1', type: 'GetRequest', oids })
    expect([reply.version, reply.errorStatus, reply.errorIndex]).toEqual(['v1', 2, 2])
    expect(reply.varbinds).toEqual(oids.map((oid) => ({ oid, value: { kind: 'Null' } })))
  })

  test('Counter64 does not exist: GET rejects it, GETNEXT skips it', async () => {
    const agent = await agentOf('access-1')
    const get = await client.ask(agent, { version: 'v1', type: 'GetRequest', oids: [`${IF_HC_IN_OCTETS}.9`] })
    expect(get.errorStatus).toBe(2)
    const next = await client.ask(agent, { version: 'v1', type: 'GetNextRequest', oids: [IF_HC_IN_OCTETS] })
    expect(next.varbinds[0]?.oid).toBe('1.3.6.1.2.1.31.1.1.1.14.9')
  })
})

describe('sizes', () => {
  test.each(['core-1', 'ups-1', 'printer-1', 'access-3', 'wlc-1'])(
    'no response of %s exceeds its limit, and GETBULK fills it',
    async (name) => {
      const agent = await agentOf(name)
      const limit = await client.ask(agent, { type: 'GetRequest', oids: ['1.3.6.1.6.3.10.2.1.4.0'] })
      const value = limit.varbinds[0]?.value
      const maxOctets = value?.kind === 'Integer32' ? value.value : 0
      const { maxOctets: largest } = await walk(client, agent, '1.3', 1000)
      expect(largest).toBeLessThanOrEqual(maxOctets)
      expect(largest).toBeGreaterThan(300)
    },
  )

  test('a GET whose response does not fit is tooBig, without varbinds', async () => {
    const agent = await agentOf('core-1')
    const oids = Array.from({ length: 30 }, () => '1.3.6.1.2.1.1.1.0')
    const reply = await client.ask(agent, { type: 'GetRequest', oids })
    expect([reply.errorStatus, reply.errorIndex, reply.varbinds.length]).toEqual([1, 0, 0])
  })

  test.each([
    ['ups-1', 10],
    ['wlc-1', 20],
    ['access-3', 30],
  ] as const)('%s gives at most %d repetitions', async (name, most) => {
    const agent = await agentOf(name)
    const reply = await client.ask(agent, { type: 'GetBulkRequest', oids: [`${IF_TABLE}.1`], maxRepetitions: 100 })
    expect(reply.varbinds.length).toBe(most)
  })

  test('negative non-repeaters and max-repetitions count as zero', async () => {
    const agent = await agentOf('web-1')
    const reply = await client.ask(agent, {
      type: 'GetBulkRequest',
      oids: ['1.3'],
      nonRepeaters: -5,
      maxRepetitions: -1,
    })
    expect([reply.errorStatus, reply.varbinds.length]).toEqual([0, 0])
  })
})

describe('requests without a response', () => {
  /**
   * Responses come in the order of requests, so a response to a request sent after `octets` shows that those had none.
   */
  async function silentOn(agent: DemoAgent, octets: readonly Uint8Array[]): Promise<void> {
    const before = client.strays
    for (const datagram of octets) client.send(agent, datagram)
    await client.ask(agent, { type: 'GetRequest', oids: [SYS_NAME] })
    expect(client.strays).toBe(before)
  }

  test('a wrong community', async () => {
    const agent = await agentOf('edge-1')
    const question = { type: 'GetRequest', oids: [SYS_NAME] } as const
    await silentOn(agent, [
      encodeQuestion({ ...question, community: 'private' }, 1),
      encodeQuestion({ ...question, community: '' }, 2),
      encodeQuestion({ ...question, community: 'publi' }, 3),
    ])
  })

  test('a response, and a GETBULK in v1', async () => {
    const agent = await agentOf('edge-1')
    await silentOn(agent, [
      encodeQuestion({ type: 'Response', oids: [SYS_NAME] }, 4),
      encodeQuestion({ type: 'Report', oids: [SYS_NAME] }, 5),
      encodeQuestion({ type: 'GetBulkRequest', version: 'v1', oids: [SYS_NAME], maxRepetitions: 5 }, 6),
    ])
  })

  test('random bytes', async () => {
    const agent = await agentOf('edge-1')
    const garbage = fc.sample(fc.uint8Array({ minLength: 0, maxLength: 300 }), 200)
    await silentOn(agent, garbage)
  })

  test('a request truncated at any byte', async () => {
    const agent = await agentOf('edge-1')
    const whole = encodeQuestion({ type: 'GetRequest', oids: [SYS_NAME, SYS_UP_TIME] }, 7)
    await silentOn(
      agent,
      Array.from({ length: whole.length }, (_, size) => whole.subarray(0, size)),
    )
  })
})

test('a request with any byte changed is answered as a valid request or not at all', async () => {
  const agent = await agentOf('edge-1')
  const whole = encodeQuestion({ type: 'GetBulkRequest', oids: [SYS_NAME, IF_TABLE], maxRepetitions: 9 }, 8)
  for (let at = 0; at < whole.length; at++) {
    for (const octet of [0, 1, 0x7f, 0x80, 0xff]) {
      const changed = whole.slice()
      changed[at] = octet
      client.send(agent, changed)
    }
    // checks that the agent still runs, and keeps the socket's buffer from overflowing
    await client.ask(agent, { type: 'GetRequest', oids: [SYS_NAME] })
  }
})

describe('time', () => {
  test('sysUpTime and counters refer to the same moment, so any two polls give the rate between them', async () => {
    const agent = await agentOf('leaf-1')
    const oids = [SYS_UP_TIME, `${IF_HC_IN_OCTETS}.1`, '1.3.6.1.2.1.2.2.1.10.1']
    const samples: { ticks: number; octets: bigint; low: number }[] = []
    for (const offsetS of [0, 7, 300, 301, 600, 86_400]) {
      nowMs = NOON_MS + offsetS * 1000
      const { varbinds } = await client.ask(agent, { type: 'GetRequest', oids })
      const [ticks, octets, low] = varbinds.map((v) => v.value)
      if (ticks?.kind !== 'TimeTicks' || octets?.kind !== 'Counter64' || low?.kind !== 'Counter32')
        throw new Error('types')
      samples.push({ ticks: ticks.value, octets: octets.value, low: low.value })
    }
    nowMs = NOON_MS
    for (const [i, sample] of samples.entries()) {
      expect(BigInt(sample.low)).toBe(BigInt.asUintN(32, sample.octets))
      const before = samples[i - 1]
      if (before === undefined) continue
      expect(sample.ticks).toBeGreaterThan(before.ticks)
      expect(sample.octets).toBeGreaterThan(before.octets)
    }
    expect(samples.map((s) => s.ticks - (samples[0]?.ticks ?? 0))).toEqual([0, 700, 30_000, 30_100, 60_000, 8_640_000])
  })

  test('a restarted agent continues its counters', async () => {
    const first = await agentOf('core-1')
    const before = (await walk(client, first, '1.3', 50)).varbinds
    first.stop()
    const second = await agentOf('core-1')
    expect((await walk(client, second, '1.3', 50)).varbinds).toEqual(before)
  })

  test('another seed gives another device', async () => {
    const one = await agentOf('web-1')
    const other = await openDemoAgent('web-1', { now: () => nowMs, seed: 'other' })
    agents.push(other)
    const oids = ['1.3.6.1.2.1.31.1.1.1.6.2', '1.3.6.1.2.1.2.2.1.6.2']
    const [a, b] = await Promise.all([one, other].map((agent) => client.ask(agent, { type: 'GetRequest', oids })))
    expect(a?.varbinds).not.toEqual(b?.varbinds ?? [])
  })
})
