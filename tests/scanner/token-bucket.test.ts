import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { TokenBucket } from '../../src/scanner/token-bucket.ts'

/** Times at which a bucket gives tokens to somebody who asks at all these times, as often as it gives. */
function taken(rate: number, steps: readonly number[]): number[] {
  let now = 0
  const bucket = new TokenBucket(rate, now)
  const times: number[] = []
  for (const step of steps) {
    now += step
    while (bucket.take(now)) times.push(now)
  }
  return times
}

test('in no second more is taken than the rate, however it is asked', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20_000 }),
      fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { maxLength: 60 }),
      (rate, steps) => {
        const times = taken(rate, steps)
        let from = 0
        for (let to = 0; to < times.length; to++) {
          while ((times[to] ?? 0) - (times[from] ?? 0) >= 1000) from++
          expect(to - from + 1).toBeLessThanOrEqual(rate)
        }
      },
    ),
  )
})

test('asked all the time, a bucket gives nine tenths of the rate or more', () => {
  for (const rate of [1, 7, 50, 500, 20_000]) {
    const given = taken(rate, new Array<number>(60_000).fill(1)).length
    expect(given).toBeGreaterThanOrEqual(rate * 60 * 0.9 - 1)
  }
})
