import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { BerWriter } from '../src/ber.ts'
import { type CommunityMessage, encodeMessage } from '../src/message.ts'
import { encodeOid } from '../src/oid.ts'
import { PDU } from '../src/pdu.ts'
import { newProfile } from '../src/profile.ts'
import { RowSink } from '../src/row-sink.ts'
import { fetchRows } from '../src/rows.ts'
import { openSession } from '../src/session.ts'
import { col, mibTable } from '../src/table.ts'
import { createTransport, type Transport } from '../src/transport.ts'
import type { SnmpValue, Varbind } from '../src/value.ts'
import type { WalkOutcome } from '../src/walk.ts'
import { startAgent, type TestAgent } from './support/agent.ts'

// Agents whose next object is the next of a list in any order.

const TABLE = mibTable('TEST-MIB::table', '1.3.6.1.4.1.99999.1.1', {
  a: col(1, 'Integer'),
  b: col(2, 'Integer'),
  c: col(3, 'Integer'),
})
const NAMES = ['a', 'b', 'c'] as const
const oidOf = (column: number, row: number) => `${TABLE.entry}.${column}.${row}`

let transport: Transport
let agent: TestAgent | null = null
beforeAll(async () => {
  transport = await createTransport()
})
afterAll(() => transport.close())
afterEach(() => {
  agent?.stop()
  agent = null
})

const writer = new BerWriter()

/** An agent that goes from object to object in the order of the list; `again`: where it goes from the last one. */
async function agentOf(list: readonly (readonly [string, SnmpValue])[], again: string | null = null) {
  const objects = new Map(list)
  const oids = list.map(([oid]) => oid)
  const next = (oid: string): string | undefined => {
    const at = oids.indexOf(oid)
    if (at >= 0) return oids[at + 1] ?? again ?? undefined
    return oids.find((one) => one.startsWith(`${oid}.`))
  }
  const step = (oid: string): Varbind => {
    const found = next(oid)
    return found === undefined
      ? { oid, value: { kind: 'endOfMibView' } }
      : { oid: found, value: objects.get(found) ?? { kind: 'noSuchInstance' } }
  }
  const answer = (request: CommunityMessage): Varbind[] => {
    const { varbinds } = request
    if (request.type === PDU.GetRequest)
      return varbinds.map(({ oid }) => ({ oid, value: objects.get(oid) ?? { kind: 'noSuchInstance' } }))
    if (request.type === PDU.GetNextRequest) return varbinds.map(({ oid }) => step(oid))
    const found = varbinds.slice(0, request.errorStatus).map(({ oid }) => step(oid))
    let row = varbinds.slice(request.errorStatus)
    for (let r = 0; r < Math.min(request.errorIndex, 12); r++) {
      row = row.map(({ oid }) => step(oid))
      found.push(...row)
    }
    return found
  }
  agent = await startAgent(() => ({}), {
    reply: (_bytes, request, send) =>
      send(
        encodeMessage(writer, {
          ...request,
          type: PDU.Response,
          errorStatus: 0,
          errorIndex: 0,
          varbinds: answer(request),
        }),
      ),
  })
  return { ...agent.target, timeout: 2, retries: 1 }
}

const int = (value: number): SnmpValue => ({ kind: 'Integer32', value })
const cellsOf = (outcome: WalkOutcome | undefined) =>
  outcome === undefined || outcome.kind === 'unsupported' ? {} : Object.fromEntries(outcome.cells)

/** Cells of the table by column. */
const table = (rows: readonly number[]) =>
  Object.fromEntries(
    NAMES.map((name, i) => [name, Object.fromEntries(rows.map((row) => [String(row), int(1000 * (i + 1) + row)]))]),
  )
const cell = (column: number, row: number) => [oidOf(column, row), int(1000 * column + row)] as const

describe('an agent whose rows are not in order', () => {
  test('is read to the end, whatever the order of its rows', async () => {
    const order = fc.shuffledSubarray([1, 2, 3, 4, 5, 127, 128, 129, 16_384, 70_000, 5_000_000], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), async (rows, byRow) => {
        const byColumn = [1, 2, 3].flatMap((column) => rows.map((row) => cell(column, row)))
        const list = byRow ? rows.flatMap((row) => [1, 2, 3].map((column) => cell(column, row))) : byColumn
        const session = openSession(transport, await agentOf(list))
        const read = await session.walkColumns(TABLE, [...NAMES])
        expect(Object.fromEntries(NAMES.map((name) => [name, cellsOf(read.get(name))]))).toEqual(table(rows))
        expect([...read.values()].map(({ kind }) => kind)).toEqual(['complete', 'complete', 'complete'])
        agent?.stop()
      }),
      { numRuns: 40 },
    )
  })

  test('gives its rows in order, as merging columns needs it', async () => {
    const session = openSession(transport, await agentOf([9, 300, 4, 200, 5].map((row) => cell(1, row))))
    const outcome = await session.walkColumn(`${TABLE.entry}.1`)
    expect(Object.keys(cellsOf(outcome)).length).toBe(5)
    expect(outcome.kind !== 'unsupported' && [...outcome.cells.keys()]).toEqual(['4', '5', '9', '200', '300'])
  })

  test('that never ends is left at the first object that comes again', async () => {
    const list = [3, 1, 2, 5, 4].map((row) => cell(1, row))
    const session = openSession(transport, await agentOf(list, oidOf(1, 1)))
    const outcome = await session.walkColumn(`${TABLE.entry}.1`)
    expect(outcome).toMatchObject({ kind: 'truncated', reason: 'notIncreasing' })
    expect(Object.keys(cellsOf(outcome)).sort()).toEqual(['1', '2', '3', '4', '5'])
    expect(agent?.requests.length).toBeLessThan(10)
  })

  test('has the limit of rows of every other', async () => {
    const list = Array.from({ length: 200 }, (_, i) => cell(1, 200 - i))
    const session = openSession(transport, await agentOf(list))
    const outcome = await session.walkColumn(`${TABLE.entry}.1`, { maxRows: 50 })
    expect(outcome).toMatchObject({ kind: 'truncated', reason: 'limit' })
    expect(Object.keys(cellsOf(outcome)).length).toBe(50)
  })

  test('whose table goes on in another one is no complete table', async () => {
    const other = ['1.3.6.1.4.1.99999.1.0.1', int(7)] as const
    const session = openSession(transport, await agentOf([cell(1, 1), cell(2, 1), cell(3, 1), other, cell(1, 2)]))
    const read = await session.walkColumns(TABLE, [...NAMES])
    expect(read.get('a')).toMatchObject({ kind: 'truncated', reason: 'notIncreasing' })
  })

  test('is polled row by row', async () => {
    const rows = [5, 3, 9, 1]
    const list = [1, 2, 3].flatMap((column) => rows.map((row) => cell(column, row)))
    const target = await agentOf([...list, ['1.3.6.1.2.1.1.3.0', { kind: 'TimeTicks', value: 4711 }]])
    const profile = newProfile(4)
    for (let polls = 0; polls < 2; polls++) {
      const sink = new RowSink(8, 3)
      const columns = [1, 2, 3].map((column) => encodeOid(`${TABLE.entry}.${column}`))
      const indexes = Int32Array.from([1, 3, 5, 7, 9])
      const outcome = await fetchRows(openSession(transport, target, { profile }), { columns, indexes }, sink)
      expect(outcome).toMatchObject({ kind: 'complete', rows: 4, vanished: [7], ticks: 4711 })
      expect([0, 1, 2, 4].map((row) => sink.words[2 * (2 * sink.capacity + row)])).toEqual([3001, 3003, 3005, 3009])
    }
  })
})

test('an agent that begins again after its last object has ended', async () => {
  const first = ['1.3.6.1.2.1.1.1.0', int(0)] as const
  const session = openSession(transport, await agentOf([first, cell(1, 1), cell(1, 2)], first[0]))
  expect((await session.walkColumn(`${TABLE.entry}.1`)).kind).toBe('complete')
})
