import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { BerWriter } from '../src/ber.ts'
import { getNumbers, PRESENCE } from '../src/get.ts'
import { encodeMessage } from '../src/message.ts'
import { encodeOid } from '../src/oid.ts'
import { packOids } from '../src/oid-list.ts'
import { PDU } from '../src/pdu.ts'
import { newProfile } from '../src/profile.ts'
import { type RowPlan, RowSink } from '../src/row-sink.ts'
import { fetchRows, type RowsOutcome } from '../src/rows.ts'
import { openSession } from '../src/session.ts'
import { readAs } from '../src/table.ts'
import { createTransport, type Transport } from '../src/transport.ts'
import type { SnmpValue } from '../src/value.ts'
import { type Behaviour, startAgent, type TestAgent } from './support/agent.ts'

const UP_TIME = '1.3.6.1.2.1.1.3.0'
const COLUMNS = ['1.3.6.1.2.1.2.2.1.10', '1.3.6.1.2.1.2.2.1.14', '1.3.6.1.2.1.31.1.1.1.1', '1.3.6.1.2.1.31.1.1.1.6']
const NAME = 2

/** The rows of each column. */
type Table = readonly (readonly number[])[]

/**
 * sysUpTime advances with every request, and a counter is (column + 1) * index * sysUpTime, so a cell from another
 * response is detected.
 */
function mibOf(table: () => Table, ticks: () => number): () => Record<string, SnmpValue> {
  return () => {
    const now = ticks()
    const mib: Record<string, SnmpValue> = {
      [UP_TIME]: { kind: 'TimeTicks', value: now },
      '1.3.6.1.2.1.99.1.0': { kind: 'Integer32', value: 0 },
    }
    for (const [c, indexes] of table().entries()) {
      for (const i of indexes) {
        const value = BigInt((c + 1) * i) * BigInt(now)
        mib[`${COLUMNS[c]}.${i}`] =
          c === NAME
            ? { kind: 'OctetString', value: new TextEncoder().encode(`port ${i}`) }
            : c === 3
              ? { kind: 'Counter64', value: value + 2n ** 40n }
              : { kind: 'Counter32', value: Number(value & 0xffff_ffffn) }
      }
    }
    return mib
  }
}

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

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const full = (rows: readonly number[]): Table => COLUMNS.map(() => rows)

interface Run {
  readonly outcome: RowsOutcome
  readonly sink: RowSink
  readonly names: Map<number, string>
  readonly plan: RowPlan
}

async function run(
  table: Table,
  known: readonly number[],
  behaviour: Behaviour = {},
  options: { version?: 'v1' | 'v2c'; onlyKnown?: boolean; retries?: number } = {},
): Promise<Run> {
  let ticks = 1000
  agent?.stop()
  agent = await startAgent(
    mibOf(
      () => table,
      () => (ticks += 7),
    ),
    behaviour,
  )
  const names = new Map<number, string>()
  const plan: RowPlan = {
    columns: COLUMNS.map(encodeOid),
    indexes: Int32Array.from(known),
    ...(options.onlyKnown !== undefined && { onlyKnown: options.onlyKnown }),
  }
  const sink = new RowSink(known.length + 3, COLUMNS.length, (_column, row, bytes, start, end) => {
    names.set(row, new TextDecoder().decode(bytes.subarray(start, end)))
  })
  const target = { ...agent.target, snmpver: options.version ?? 'v2c', timeout: 0.1, retries: options.retries ?? 4 }
  const outcome = await fetchRows(openSession(transport, target), plan, sink)
  return { outcome, sink, names, plan }
}

/** Checks that every cell has the agent's value at the row's ticks, or is absent where the agent had none. */
function check({ sink, names, plan }: Run, table: Table): void {
  for (const [row, index] of plan.indexes.entries()) {
    const has = table.map((indexes) => indexes.includes(index))
    expect(has.map((_, c) => ((sink.present[row] ?? 0) >> c) & 1)).toEqual(has.map(Number))
    const ticks = BigInt(sink.ticks[row] ?? 0)
    for (const c of [0, 1, 3]) {
      if (has[c] !== true) continue
      const value = BigInt((c + 1) * index) * ticks
      expect(sink.values[c * sink.capacity + row]).toBe(c === 3 ? value + 2n ** 40n : value & 0xffff_ffffn)
    }
    if (has[NAME] === true) expect(names.get(row)).toBe(`port ${index}`)
  }
}

describe('rows', () => {
  test.each(['v1', 'v2c'] as const)(
    '%s: every row is complete and has the ticks of its own response',
    async (version) => {
      // v1 cannot carry a Counter64
      const table: Table = version === 'v1' ? [...full(range(1, 48)).slice(0, 3), []] : full(range(1, 48))
      const r = await run(table, range(1, 48), {}, { version })
      expect(r.outcome).toMatchObject({ kind: 'complete', failure: null, rows: 48, vanished: [], newIndexes: [] })
      check(r, table)
    },
  )

  test('a known table of 48 rows takes only as many requests as its size needs', async () => {
    const r = await run(full(range(1, 48)), range(1, 48))
    expect(r.outcome.requests).toBeLessThanOrEqual(5)
    expect(agent?.requests.every((q) => q.type === PDU.GetBulkRequest)).toBe(true)
  })

  test('rows that vanished are reported', async () => {
    const table = full([1, 2, 4, 5, 9])
    const r = await run(table, range(1, 10))
    expect(r.outcome).toMatchObject({ kind: 'complete', rows: 5, vanished: [3, 6, 7, 8, 10] })
    check(r, table)
  })

  test('rows missing from the plan are reported, and the known ones read', async () => {
    const table = full([1, 2, 3, 50, 51, 1000, 1001])
    const r = await run(table, [2, 3, 51, 1000])
    expect(r.outcome).toMatchObject({ kind: 'complete', rows: 4 })
    expect(r.outcome.newIndexes).toContain(1)
    expect(r.outcome.newIndexes).toContain(50)
    check(r, table)
  })

  test('with onlyKnown, rows between the known ones cost nothing', async () => {
    const table = full([...range(1, 3), ...range(100, 400), 1000])
    const loose = await run(table, [1, 2, 3, 1000])
    const tight = await run(table, [1, 2, 3, 1000], {}, { onlyKnown: true })
    check(tight, table)
    check(loose, table)
    expect(tight.outcome.varbinds).toBeLessThanOrEqual(loose.outcome.varbinds)
  })

  test('a device without these tables costs the requests of one window', async () => {
    const r = await run(full([]), range(1, 48))
    expect(r.outcome).toMatchObject({ kind: 'complete', rows: 0, vanished: range(1, 48) })
    expect(r.outcome.requests).toBeLessThanOrEqual(2)
  })

  test('a plan without rows costs nothing', async () => {
    expect((await run(full([1]), [])).outcome).toMatchObject({ kind: 'complete', rows: 0, requests: 0 })
  })

  test.each([
    ['a limit of two repetitions', { repetitionCap: 2 }],
    ['messages of 484 octets', { maxOctets: 484 }],
    ['tooBig instead of truncation', { maxOctets: 484, bulkTooBig: true }],
    ['messages too small for one row', { maxOctets: 100 }],
    ['messages too small for one row, and tooBig', { maxOctets: 100, bulkTooBig: true }],
  ] as const)('an agent with %s returns every row', async (_name, behaviour) => {
    const r = await run(full(range(1, 20)), range(1, 20), behaviour)
    expect(r.outcome).toMatchObject({ kind: 'complete', rows: 20, vanished: [] })
    // if a row needs several responses, its columns are from several times, so only the presence of values is certain
    if ('maxOctets' in behaviour && behaviour.maxOctets === 100)
      expect([...r.sink.present.subarray(0, 20)]).toEqual(Array(20).fill(15))
    else check(r, full(range(1, 20)))
  })

  test('the limits of an agent are remembered for the next poll', async () => {
    const profile = newProfile()
    const table = full(range(1, 48))
    agent = await startAgent(
      mibOf(
        () => table,
        () => 1000,
      ),
      { maxOctets: 484 },
    )
    const plan = { columns: COLUMNS.map(encodeOid), indexes: Int32Array.from(range(1, 48)) }
    const sink = new RowSink(48, 4)
    const first = await fetchRows(openSession(transport, agent.target, { profile }), plan, sink)
    const second = await fetchRows(openSession(transport, agent.target, { profile }), plan, sink)
    expect(second.requests).toBeLessThan(first.requests)
    expect(second.rows).toBe(48)
  })

  test('rows that were not read have not vanished', async () => {
    let answers = 0
    const r = await run(
      full(range(1, 30)),
      range(1, 30),
      {
        repetitionCap: 5,
        reply: (bytes, _request, send) => ++answers <= 2 && send(bytes),
      },
      { retries: 0 },
    )
    expect(r.outcome).toMatchObject({ kind: 'partial', failure: { kind: 'timeout' }, vanished: [] })
    expect(r.outcome.rows).toBeGreaterThan(0)
    expect(r.outcome.rows).toBeLessThan(30)
    const known = [...r.sink.settled.subarray(0, 30)].filter((mask) => mask === 15).length
    expect(known).toBe(r.outcome.rows)
  })

  test('a dead device is reported as such', async () => {
    const r = await run(full([1]), [1], { reply: () => {} }, { retries: 1 })
    expect(r.outcome).toMatchObject({
      kind: 'partial',
      failure: { kind: 'timeout' },
      rows: 0,
      vanished: [],
      ticks: null,
    })
  })

  test('an agent whose OIDs go backwards is not trusted', async () => {
    const writer = new BerWriter()
    const r = await run(full(range(1, 5)), range(1, 5), {
      reply: (_bytes, request, send) => {
        const cell = (i: number) =>
          COLUMNS.map((c) => ({ oid: `${c}.${i}`, value: { kind: 'Counter32', value: i } as const }))
        const varbinds = [{ oid: UP_TIME, value: { kind: 'TimeTicks', value: 1 } as const }, ...cell(3), ...cell(2)]
        send(encodeMessage(writer, { ...request, type: PDU.Response, errorStatus: 0, errorIndex: 0, varbinds }))
      },
    })
    expect(r.outcome).toMatchObject({ kind: 'partial', failure: { kind: 'notIncreasing' }, rows: 0 })
  })

  test('one cell that the agent refuses does not affect the others', async () => {
    const bad = `${COLUMNS[1]}.4`
    const table = full(range(1, 8))
    const r = await run(table, range(1, 8), {
      reply: (bytes, request, send) => {
        const writer = new BerWriter()
        // genErr as soon as the response would include the cell
        const asks = request.varbinds.some(
          ({ oid }) => oid.startsWith(`${COLUMNS[1]}`) && reaches(oid, request.errorIndex),
        )
        const genErr = { ...request, type: PDU.Response, errorStatus: 5, errorIndex: 1 }
        send(asks ? encodeMessage(writer, genErr) : bytes)
      },
    })
    function reaches(oid: string, repetitions: number): boolean {
      const from = oid === COLUMNS[1] ? 0 : Number(oid.split('.').at(-1))
      return from < 4 && from + repetitions >= 4
    }
    expect(bad).toEndWith('.4')
    expect(r.outcome).toMatchObject({ kind: 'complete', rows: 8 })
    expect([...r.sink.present.subarray(0, 8)]).toEqual([15, 15, 15, 13, 15, 15, 15, 15])
  })

  test('lost datagrams are requested again', async () => {
    let n = 0
    const table = full(range(1, 60))
    const r = await run(table, range(1, 60), {
      repetitionCap: 4,
      reply: (bytes, _request, send) => ++n % 4 !== 0 && send(bytes),
    })
    expect(r.outcome).toMatchObject({ kind: 'complete', rows: 60 })
    check(r, table)
  }, 20_000)

  test('a plan that does not fit in the sink is refused', async () => {
    agent = await startAgent(() => ({}))
    const plan = { columns: COLUMNS.map(encodeOid), indexes: Int32Array.of(1, 2) }
    expect(fetchRows(openSession(transport, agent.target), plan, new RowSink(1, 4))).rejects.toMatchObject({
      kind: 'invalid',
    })
  })

  test('the sink has what the agent has, for any table', async () => {
    const indexes = fc.uniqueArray(
      fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 2 ** 31 - 2 })),
      { maxLength: 30 },
    )
    const ascending = indexes.map((list) => list.toSorted((a, b) => a - b))
    const scenario = fc.record({
      known: ascending,
      columns: fc.array(ascending, { minLength: 4, maxLength: 4 }),
      share: fc.boolean(),
      repetitionCap: fc.integer({ min: 1, max: 50 }),
      maxOctets: fc.integer({ min: 300, max: 2000 }),
      bulkTooBig: fc.boolean(),
      version: fc.constantFrom('v1' as const, 'v2c' as const),
      onlyKnown: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ known, columns, share, version, onlyKnown, ...behaviour }) => {
        // often the columns have the rows known to the plan, as in practice
        const table = columns.map((own, c) =>
          version === 'v1' && c === 3 ? [] : share ? [...new Set([...known, ...own.slice(0, 3)])] : own,
        )
        const r = await run(table, known, behaviour, { version, onlyKnown })
        expect(r.outcome.kind).toBe('complete')
        check(r, table)
        expect(r.outcome.vanished).toEqual(known.filter((i) => !table.some((column) => column.includes(i))))
      }),
      { numRuns: 150 },
    )
  }, 60_000)
})

test('a float that is infinite or no number is no value of an integer column', () => {
  for (const kind of ['OpaqueFloat', 'OpaqueDouble'] as const) {
    for (const value of [Number.NaN, Infinity, -Infinity]) expect(readAs({ kind, value }, 'Integer')).toBeUndefined()
    for (const value of [0, -0.5, 1e300]) expect(readAs({ kind, value }, 'Integer')).toBe(value)
  }
})

describe('numbers', () => {
  const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })

  test('gauges of every kind become numbers, anything else NaN', async () => {
    const values: SnmpValue[] = [
      { kind: 'Integer32', value: -40 },
      { kind: 'Gauge32', value: 4294967295 },
      { kind: 'Counter64', value: 2n ** 40n },
      { kind: 'OpaqueFloat', value: 0.5 },
      { kind: 'OpaqueDouble', value: 1e-3 },
      text('23.5 C'),
      text('    5 Secs ( 40.8140%)   60 Secs ( 18.1657%)  300 Secs ( 15.1503%)'),
      text('n/a'),
      { kind: 'ObjectIdentifier', value: '1.3' },
    ]
    agent = await startAgent(() => Object.fromEntries(values.map((value, i) => [`1.3.6.1.4.1.1.${i + 1}.0`, value])))
    const oids = packOids(Array.from({ length: values.length + 1 }, (_, i) => encodeOid(`1.3.6.1.4.1.1.${i + 1}.0`)))
    const out = new Float64Array(20).fill(7)
    const outcome = await getNumbers(openSession(transport, agent.target), oids, out)
    expect(outcome).toEqual({ kind: 'complete', failure: null, read: 7 })
    expect([...out.subarray(0, 10)]).toEqual([
      -40,
      4294967295,
      2 ** 40,
      0.5,
      1e-3,
      23.5,
      40.814,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ])
  })

  test('texts are converted by the reading of their position, and numbers at that position stay numbers', async () => {
    const readings = new Map([0, 1, 2].map((i) => [i, (read: string) => (read === 'up' ? 7 : Number.NaN)]))
    const values = [text('up'), text('5 down'), { kind: 'Gauge32', value: 3 } as const, text('5 down')]
    agent = await startAgent(() => Object.fromEntries(values.map((value, i) => [`1.3.6.1.4.1.1.${i + 1}.0`, value])))
    const oids = packOids(values.map((_, i) => encodeOid(`1.3.6.1.4.1.1.${i + 1}.0`)))
    const out = new Float64Array(4)
    await getNumbers(openSession(transport, agent.target), oids, out, readings)
    expect([...out]).toEqual([7, Number.NaN, 3, 5])
  })

  test.each(['v1', 'v2c'] as const)('presence is 1 or 0, and unknown without an answer (%s)', async (snmpver) => {
    const has: Readonly<Record<string, SnmpValue>> = {
      '1.3.6.1.4.1.1.1': text('AP-1'),
      '1.3.6.1.4.1.1.2': { kind: 'Gauge32', value: 0 },
      '1.3.6.1.4.1.1.4': { kind: 'ObjectIdentifier', value: '1.3' },
    }
    agent = await startAgent(() => has)
    const oids = packOids(range(1, 4).map((i) => encodeOid(`1.3.6.1.4.1.1.${i}`)))
    const out = new Float64Array(4)
    const readings = new Map(range(0, 3).map((i) => [i, PRESENCE]))
    const outcome = await getNumbers(openSession(transport, { ...agent.target, snmpver }), oids, out, readings)
    expect([[...out], outcome.kind]).toEqual([[1, 1, 0, 1], 'complete'])
    const mute = await startAgent(() => has, { reply: () => undefined })
    const target = { ...mute.target, snmpver, timeout: 0.02, retries: 0 }
    const silent = await getNumbers(openSession(transport, target), oids, out, readings)
    mute.stop()
    expect([[...out], silent.kind]).toEqual([range(0, 3).map(() => Number.NaN), 'partial'])
  })

  test('a reading gets one character for each octet', async () => {
    const octets = Uint8Array.of(0x80, 0x99, 0, 0xff)
    agent = await startAgent(() => ({ '1.3.6.1.4.1.1.1.0': { kind: 'OctetString', value: octets } }))
    const out = new Float64Array(1)
    let read: number[] = []
    const reading = (text: string) => {
      read = [...text].map((character) => character.charCodeAt(0))
      return 1
    }
    await getNumbers(
      openSession(transport, agent.target),
      packOids([encodeOid('1.3.6.1.4.1.1.1.0')]),
      out,
      new Map([[0, reading]]),
    )
    expect(read).toEqual([...octets])
  })

  test.each([
    ['any agent', {}, 'v2c'],
    ['an agent with small messages', { maxOctets: 200 }, 'v2c'],
    ['a v1 agent, which refuses a request for one absent object', {}, 'v1'],
  ] as const)('hundreds of gauges are read from %s', async (_name, behaviour, snmpver) => {
    const has = (i: number) => i % 10 !== 3
    agent = await startAgent(
      () =>
        Object.fromEntries(
          range(0, 299)
            .filter(has)
            .map((i) => [`1.3.6.1.4.1.1.${i}`, { kind: 'Gauge32', value: i }]),
        ),
      behaviour,
    )
    const out = new Float64Array(300)
    const outcome = await getNumbers(
      openSession(transport, { ...agent.target, snmpver }),
      packOids(range(0, 299).map((i) => encodeOid(`1.3.6.1.4.1.1.${i}`))),
      out,
    )
    expect(outcome).toEqual({ kind: 'complete', failure: null, read: 270 })
    expect([...out]).toEqual(range(0, 299).map((i) => (has(i) ? i : Number.NaN)))
  })
})
