import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PORT_COUNTER_COUNT, PORT_COUNTERS } from '../../src/lib/port-counters.ts'
import { type CounterReading, type DeltaInput, portDeltas } from '../../src/modules/ports/deltas.ts'

/** A reading of one port; counters that are not given are absent. */
function reading(ticks: number, counters: readonly (bigint | null)[]): CounterReading {
  const values = new BigUint64Array(PORT_COUNTER_COUNT)
  let present = 0
  counters.forEach((value, c) => {
    if (value === null) return
    values[c] = value
    present |= 1 << c
  })
  return { ticks: Uint32Array.of(ticks), counters: values, present: Uint32Array.of(present) }
}

function deltas(
  before: CounterReading,
  now: CounterReading,
  rest: Partial<Pick<DeltaInput, 'elapsedMs' | 'ifSpeed' | 'narrow'>> = {},
) {
  return portDeltas({
    rows: 1,
    counters: PORT_COUNTER_COUNT,
    before,
    now,
    narrow: Uint32Array.of(0),
    ifSpeed: Float64Array.of(1e9),
    elapsedMs: 300_000,
    intervalMs: 300_000,
    ...rest,
  })
}

const at = (ticks: number) => reading(ticks, [0n, 0n])
const NARROW = { narrow: Uint32Array.of(0xfff) }

describe('the period', () => {
  test.each([
    { name: 'is the agent’s own', before: 100_000, now: 129_950, elapsedMs: 300_000, want: 299_500 },
    {
      name: 'continues across the wrap of TimeTicks',
      before: 2 ** 32 - 10_000,
      now: 20_000,
      elapsedMs: 300_000,
      want: 300_000,
    },
    { name: 'is as long as a long pause', before: 100_000, now: 460_000, elapsedMs: 3_600_000, want: 3_600_000 },
    { name: 'is ours without sysUpTime', before: 0, now: 0, elapsedMs: 300_100, want: 300_100 },
  ])('$name', ({ before, now, elapsedMs, want }) => {
    const result = deltas(at(before), at(now), { elapsedMs })
    expect([result.periodMs[0], result.refused]).toEqual([want, {}])
    expect(result.deltas[0]).toBe(0)
  })
  test.each([
    { name: 'sysUpTime went back', before: 500_000, now: 10_000, elapsedMs: 300_000, reason: 'reboot' },
    {
      name: 'uptime shorter than the time between polls',
      before: 1_000,
      now: 12_000,
      elapsedMs: 300_000,
      reason: 'reboot',
    },
    {
      name: 'went back near the wrap, but too far for one',
      before: 2 ** 32 - 10_000,
      now: 900_000,
      elapsedMs: 300_000,
      reason: 'reboot',
    },
    { name: 'stood still', before: 500_000, now: 500_000, elapsedMs: 300_000, reason: 'clock' },
    { name: 'ran far ahead of ours', before: 500_000, now: 900_000, elapsedMs: 300_000, reason: 'clock' },
  ] as const)('$name: unknown', ({ before, now, elapsedMs, reason }) => {
    const result = deltas(at(before), at(now), { elapsedMs })
    expect(result.periodMs[0]).toBe(0)
    expect(result.deltas[0]).toBeNaN()
    expect(result.refused).toEqual({ [reason]: 2 })
  })
})

const then = 100_000
const now = 130_000

describe('a counter', () => {
  const pair = (before: bigint, after: bigint) => [reading(then, [before, 0n]), reading(now, [after, 0n])] as const
  test.each([
    { name: '64 bits beyond 2^32', before: 2n ** 40n - 1n, after: 2n ** 40n + 9n, narrow: false, want: 10 },
    { name: '64 bits near their maximum', before: 2n ** 64n - 11n, after: 2n ** 64n - 1n, narrow: false, want: 10 },
    {
      name: '32 bits wrapped, within the speed of the link',
      before: 2n ** 32n - 5n,
      after: 5n,
      narrow: true,
      want: 10,
    },
  ])('$name: known', ({ before, after, narrow, want }) => {
    const result = deltas(...pair(before, after), narrow ? NARROW : {})
    expect([result.deltas[0], result.refused]).toEqual([want, {}])
  })
  test.each([
    { name: '64 bits went back', before: 2n ** 33n, after: 5n, narrow: false, speed: 1e9, reason: 'reset' },
    {
      name: '32 bits went back on a slow link',
      before: 4_000_000n,
      after: 5n,
      narrow: true,
      speed: 1e7,
      reason: 'wrap',
    },
    {
      name: '32 bits went back on a link of unknown speed',
      before: 2n ** 32n - 5n,
      after: 5n,
      narrow: true,
      speed: Number.NaN,
      reason: 'wrap',
    },
    { name: '64 bits before, 32 now', before: 2n ** 33n, after: 5n, narrow: true, speed: 1e9, reason: 'width' },
    {
      name: 'more than any link carries',
      before: 0n,
      after: 2n ** 60n,
      narrow: false,
      speed: 1e9,
      reason: 'implausible',
    },
  ] as const)('$name: unknown', ({ before, after, narrow, speed, reason }) => {
    const result = deltas(...pair(before, after), { ...(narrow ? NARROW : {}), ifSpeed: Float64Array.of(speed) })
    expect(result.deltas[0]).toBeNaN()
    expect(result.refused).toEqual({ [reason]: 1 })
  })
  test('of errors that was reset manually has not wrapped, however fast the link', () => {
    const errors = PORT_COUNTERS.findIndex(({ series }) => series === 'in_err')
    const values = (value: bigint) => Array.from({ length: errors + 1 }, (_, c) => (c === errors ? value : null))
    const result = deltas(reading(then, values(900n)), reading(now, values(3n)), {
      ...NARROW,
      ifSpeed: Float64Array.of(1e11),
    })
    expect(result.deltas[errors]).toBeNaN()
    expect(result.refused).toEqual({ wrap: 1 })
  })
})

test('octets of both directions are unknown if those of one are refused', () => {
  const result = deltas(reading(then, [10n, 10n, 10n]), reading(now, [5n, 20n, 30n]))
  expect(result.deltas[0]).toBeNaN()
  expect(result.deltas[1]).toBeNaN()
  expect(result.deltas[2]).toBe(20)
})

describe('a counter that could not be read', () => {
  const FULL = Array.from({ length: PORT_COUNTER_COUNT }, (_, c) => BigInt(c) * 1000n)
  const later = FULL.map((value) => value + 7n)
  const without = (values: readonly bigint[], lost: number) => values.map((value, c) => (c === lost ? null : value))

  test.each(PORT_COUNTERS.map(({ series }, c) => [series, c] as const))(
    '%s: the others keep their delta',
    (_, lost) => {
      for (const [before, after] of [
        [without(FULL, lost), later],
        [FULL, without(later, lost)],
      ] as const) {
        const result = deltas(reading(then, before), reading(now, after))
        expect([...result.deltas]).toEqual(FULL.map((_value, c) => (c === lost ? Number.NaN : 7)))
        expect([result.refused, result.octetsRefused.size, result.periodMs[0]]).toEqual([{}, 0, 300_000])
      }
    },
  )

  test.each([
    ['64 bits at their end', 2n ** 64n - 11n, 2n ** 64n - 1n, {}, 10],
    ['32 bits that wrapped', 2n ** 32n - 5n, 5n, NARROW, 10],
    ['0 and 0', 0n, 0n, {}, 0],
    ['a reset', 2n ** 33n, 5n, {}, Number.NaN],
  ] as const)('the direction that was read: %s', (_name, before, after, rest, want) => {
    for (const lost of [0, 1]) {
      const one = (value: bigint) => (lost === 0 ? [null, value] : [value, null])
      const result = deltas(reading(then, one(before)), reading(now, one(after)), rest)
      expect([result.deltas[lost], result.deltas[1 - lost]]).toEqual([Number.NaN, want])
      expect(result.octetsRefused.get(0)).toBe(Number.isNaN(want) ? 'reset' : undefined)
    }
  })
})

test('a counter missing from one reading is unknown, not refused', () => {
  const result = deltas(reading(then, [1n, 1n, null, 4n]), reading(now, [2n, 2n, 3n]))
  expect([...result.deltas.slice(0, 4)]).toEqual([1, 1, Number.NaN, Number.NaN])
  expect(result.refused).toEqual({})
})

/** The same rules in exact arithmetic, for one counter and a known period. */
function model(
  before: bigint,
  after: bigint,
  narrow: boolean,
  c: number,
  speed: number,
  seconds: number,
): bigint | null {
  const unit = PORT_COUNTERS[c]?.series.endsWith('_octets') === true ? 8n : 160n
  const bits = (rate: number) => BigInt(Math.floor(rate * seconds * 1.1))
  let delta = after - before
  if (narrow) {
    if (before >= 2n ** 32n) return null
    delta = after - before
    if (delta < 0n) {
      delta += 2n ** 32n
      if (delta * unit > bits(speed) || (unit === 160n && delta > 2n ** 31n)) return null
    }
  } else if (delta < 0n) return null
  const fast = speed > 0 ? speed : 1e10
  const max = Math.max(Math.min(fast * (seconds * 1.1 + 30), 1e12 * seconds), fast * seconds * 1.1)
  return Number(delta) * Number(unit) > max ? null : delta
}

test('agrees with exact arithmetic on random counters', () => {
  const counter = fc.oneof(
    fc.bigInt(0n, 2n ** 64n - 1n),
    fc.bigInt(0n, 2n ** 32n - 1n),
    fc.bigInt(2n ** 40n, 2n ** 40n + 10n ** 9n),
  )
  const cell = fc.record({ before: counter, after: counter, narrow: fc.boolean() })
  const speeds = fc.constantFrom(0, 1e7, 1e9, 1e11)
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 12, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
      speeds,
      (rows, speed) => {
        const size = rows.length * PORT_COUNTER_COUNT
        const before = {
          ticks: new Uint32Array(rows.length).fill(then),
          counters: new BigUint64Array(size),
          present: new Uint32Array(rows.length).fill(0xfff),
        }
        const after = {
          ticks: new Uint32Array(rows.length).fill(now),
          counters: new BigUint64Array(size),
          present: before.present,
        }
        const narrow = new Uint32Array(rows.length)
        for (const [r, cells] of rows.entries()) {
          for (const [i, c] of cells.entries()) {
            before.counters[i * rows.length + r] = c.before
            after.counters[i * rows.length + r] = c.narrow ? c.after & 0xffffffffn : c.after
            if (c.narrow) narrow[r] = (narrow[r] ?? 0) | (1 << i)
          }
        }
        const result = portDeltas({
          rows: rows.length,
          counters: PORT_COUNTER_COUNT,
          before,
          now: after,
          narrow,
          ifSpeed: new Float64Array(rows.length).fill(speed),
          elapsedMs: 300_000,
          intervalMs: 300_000,
        })
        rows.forEach((cells, r) => {
          const want = cells.map((c, i) =>
            model(c.before, c.narrow ? c.after & 0xffffffffn : c.after, c.narrow, i, speed, 300),
          )
          if (want[0] === null || want[1] === null) want[0] = want[1] = null
          for (const [i, value] of want.entries()) {
            expect(result.deltas[i * rows.length + r]).toBe(value === null ? Number.NaN : Number(value))
          }
        })
      },
    ),
    { numRuns: 300 },
  )
})
