import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compareOid, encodeOid, formatOid, isUnder, parseOid } from '../src/oid.ts'

const arcs = fc
  .tuple(
    fc.oneof(fc.tuple(fc.constantFrom(0, 1), fc.nat(39)), fc.tuple(fc.constant(2), fc.nat(0xffff_ffff))),
    fc.array(fc.nat(0xffff_ffff), { maxLength: 40 }),
  )
  .map(([root, rest]) => [...root, ...rest])

describe('OIDs', () => {
  test.each([
    ['1.3.6.1.2.1', '2b06010201'],
    ['.1.3.6.1.4.1.9', '2b0601040109'],
    ['2.999.3', '883703'],
    ['0.0', '00'],
    ['1.3.4294967295', '2b8fffffff7f'],
  ])('%s is encoded as in X.690 §8.19', (text, hex) => {
    expect(encodeOid(text).toHex()).toBe(hex)
    expect(formatOid(Uint8Array.fromHex(hex))).toBe(text.replace(/^\./, ''))
  })

  test.each(['', '1', '1.', '.', '1..3', '1.40', '3.1', '1.3.4294967296', '1.3.x', '-1.3', '1.3 '])(
    '%p is not an OID',
    (text) => {
      expect(parseOid(text)).toBeNull()
    },
  )

  test('text and octets agree for every OID', () => {
    fc.assert(
      fc.property(arcs, (list) => {
        const text = list.join('.')
        expect(formatOid(encodeOid(text))).toBe(text)
      }),
    )
  })

  test('octets compare in the order of sub-identifiers', () => {
    fc.assert(
      fc.property(arcs, arcs, (a, b) => {
        const [x, y] = [encodeOid(a.join('.')), encodeOid(b.join('.'))]
        expect(Math.sign(compareOid(x, 0, x.length, y, 0, y.length))).toBe(Math.sign(compareArcs(a, b)))
      }),
    )
  })

  test('order where the number of octets changes', () => {
    const [a, b] = [encodeOid('1.3.16383'), encodeOid('1.3.16384')]
    expect(compareOid(a, 0, a.length, b, 0, b.length)).toBeLessThan(0)
  })

  test('an OID is under its prefix, and a longer sub-identifier is not', () => {
    const root = encodeOid('1.3.6.1.2.1.2.2.1.1')
    const under = encodeOid('1.3.6.1.2.1.2.2.1.1.300')
    expect(isUnder(root, under, 0, under.length)).toBe(true)
    const beside = encodeOid('1.3.6.1.2.1.2.2.1.10')
    expect(isUnder(root, beside, 0, beside.length)).toBe(false)
  })
})

function compareArcs(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
