import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PORT_COUNTER_COUNT } from '../../src/lib/port-counters.ts'
import { portDeltas } from '../../src/modules/ports/deltas.ts'
import { createLinkEvidence } from '../../src/modules/ports/link-evidence.ts'

/** A port that is polled every 300 s. `octets` may go back, and may be read from a 32-bit counter. */
function polled(ifSpeed: number, narrow = false, fastest = ifSpeed) {
  const links = createLinkEvidence()
  const size = PORT_COUNTER_COUNT * 2
  // the second row only has a speed
  const read = (octets: bigint, ticks: number) => {
    const counters = new BigUint64Array(size)
    counters[0] = octets
    counters[2] = octets
    return { ticks: Uint32Array.of(ticks, ticks), counters, present: Uint32Array.of(0b11, 0) }
  }
  let ticks = 100_000
  let before: ReturnType<typeof read> | null = null
  return (octets: bigint): { readonly rate: number | null; readonly reason: string | null } => {
    ticks += 30_000
    const now = read(octets, ticks)
    const last = before
    before = now
    if (last === null) return { rate: null, reason: null }
    const { deltas, octetsRefused } = portDeltas({
      rows: 2,
      counters: PORT_COUNTER_COUNT,
      before: last,
      now,
      narrow: narrow ? Uint32Array.of(0b11, 0) : new Uint32Array(2),
      ifSpeed: Float64Array.of(ifSpeed, fastest),
      links: {
        proven: (row) => links.proven(row),
        above: (row, rate) => links.above(row, rate),
        within: (row) => links.within(row),
      },
      elapsedMs: 300_000,
      intervalMs: 300_000,
    })
    const delta = deltas[0] ?? Number.NaN
    return { rate: Number.isNaN(delta) ? null : (delta * 8) / 300, reason: octetsRefused.get(0) ?? null }
  }
}

/** Octets in 300 s at this rate, bit/s. */
const octetsAt = (rate: number) => BigInt(Math.floor((rate * 300) / 8))

/** The rates of readings after the first, at these rates. */
function rates(ifSpeed: number, given: readonly number[], fastest?: number): (number | null)[] {
  const poll = polled(ifSpeed, false, fastest)
  let octets = 10n ** 12n
  poll(octets)
  return given.map((rate) => {
    octets += octetsAt(rate)
    return poll(octets).rate
  })
}
const about = (rate: number | null) => (rate === null ? null : Number(rate.toPrecision(3)))

test('a jump that the port cannot carry is refused, and the readings after it are not', () => {
  expect(rates(1e9, [5e8, 126e9, 5e8, 9.9e8]).map(about)).toEqual([5e8, null, 5e8, 9.9e8])
  expect(rates(1e8, [5e7, 2.4e9, 5e7]).map(about)).toEqual([5e7, null, 5e7])
  // a jump now and then proves nothing
  const often = Array.from({ length: 200 }, (_, i) => (i % 12 === 11 ? 5e9 : 5e8))
  expect(rates(1e9, often).map(about)).toEqual(often.map((rate) => (rate > 1e9 ? null : rate)))
})

test('traffic above a wrong speed comes through from the third reading on, and jumps above it still do not', () => {
  const given = [4e8, 5e8, 6e8, 5e8, 2e6, 7e8, 126e9, 5e8]
  expect(rates(1e7, given).map(about)).toEqual([null, null, 6e8, 5e8, 2e6, 7e8, null, 5e8])
  // also with pauses in between
  const bursts = Array.from({ length: 40 }, (_, i) => (i % 5 === 0 ? 3e8 : 1e6))
  expect(rates(1e7, bursts).map(about).slice(15)).toEqual(bursts.slice(15))
})

test('a port of unknown speed is as fast as the fastest of the device, and at least 10 Gbit/s', () => {
  for (const unknown of [0, Number.NaN]) {
    expect(rates(unknown, [9e9, 126e9, 9e9], 1e9).map(about)).toEqual([9e9, null, 9e9])
    expect(rates(unknown, [9e10, 126e9], 1e11).map(about)).toEqual([9e10, null])
  }
})

test('whatever a port of known speed reports, an accepted rate is within its speed or proven by the two before', () => {
  const rate = fc.oneof(fc.double({ min: 0, max: 2e12, noNaN: true }), fc.constantFrom(0, 1e6, 9e6, 5e8, 6e8, 1e12))
  fc.assert(
    fc.property(fc.constantFrom(1e6, 1e7, 1e9, 1e10, 1e11), fc.array(rate, { maxLength: 40 }), (speed, given) => {
      const seen = rates(speed, given)
      const limit = speed * 1.2 + 1
      seen.forEach((one, i) => {
        const sent = given[i] ?? 0
        if (sent <= speed) expect(one).not.toBeNull()
        if (one === null || one <= limit) return
        expect(Math.abs(one - sent)).toBeLessThan(1)
        const similar = given.slice(0, i).filter((other) => other > limit && other * 20 >= one)
        expect(similar.length).toBeGreaterThanOrEqual(2)
      })
    }),
  )
})

test('a sustained rate comes through whatever the speed is said to be', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, Number.NaN, 1, 9600, 1e7, 1e9, 1e11),
      fc.double({ min: 1e6, max: 9e11, noNaN: true }),
      (speed, rate) => {
        const seen = rates(speed, new Array<number>(6).fill(rate))
        expect(seen.slice(2).every((one) => one !== null)).toBe(true)
      },
    ),
  )
})

test('a 32-bit counter that wraps or is reset never gives more than the port can carry', () => {
  const value = fc.bigInt(0n, 2n ** 32n - 1n)
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1e6, 1e7, 1e8),
      fc.array(value, { minLength: 2, maxLength: 20 }),
      (speed, values) => {
        const poll = polled(speed, true)
        for (const octets of values) {
          const { rate } = poll(octets)
          // 2^32 octets in 300 s are 115 Mbit/s
          expect(rate ?? 0).toBeGreaterThanOrEqual(0)
          expect(rate ?? 0).toBeLessThan(1.2e8)
        }
      },
    ),
  )
  const poll = polled(1e8, true)
  expect([2n ** 32n - 1000n, 9000n].map((octets) => poll(octets).rate)).toEqual([null, (10_000 * 8) / 300])
  const slow = polled(1e6, true)
  expect([2n ** 31n, 9000n].map((octets) => slow(octets).reason)).toEqual([null, 'wrap'])
})

test('what is known about ports stays bounded', () => {
  const links = createLinkEvidence()
  for (let port = 0; port < 30_000; port++) links.above(port, 1e9)
  expect(links.size).toBe(20_000)
  for (let port = 0; port < 30_000; port++) for (let n = 0; n < 12; n++) links.within(port)
  expect(links.size).toBe(0)
})
