import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { BerWriter } from '../src/ber.ts'
import { bulkState, retryBulk } from '../src/bulk.ts'
import { type CommunityMessage, encodeMessage } from '../src/message.ts'
import { encodeOid } from '../src/oid.ts'
import { PDU } from '../src/pdu.ts'
import { newProfile } from '../src/profile.ts'
import { RowSink } from '../src/row-sink.ts'
import { fetchRows } from '../src/rows.ts'
import { openSession, type Session } from '../src/session.ts'
import { createTransport, type Transport } from '../src/transport.ts'
import type { SnmpValue, Varbind } from '../src/value.ts'
import { type Send, startAgent, type TestAgent } from './support/agent.ts'

// Agents that answer GETNEXT but not GETBULK.

const ROWS = 30
const COLUMNS = ['1.3.6.1.2.1.2.2.1.1', '1.3.6.1.2.1.2.2.1.10'] as const
const ABSENT = '1.3.6.1.2.1.17.4.3.1.2'

const mib: Record<string, SnmpValue> = {
  '1.3.6.1.2.1.1.1.0': { kind: 'OctetString', value: new TextEncoder().encode('no GETBULK') },
  '1.3.6.1.2.1.1.2.0': { kind: 'ObjectIdentifier', value: '1.3.6.1.4.1.99999' },
  '1.3.6.1.2.1.1.3.0': { kind: 'TimeTicks', value: 4711 },
}
for (const column of COLUMNS)
  for (let i = 1; i <= ROWS; i++) mib[`${column}.${i}`] = { kind: 'Counter32', value: i * 100 }

const writer = new BerWriter()
const forged = (request: CommunityMessage, errorStatus: number, varbinds: readonly Varbind[]) =>
  encodeMessage(writer, {
    ...request,
    type: PDU.Response,
    errorStatus,
    errorIndex: errorStatus === 0 ? 0 : 1,
    varbinds,
  })

type Refuse = (request: CommunityMessage, send: Send) => unknown
const withEach = (request: CommunityMessage, value: SnmpValue) => request.varbinds.map(({ oid }) => ({ oid, value }))

const REFUSALS: Readonly<Record<string, Refuse>> = {
  'no response': () => undefined,
  genErr: (request, send) => send(forged(request, 5, request.varbinds)),
  noSuchName: (request, send) => send(forged(request, 2, request.varbinds)),
  tooBig: (request, send) => send(forged(request, 1, [])),
  'no varbinds': (request, send) => send(forged(request, 0, [])),
  'the request itself': (request, send) => send(forged(request, 0, request.varbinds)),
  'noSuchObject for each OID': (request, send) => send(forged(request, 0, withEach(request, { kind: 'noSuchObject' }))),
  'endOfMibView for each OID': (request, send) => send(forged(request, 0, withEach(request, { kind: 'endOfMibView' }))),
}

let transport: Transport
let agent: TestAgent
let refuse: Refuse | null = null
beforeAll(async () => {
  transport = await createTransport()
  agent = await startAgent(() => mib, {
    reply: (bytes, request, send) =>
      refuse !== null && request.type === PDU.GetBulkRequest ? refuse(request, send) : send(bytes),
  })
})
afterAll(() => {
  agent.stop()
  transport.close()
})
afterEach(() => {
  refuse = null
})

const profile = () => newProfile(4)
const open = (options: Parameters<typeof openSession>[2]) =>
  openSession(transport, { ...agent.target, timeout: 0.05, retries: 1 }, options)

async function walked(session: Session, column: string): Promise<number | string> {
  const outcome = await session.walkColumn(column)
  return outcome.kind === 'complete' ? outcome.cells.size : outcome.kind
}

async function polled(session: Session): Promise<number[]> {
  const sink = new RowSink(ROWS, COLUMNS.length)
  const indexes = Int32Array.from({ length: ROWS }, (_, i) => i + 1)
  const outcome = await fetchRows(session, { columns: COLUMNS.map(encodeOid), indexes }, sink)
  expect(outcome).toMatchObject({ kind: 'complete', failure: null, vanished: [] })
  return Array.from(indexes, (_, row) => sink.number(1, row))
}

function bulksSince(mark: number): number {
  return agent.requests.slice(mark).filter(({ type }) => type === PDU.GetBulkRequest).length
}

describe.each(Object.entries(REFUSALS))('GETBULK is answered with %s', (_name, answer) => {
  test('walks read everything with GETNEXT, and GETBULK is not sent again until it works', async () => {
    refuse = answer
    const known = profile()
    const session = open({ profile: known })
    expect(await walked(session, COLUMNS[0])).toBe(ROWS)
    expect(bulkState(known)).not.toBeOneOf([null, 'works'])
    const mark = agent.requests.length
    expect(await walked(session, COLUMNS[1])).toBe(ROWS)
    expect(await walked(session, ABSENT)).toBe('unsupported')
    const table = {
      name: 'test',
      entry: '1.3.6.1.2.1.2.2.1',
      columns: { a: { id: 1, syntax: 'Integer' }, b: { id: 10, syntax: 'Integer' } },
    } as const
    const outcomes = await session.walkColumns(table, ['a', 'b'], { expectedRows: ROWS })
    expect([...outcomes.values()].map((outcome) => outcome.kind)).toEqual(['complete', 'complete'])
    expect(bulksSince(mark)).toBe(0)

    await retryBulk(session)
    expect(bulkState(known)).not.toBe('works')
    refuse = null
    await retryBulk(session)
    expect(bulkState(known)).toBe('works')
    expect(await walked(session, COLUMNS[0])).toBe(ROWS)
    expect(bulksSince(mark)).toBeGreaterThan(0)
  })

  test('polls read every row with GETNEXT', async () => {
    refuse = answer
    const known = profile()
    const want = Array.from({ length: ROWS }, (_, i) => (i + 1) * 100)
    expect(await polled(open({ profile: known }))).toEqual(want)
    expect(bulkState(known)).not.toBeOneOf([null, 'works'])
    const mark = agent.requests.length
    expect(await polled(open({ profile: known }))).toEqual(want)
    expect(bulksSince(mark)).toBe(0)
  })
})

// an agent that says of every table that it has none cannot be told from one that has none
test.each(['no response', 'genErr', 'noSuchName', 'tooBig', 'no varbinds'])(
  'an agent that answered GETBULK before, and now answers with %s, is read with GETNEXT as well',
  async (name) => {
    const known = profile()
    expect(await walked(open({ profile: known }), COLUMNS[0])).toBe(ROWS)
    expect(bulkState(known)).toBe('works')
    refuse = REFUSALS[name] ?? null
    const session = open({ profile: known })
    await session.get(['1.3.6.1.2.1.1.1.0'])
    for (let i = 0; i < 3; i++) expect(await walked(session, COLUMNS[1])).toBe(ROWS)
    expect(bulkState(known)).not.toBe('works')
  },
)

test('a table that is not there, and an agent without any, do not count against GETBULK', async () => {
  const known = profile()
  expect(await walked(open({ profile: known }), ABSENT)).toBe('unsupported')
  expect(bulkState(known)).toBe(null)
  expect(await walked(open({ profile: known }), COLUMNS[0])).toBe(ROWS)
  expect(bulkState(known)).toBe('works')
})

test('one cell that the agent cannot return does not count against GETBULK', async () => {
  const last = (oid: string) => Number(oid.split('.').at(-1))
  const bad = await startAgent(() => mib, {
    reply: (bytes, request, send) => {
      const repetitions = request.type === PDU.GetBulkRequest ? request.errorIndex : 1
      const from = request.varbinds.find(({ oid }) => oid.startsWith(COLUMNS[1]))?.oid
      const reaches = from !== undefined && last(from) < 7 && last(from) + repetitions >= 7 && from !== COLUMNS[1]
      const starts = from === COLUMNS[1] && repetitions >= 7
      send(reaches || starts ? forged(request, 5, request.varbinds) : bytes)
    },
  })
  try {
    const known = profile()
    const session = openSession(transport, { ...bad.target, timeout: 0.2, retries: 1 }, { profile: known })
    const outcome = await session.walkColumn(COLUMNS[1])
    expect(outcome).toMatchObject({ kind: 'truncated', reason: 'genErr' })
    const sink = new RowSink(ROWS, COLUMNS.length)
    const indexes = Int32Array.from({ length: ROWS }, (_, i) => i + 1)
    expect(await fetchRows(session, { columns: COLUMNS.map(encodeOid), indexes }, sink)).toMatchObject({ rows: ROWS })
    expect(sink.number(1, 6)).toBeNaN()
    expect(sink.number(1, 7)).toBe(800)
    expect(bulkState(known)).toBe('works')
  } finally {
    bad.stop()
  }
})

test('an agent that answers nothing at all costs one more request, and not again', async () => {
  const silent = await startAgent(() => mib, { reply: () => undefined })
  try {
    const known = profile()
    const session = openSession(transport, { ...silent.target, timeout: 0.02, retries: 0 }, { profile: known })
    expect(await walked(session, COLUMNS[0])).toBe('truncated')
    expect(silent.requests.map(({ type }) => type)).toEqual([PDU.GetBulkRequest, PDU.GetNextRequest])
    expect(await walked(session, COLUMNS[0])).toBe('truncated')
    expect(silent.requests).toHaveLength(3)
    expect(bulkState(known)).toBe(null)
  } finally {
    silent.stop()
  }
})
