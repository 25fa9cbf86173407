import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { BerWriter, TAG } from '../src/ber.ts'
import { failureText } from '../src/failure.ts'
import type { Answer } from '../src/get.ts'
import { type CommunityMessage, decodeMessage, encodeMessage, writeCommunityHeader } from '../src/message.ts'
import { encodeOid } from '../src/oid.ts'
import { PDU, writePdu } from '../src/pdu.ts'
import { newProfile } from '../src/profile.ts'
import { openSession } from '../src/session.ts'
import { createTransport, type Transport } from '../src/transport.ts'
import type { SnmpValue } from '../src/value.ts'
import { type Behaviour, type Send, startAgent, type TestAgent, targetAt } from './support/agent.ts'
import { freePort } from './support/snmpd.ts'

const OID = '1.3.6.1.2.1.1.5.0'
const GOOD: SnmpValue = { kind: 'Integer32', value: 1 }
const EVIL: SnmpValue = { kind: 'Integer32', value: 666 }
const column = (rows: number): Record<string, SnmpValue> =>
  Object.fromEntries(
    Array.from({ length: rows }, (_, i) => [`1.3.6.1.2.1.2.2.1.1.${i + 1}`, { kind: 'Integer32', value: i + 1 }]),
  )
const COLUMN = '1.3.6.1.2.1.2.2.1.1'

const writer = new BerWriter()
const forge = (request: CommunityMessage, changes: Partial<CommunityMessage> = {}) =>
  encodeMessage(writer, {
    ...request,
    type: PDU.Response,
    errorStatus: 0,
    errorIndex: 0,
    varbinds: [{ oid: OID, value: EVIL }],
    ...changes,
  })

let transport: Transport
let agent: TestAgent | null = null
const agentWith = async (mib: Record<string, SnmpValue>, behaviour: Behaviour = {}): Promise<TestAgent> => {
  agent = await startAgent(() => mib, behaviour)
  return agent
}

beforeAll(async () => {
  transport = await createTransport()
})
afterAll(() => transport.close())
afterEach(() => {
  agent?.stop()
  agent = null
})

/** Queries an agent that answers abnormally; returns the answer and the transport counters. */
async function ask(reply: NonNullable<Behaviour['reply']>) {
  const { target } = await agentWith({ [OID]: GOOD }, { reply })
  const before = { ...transport.stats }
  const answer = await openSession(transport, target).get([OID])
  const counted = Object.fromEntries(
    Object.entries(transport.stats)
      .map(([name, value]) => [name, value - (before[name as keyof typeof before] ?? 0)] as const)
      .filter(([, value]) => value > 0),
  )
  return { answer, counted }
}

const good: Answer = { kind: 'answer', varbinds: [{ oid: OID, value: GOOD }] }

describe('replies that are not the answer', () => {
  test.each([
    ['another port', 'wrongSource', (request: CommunityMessage, send: Send) => send(forge(request), 'other')],
    [
      'another request-id',
      'unknownId',
      (request: CommunityMessage, send: Send) => send(forge(request, { requestId: request.requestId ^ 1 })),
    ],
    ['another version', 'rejected', (request: CommunityMessage, send: Send) => send(forge(request, { version: 'v1' }))],
    [
      'a request',
      'rejected',
      (request: CommunityMessage, send: Send) => send(forge(request, { type: PDU.SetRequest })),
    ],
    ['garbage', 'malformed', (_request: CommunityMessage, send: Send) => send(Uint8Array.of(1, 2, 3))],
    [
      'a truncated message',
      'malformed',
      (request: CommunityMessage, send: Send) => send(forge(request).subarray(0, 30)),
    ],
  ] as const)('with %s are dropped and counted as %s', async (_name, counter, attack) => {
    const { answer, counted } = await ask((bytes, request, send) => {
      attack(request, send)
      send(bytes)
    })
    expect(answer).toEqual(good)
    expect(counted[counter]).toBe(1)
  })

  test('a duplicate is counted, and is not taken for another answer', async () => {
    const { target } = await agentWith(
      { [OID]: GOOD },
      {
        reply: (bytes, _request, send) => {
          for (let i = 0; i < 3; i++) send(bytes)
        },
      },
    )
    const session = openSession(transport, target)
    const before = transport.stats.duplicate
    expect(await session.get([OID])).toEqual(good)
    expect(await session.get([OID])).toEqual(good)
    // datagrams received before the second answer have been counted by then
    expect(transport.stats.duplicate - before).toBeGreaterThanOrEqual(2)
  })

  test('an answer to the first try is accepted even after the second try was sent', async () => {
    let tries = 0
    const { target, requests } = await agentWith(
      { [OID]: GOOD },
      { reply: (bytes, _request, send) => ++tries === 2 && send(bytes) },
    )
    expect(await openSession(transport, target).get([OID])).toEqual(good)
    expect(new Set(requests.map((r) => r.requestId)).size).toBe(1)
  })

  test('an answer after the last try is late', async () => {
    let held: (() => void) | null = null
    const { target } = await agentWith(
      { [OID]: GOOD },
      {
        reply: (bytes, _request, send) => {
          held = () => send(bytes)
        },
      },
    )
    const before = transport.stats.late
    expect(await openSession(transport, { ...target, timeout: 0.05, retries: 0 }).get([OID])).toEqual({
      kind: 'timeout',
    })
    const release = held as (() => void) | null
    release?.()
    await until(() => transport.stats.late > before)
  })
})

/** Waits at most 30 seconds for a condition. */
async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('condition never came')
    await Bun.sleep(1)
  }
}

describe('no answer', () => {
  test('a closed port is a timeout, and storms of ICMP errors are only counted', async () => {
    const session = openSession(transport, targetAt(await freePort(), { timeout: 0.05, retries: 2 }))
    expect(await session.get([OID])).toEqual({ kind: 'timeout' })
    expect(session.stats).toEqual({ requests: 1, responses: 0, timeouts: 3, varbinds: 0 })
  })

  test('the deadline ends a request before its tries do', async () => {
    const session = openSession(transport, targetAt(await freePort(), { timeout: 30, retries: 5 }), { deadlineMs: 50 })
    expect(await session.get([OID])).toEqual({ kind: 'deadline' })
  })

  test('the deadline ends a request that still waits for the window', async () => {
    const own = await createTransport({ inflight: 1 })
    const port = await freePort()
    const blocking = openSession(own, targetAt(port, { timeout: 30 }), { deadlineMs: 10_000 }).get([OID])
    expect(await openSession(own, targetAt(port), { deadlineMs: 50 }).get([OID])).toEqual({ kind: 'deadline' })
    expect(own.queued).toBe(0)
    own.close()
    expect(await blocking).toEqual({ kind: 'closed' })
  })

  test('an address that the host refuses is unreachable', async () => {
    expect(await openSession(transport, targetAt(161, { address: '255.255.255.255' })).get([OID])).toEqual({
      kind: 'unreachable',
    })
  })

  test('closing the transport ends pending requests', async () => {
    const own = await createTransport()
    const pending = openSession(own, targetAt(await freePort(), { timeout: 30 })).get([OID])
    own.close()
    expect(await pending).toEqual({ kind: 'closed' })
    expect(await openSession(own, targetAt(161)).get([OID])).toEqual({ kind: 'closed' })
  })

  test('a lost request is sent again', async () => {
    let tries = 0
    const { target } = await agentWith(
      { [OID]: GOOD },
      { reply: (bytes, _request, send) => ++tries > 2 && send(bytes) },
    )
    const session = openSession(transport, { ...target, timeout: 0.05 })
    expect(await session.get([OID])).toEqual(good)
    expect(session.stats.timeouts).toBe(2)
  })
})

describe('early repetition', () => {
  test('a datagram lost on the way to an agent that is known to be quick does not cost a timeout', async () => {
    let n = 0
    const { target } = await agentWith({ [OID]: GOOD }, { reply: (bytes, _request, send) => ++n !== 4 && send(bytes) })
    // otherwise the fourth request would wait for half a minute, and the test would fail
    const session = openSession(transport, { ...target, timeout: 30 })
    for (let i = 0; i < 4; i++) expect(await session.get([OID])).toEqual(good)
    expect(session.stats).toMatchObject({ requests: 4, timeouts: 1 })
  })

  test('happens once only, and does not count as a try', async () => {
    let n = 0
    const { target, requests } = await agentWith(
      { [OID]: GOOD },
      { reply: (bytes, _request, send) => ++n <= 3 && send(bytes) },
    )
    const session = openSession(transport, { ...target, timeout: 0.3, retries: 1 })
    for (let i = 0; i < 3; i++) await session.get([OID])
    requests.length = 0
    expect(await session.get([OID])).toEqual({ kind: 'timeout' })
    expect(requests).toHaveLength(3)
  })
})

describe('windows', () => {
  test('the transport never has more pending requests than its limit', async () => {
    const own = await createTransport({ inflight: 3 })
    const { target, mostAtOnce } = await agentWith({ [OID]: GOOD }, { busyMs: 1 })
    const seen: number[] = []
    const sessions = Array.from({ length: 12 }, () => openSession(own, { ...target, retries: 20, timeout: 0.05 }))
    const answers = await Promise.all(
      sessions.map(async (session) => {
        const answer = session.get([OID])
        seen.push(own.inFlight)
        return answer
      }),
    )
    own.close()
    expect(Math.max(...seen)).toBe(3)
    expect(mostAtOnce()).toBeLessThanOrEqual(3)
    for (const answer of answers) expect(answer).toEqual(good)
  })

  test('an agent that handles one request at a time soon gets one at a time', async () => {
    const { target } = await agentWith(column(60), { busyMs: 2 })
    const profile = newProfile()
    const oids = Object.keys(column(60))
    // at most three OIDs per GET make twenty requests
    profile.getCap = 3
    for (let i = 0; i < 3; i++) {
      const answer = await openSession(transport, { ...target, timeout: 0.1, retries: 10 }, { profile }).get(oids)
      expect(answer.kind).toBe('answer')
    }
    expect(profile.ceiling).toBe(1)
    await openSession(transport, { ...target, timeout: 0.1 }, { profile }).get(oids.slice(0, 30))
    // an answer may still be late on a busy machine, which must not widen the window
    expect(Math.floor(profile.window)).toBe(1)
  })

  test('an agent that keeps up gets more requests at a time', async () => {
    const { target } = await agentWith(column(60))
    const profile = newProfile()
    profile.getCap = 1
    await openSession(transport, target, { profile }).get(Object.keys(column(60)))
    expect(profile.window).toBe(8)
  })
})

describe('walks', () => {
  const walk = async (mib: Record<string, SnmpValue>, behaviour: Behaviour = {}, options = {}) => {
    const { target } = await agentWith(mib, behaviour)
    return openSession(transport, target).walkColumn(COLUMN, options)
  }
  const rows = (outcome: Awaited<ReturnType<typeof walk>>) => (outcome.kind === 'unsupported' ? 0 : outcome.cells.size)

  test('ends where the column ends', async () => {
    const outcome = await walk({ ...column(100), '1.3.6.1.2.1.2.2.1.2.1': EVIL })
    expect([outcome.kind, rows(outcome)]).toEqual(['complete', 100])
  })

  test('ends where the MIB ends', async () => {
    expect(rows(await walk(column(7)))).toBe(7)
  })

  test('a column that the agent does not have costs one request', async () => {
    const { target, requests } = await agentWith({ '1.3.6.1.2.1.2.2.1.2.1': EVIL })
    expect(await openSession(transport, target).walkColumn(COLUMN)).toEqual({ kind: 'unsupported' })
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['caps max-repetitions', { repetitionCap: 3 }],
    ['truncates at a small size', { maxOctets: 200 }],
    ['answers tooBig', { maxOctets: 200, bulkTooBig: true }],
  ] as const)('an agent that %s is walked to the end', async (_name, behaviour) => {
    const outcome = await walk(column(90), behaviour)
    expect([outcome.kind, rows(outcome)]).toEqual(['complete', 90])
  })

  test('v1 is walked without GETBULK', async () => {
    const { target, requests } = await agentWith(column(12))
    const outcome = await openSession(transport, { ...target, snmpver: 'v1' }).walkColumn(COLUMN)
    expect([outcome.kind, rows(outcome)]).toEqual(['complete', 12])
    expect(requests.every((r) => r.type === PDU.GetNextRequest)).toBe(true)
  })

  test('a walk in circles is truncated, not followed', async () => {
    const outcome = await walk(column(5), {
      reply: (_bytes, request, send) => {
        const varbinds = [2, 3, 1].map((i) => ({ oid: `${COLUMN}.${i}`, value: GOOD }))
        send(forge(request, { varbinds }))
      },
    })
    expect(outcome).toMatchObject({ kind: 'truncated', reason: 'notIncreasing' })
    expect(rows(outcome)).toBe(3)
  })

  test('an endless column is truncated at the limit', async () => {
    let n = 0
    const outcome = await walk(
      {},
      {
        reply: (_bytes, request, send) => {
          const varbinds = Array.from({ length: request.errorIndex }, () => ({ oid: `${COLUMN}.${++n}`, value: GOOD }))
          send(forge(request, { varbinds }))
        },
      },
      { maxRows: 500 },
    )
    expect(outcome).toMatchObject({ kind: 'truncated', reason: 'limit' })
    expect(rows(outcome)).toBe(500)
  })

  test('an agent that stops answering leaves a truncated walk with the cells read so far', async () => {
    let answers = 0
    const { target } = await agentWith(column(200), {
      repetitionCap: 10,
      reply: (bytes, _request, send) => ++answers <= 3 && send(bytes),
    })
    const outcome = await openSession(transport, { ...target, timeout: 0.05, retries: 1 }).walkColumn(COLUMN)
    expect(outcome).toMatchObject({ kind: 'truncated', reason: 'timeout' })
    expect(rows(outcome)).toBe(30)
  })

  test('a row that the agent refuses truncates the walk there', async () => {
    const outcome = await walk(column(40), {
      reply: (bytes, request, send) => {
        const last = Number(request.varbinds[0]?.oid.split('.').at(-1))
        const repetitions = request.type === PDU.GetBulkRequest ? request.errorIndex : 1
        const reaches = request.varbinds[0]?.oid === COLUMN ? repetitions >= 20 : last + repetitions >= 20
        send(reaches ? forge(request, { errorStatus: 5, errorIndex: 1, varbinds: request.varbinds }) : bytes)
      },
    })
    expect(outcome).toMatchObject({ kind: 'truncated', reason: 'genErr' })
    expect(rows(outcome)).toBe(19)
  })

  test('the size of request that gets a response is found', async () => {
    const { target } = await agentWith(column(50), {
      reply: (bytes, request, send) => {
        if (request.errorIndex <= 4) send(bytes)
      },
    })
    const outcome = await openSession(transport, { ...target, timeout: 0.05 }).walkColumn(COLUMN)
    expect([outcome.kind, rows(outcome)]).toEqual(['complete', 50])
  })

  test('columns of a table: the first one decides whether there is a table', async () => {
    const table = {
      name: 'T',
      entry: '1.3.6.1.2.1.2.2.1',
      columns: { a: { id: 1, syntax: 'Integer' }, b: { id: 2, syntax: 'Integer' } },
    } as const
    const { target, requests } = await agentWith({ ...column(3), '1.3.6.1.2.1.2.2.1.2.2': EVIL })
    const session = openSession(transport, target)
    const there = await session.walkColumns(table, ['a', 'b'])
    expect([...there].map(([name, outcome]) => [name, rows(outcome)])).toEqual([
      ['a', 3],
      ['b', 1],
    ])
    requests.length = 0
    const absent = await session.walkColumns({ ...table, entry: '1.3.6.1.2.1.99' }, ['a', 'b'])
    expect([...absent.values()]).toEqual([{ kind: 'unsupported' }, { kind: 'unsupported' }])
    expect(requests).toHaveLength(1)
  })
})

test('answers from another port only are refused, and the failure says where they came from', async () => {
  const { target } = await agentWith({ [OID]: GOOD }, { reply: (bytes, _request, send) => send(bytes, 'other') })
  const session = openSession(transport, { ...target, timeout: 0.5, retries: 0 })
  const answer = await session.get([OID])
  expect(answer).toEqual({ kind: 'otherSource', from: expect.stringMatching(/^127\.0\.0\.1 port \d+$/) } as never)
  if (answer.kind === 'otherSource') expect(failureText(answer)).toContain(`answers come from ${answer.from}`)
  expect(await session.walkColumn(COLUMN)).toMatchObject({ kind: 'truncated', reason: 'otherSource' })
})

test('a closed port of one host does not fail the requests to another', async () => {
  const { target } = await agentWith({ [OID]: GOOD })
  const closed = await Bun.udpSocket({ hostname: '127.0.0.1', port: 0 })
  const { port } = closed
  closed.close()
  const dead = openSession(transport, { ...target, port, timeout: 0.05, retries: 0 })
  for (let round = 0; round < 50; round++) {
    const refused = dead.get([OID])
    // the kernel reports the refusal of one request at a later one
    await new Promise((resolve) => setImmediate(resolve))
    const session = openSession(transport, target)
    expect(await Promise.all([session.get([OID]), session.get([OID]), session.get([OID])])).toEqual([good, good, good])
    expect(await refused).toEqual({ kind: 'timeout' })
  }
})

test('answers from another port are accepted where the device says so, but not with another request-id', async () => {
  const { target } = await agentWith(
    { [OID]: GOOD, ...column(30) },
    { reply: (bytes, _request, send) => send(bytes, 'other') },
  )
  const session = openSession(transport, { ...target, anySource: true, timeout: 0.2, retries: 0 })
  expect(await session.get([OID])).toEqual(good)
  const walked = await session.walkColumn(COLUMN)
  expect([walked.kind, walked.kind === 'complete' && walked.cells.size]).toEqual(['complete', 30])
  agent?.stop()
  const forged = await agentWith(
    { [OID]: GOOD },
    { reply: (_bytes, request, send) => send(forge(request, { requestId: request.requestId + 1 }), 'other') },
  )
  const other = openSession(transport, { ...forged.target, anySource: true, timeout: 0.1, retries: 0 })
  expect(await other.get([OID])).toEqual({ kind: 'timeout' })
})

test('OIDs whose sub-identifiers begin with padding are those that were asked for', async () => {
  const entry = '1.3.6.1.4.1.14988.1.1'
  const mib = Object.fromEntries(
    [1, 200, 70_000].map((i) => [`${entry}.${i}`, { kind: 'Integer32', value: i } as const]),
  )
  const padded = (oid: string) =>
    Uint8Array.from(
      [...encodeOid(oid)].flatMap((octet, i, all) =>
        octet >= 0x80 && (all[i - 1] ?? 0) < 0x80 ? [0x80, 0x80, octet] : [octet],
      ),
    )
  const { target } = await agentWith(mib, {
    reply: (bytes, _request, send) => {
      const answer = decodeMessage(bytes)
      writer.begin()
      const mark = writer.at
      writePdu(writer, PDU.Response, answer.requestId, 0, 0, (w) => {
        for (const { oid, value } of answer.varbinds.toReversed()) {
          const varbind = w.at
          if (value.kind === 'Integer32') w.integer(value.value)
          else w.primitive(TAG.endOfMibView, new Uint8Array(0))
          w.primitive(TAG.ObjectIdentifier, padded(oid))
          w.wrap(TAG.Sequence, varbind)
        }
      })
      writeCommunityHeader(writer, mark, 'v2c', answer.community)
      send(writer.finish())
    },
  })
  const walked = await openSession(transport, target).walkColumn(entry)
  expect(walked.kind === 'complete' ? [...walked.cells.keys()] : walked.kind).toEqual(['1', '200', '70000'])
  const got = await openSession(transport, target).get(Object.keys(mib))
  expect(got.kind === 'answer' ? got.varbinds.map(({ value }) => value) : got.kind).toEqual(Object.values(mib))
})
