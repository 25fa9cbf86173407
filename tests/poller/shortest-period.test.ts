import { expect, test } from 'bun:test'
import { isTooClose, shortestOf, shortestPeriodMs } from '../../src/poller/memory/shortest-period.ts'

test.each([
  // by our clock, by the agent's, ms
  [999, null, true],
  [1000, null, false],
  [0, null, true],
  [-1, null, false],
  [200, 60_000, false],
  [200, 210, true],
  [60_000, 0, false],
  [60_000, 500, false],
  [200, -5000, false],
  [Number.NaN, null, false],
  [Number.POSITIVE_INFINITY, null, false],
])('readings %d ms apart, by the agent %p', (elapsed, byAgent, close) => {
  expect(isTooClose(elapsed, byAgent, 1000)).toBe(close)
})

test('a quarter of a second, or half of a shorter interval', () => {
  expect([300_000, 60_000, 2000, 400, 0].map(shortestPeriodMs)).toEqual([250, 250, 250, 200, 0])
})

test.each([
  [[], [], null],
  [[0, 100], [130, 0], null],
  [[100, 101, 0], [125, 122, 400], 210],
  [[100, 5000], [130, 20], -49_800],
  [[100], [100], 0],
])('ports read at %p and at %p hundredths', (before, now, shortest) => {
  expect(shortestOf(Uint32Array.from(before), Uint32Array.from(now))).toBe(shortest)
})
