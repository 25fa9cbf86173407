import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { CompressedValue } from '../../src/lib/compressed-value.ts'
import { createDictionaries } from '../../src/lib/dictionaries.ts'

const rows = (device: number) =>
  new Map([
    ['ports', Array.from({ length: 48 }, (_, i) => ({ ifIndex: i, ifName: `Gi1/0/${i}`, mac: device * 100 + i }))],
  ])

test('a packed value is the same with and without a dictionary', () => {
  const value = fc.oneof(fc.string(), fc.array(fc.record({ a: fc.integer(), b: fc.string() })), fc.constant(null))
  fc.assert(
    fc.property(value, fc.option(fc.uint8Array({ maxLength: 200 }), { nil: null }), (any, dictionary) => {
      const packed = new CompressedValue(any, { dictionary: () => dictionary })
      expect(packed.value()).toEqual(any)
      expect(packed.equals(new CompressedValue(any))).toBe(true)
      expect(packed.equals(new CompressedValue<typeof any>('another one'))).toBe(any === 'another one')
    }),
  )
})

test('the rows of one of many similar devices are the dictionary for the others', () => {
  const dictionaries = createDictionaries()
  const pack = (device: number, family: string) =>
    new CompressedValue(rows(device), { dictionary: (octets) => dictionaries(family, octets) })
  const first = pack(0, 'a')
  const packed = Array.from({ length: 100 }, (_, i) => pack(i, 'a'))
  for (const [i, one] of packed.entries()) expect(one.value()).toEqual(rows(i))
  expect(packed.at(-1)?.size).toBeLessThan(first.size / 2)
  // another family first needs enough values of its own
  expect(pack(1, 'b').size).toBeGreaterThan(first.size / 2)
})
