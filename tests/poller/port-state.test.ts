import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PORT_COUNTER_COUNT } from '../../src/lib/port-counters.ts'
import { alignState } from '../../src/poller/memory/port-state.ts'
import type { PortCounters } from '../../src/series/samples.ts'

function stateOf(ids: readonly number[]): PortCounters {
  const rows = ids.length
  const counters = new BigUint64Array(rows * PORT_COUNTER_COUNT)
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < PORT_COUNTER_COUNT; c++) counters[c * rows + r] = BigInt((ids[r] as number) * 100 + c)
  }
  return {
    deviceId: 1,
    time: 5,
    portId: Int32Array.from(ids),
    ticks: Uint32Array.from(ids, (id) => id * 7),
    present: Uint32Array.from(ids, () => 0xfff),
    counters,
  }
}

test('a state in the same order is returned unchanged', () => {
  const state = stateOf([3, 1, 2])
  expect(alignState(state, Int32Array.from([3, 1, 2]))).toBe(state)
})

test('every port keeps its own counters and ticks in any order; new ports have none', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 })
  fc.assert(
    fc.property(ids, ids, (before, after) => {
      const aligned = alignState(stateOf(before), Int32Array.from(after))
      for (const [r, id] of after.entries()) {
        const known = before.includes(id)
        expect(aligned.present[r]).toBe(known ? 0xfff : 0)
        expect(aligned.ticks[r]).toBe(known ? id * 7 : 0)
        for (let c = 0; c < PORT_COUNTER_COUNT; c++) {
          expect(aligned.counters[c * after.length + r]).toBe(known ? BigInt(id * 100 + c) : 0n)
        }
      }
    }),
  )
})
