import { expect, test } from 'bun:test'
import { rfc2822 } from '../../../src/core/alerts/rfc2822.ts'
import { durationS } from '../../../src/core/alerts/rules/duration.ts'

test.each([
  ['90', 90],
  [90, 90],
  ['5 m', 300],
  ['11m', 660],
  ['1h', 3600],
  ['2 d', 172_800],
  ['10s', 10],
  ['1h and more', 3600],
  ['', 0],
  [null, 0],
  [undefined, 0],
  ['soon', 300],
  ['99999999999999999999d', 315_360_000],
])('duration %p is %p seconds', (text, seconds) => {
  expect(durationS(text)).toBe(seconds)
})

test('an RFC 2822 date parses back to the same time', () => {
  const at = new Date('2026-08-01T10:20:30Z')
  expect(rfc2822(at)).toMatch(/^Sat, 01 Aug 2026 \d\d:\d\d:30 [+-]\d{4}$/)
  expect(new Date(rfc2822(at)).getTime()).toBe(at.getTime())
})
