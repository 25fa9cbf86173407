import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { claimsOf, type LinkClaims, MAX_LINK_ALERTS, tokenOf } from '../../../src/core/alerts/links/token.ts'

const key = new Uint8Array(32).fill(7)
const other = new Uint8Array(32).fill(8)
const id = fc.integer({ min: 1, max: 2_147_483_647 })
const claims: fc.Arbitrary<LinkClaims> = fc.record({
  notificationId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  alertIds: fc
    .uniqueArray(id, { minLength: 1, maxLength: MAX_LINK_ALERTS })
    .map((ids) => ids.toSorted((a, b) => a - b)),
  atS: fc.integer({ min: 0, max: 5e9 }),
  expiresS: fc.integer({ min: 5e9, max: 6e9 }),
  transportId: id,
  userId: fc.option(id),
})

test('what was signed is read back, and by no other key', () => {
  fc.assert(
    fc.property(claims, (made) => {
      const text = tokenOf(made, key) ?? ''
      expect(text).toMatch(/^[\w-]+$/)
      expect(claimsOf(text, key)).toEqual(made)
      expect(claimsOf(text, other)).toBeNull()
    }),
  )
})

test('a text that was changed in any place is refused', () => {
  fc.assert(
    fc.property(claims, fc.nat(), fc.constantFrom('A', 'b', '0', '-', '_', '', '=', '.', '%'), (made, at, by) => {
      const text = tokenOf(made, key) ?? ''
      const place = at % text.length
      const changed = `${text.slice(0, place)}${by}${text.slice(place + 1)}`
      if (changed !== text) expect(claimsOf(changed, key)).toBeNull()
    }),
  )
})

test('any text is refused without an error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.base64String({ maxLength: 600 })), (text) => {
      expect(claimsOf(text, key)).toBeNull()
    }),
  )
})

test('a link of one alert is short; one without alerts, with too many or with other numbers is not made', () => {
  const one = {
    notificationId: 12_345,
    alertIds: [987],
    atS: 1_795_000_000,
    expiresS: 1_795_086_400,
    transportId: 3,
    userId: 4,
  }
  expect(tokenOf(one, key)?.length).toBeLessThan(60)
  for (const alertIds of [[], [0], [-1], [1.5], [Number.NaN], Array.from({ length: 21 }, (_, i) => i + 1)])
    expect(tokenOf({ ...one, alertIds }, key)).toBeNull()
  expect(tokenOf({ ...one, expiresS: 1 }, key)).toBeNull()
  expect(tokenOf({ ...one, notificationId: 1e300 }, key)).toBeNull()
})
