import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createStepFinder } from '../../src/observe/clock.ts'

const DAY_S = 86_400

/** What happens between two looks: seconds that pass, and seconds by which the clock is set. */
const histories = fc.array(
  fc.record({
    passes: fc.double({ min: 0.5, max: 3600, noNaN: true }),
    step: fc.oneof(
      fc.constant(0),
      fc.double({ min: -4.9, max: 4.9, noNaN: true }),
      fc.integer({ min: -400 * DAY_S, max: 400 * DAY_S }).filter((s) => Math.abs(s) >= 6),
    ),
  }),
  { maxLength: 50 },
)

test('exactly the steps that no time service makes slowly are found, in any history', () => {
  fc.assert(
    fc.property(histories, (history) => {
      let steady = 0
      let wall = 1_700_000_000_000
      const finder = createStepFinder({ wall: () => wall, steady: () => steady })
      for (const { passes, step } of history) {
        steady += passes * 1000
        wall += (passes + step) * 1000
        const found = finder.step()
        expect(found?.byS ?? 0).toBe(Math.abs(step) < 5 ? 0 : step)
        if (found !== null) expect(found.at).toBe(wall)
        if (found !== null && Math.abs(step) >= 600) expect(finder.settled()).toBe(false)
      }
      steady += 3_600_000
      expect(finder.settled()).toBe(true)
    }),
  )
})

test('a step back is a correction only of what was set forward before', () => {
  let steady = 0
  let offset = 0
  const finder = createStepFinder({ wall: () => steady + offset, steady: () => steady })
  const step = (seconds: number) => {
    steady += 1000
    offset += seconds * 1000
    return finder.step()?.undone
  }
  expect(step(-3600)).toBe(false)
  expect(step(3600)).toBe(false)
  expect(step(3600)).toBe(false)
  expect(step(-3600)).toBe(true)
  expect(step(-3600)).toBe(false)
})
