import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createSharedNumbers } from '../../src/lib/intern-numbers.ts'

test('columns with the same numbers become one, others stay unchanged', () => {
  const shared = createSharedNumbers<Int32Array>()
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 3 })), (columns) => {
      for (const numbers of columns) {
        const one = shared(Int32Array.from(numbers))
        expect([...one]).toEqual(numbers)
        // a view into other memory
        const other = new Int32Array([7, ...numbers, 7]).subarray(1, 1 + numbers.length)
        expect(shared(other)).toBe(one)
      }
    }),
  )
})
