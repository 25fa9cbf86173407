import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isOpen, LETS, type QuietHours, SEVERITIES, type Way, waysFor } from '../../../src/core/on-call/ways.ts'

const at = (iso: string) => Date.parse(iso)
const night: QuietHours = { fromMinute: 22 * 60, toMinute: 7 * 60, lets: 'critical' }
const way = (transportId: number, attempt: number, quiet: QuietHours | null = null): Way => ({
  ...{ transportId, transport: `t${transportId}`, attempt, zone: 'Europe/Berlin', quiet },
})

test.each([
  ['warning', '2026-07-01T22:00:00+02:00', false],
  ['warning', '2026-07-01T21:59:59+02:00', true],
  ['warning', '2026-07-02T06:59:59+02:00', false],
  ['warning', '2026-07-02T07:00:00+02:00', true],
  ['ok', '2026-07-02T03:00:00+02:00', false],
  ['critical', '2026-07-02T03:00:00+02:00', true],
  // not a severity that rules have: rather told than not
  ['', '2026-07-02T03:00:00+02:00', true],
  // in winter the same hours of the clock
  ['warning', '2026-12-01T21:30:00+01:00', true],
  ['warning', '2026-12-01T22:00:00+01:00', false],
])('quiet from 22:00 to 07:00 for less than critical: %s at %s', (severity, when, open) => {
  expect(isOpen(way(1, 1, night), at(when), severity)).toBe(open)
})

test('quiet hours with equal ends are always, and nothing gets through if nothing may', () => {
  const always: QuietHours = { fromMinute: 480, toMinute: 480, lets: 'nothing' }
  for (const severity of SEVERITIES)
    expect(isOpen(way(1, 1, always), at('2026-07-01T08:00:00+02:00'), severity)).toBe(false)
})

test('the first time by the first ways, later by more, and by the next ones if those are quiet', () => {
  const ways = [way(3, 2), way(1, 1, night), way(2, 1, night), way(4, 3)]
  const ids = (when: string, attempt?: number) =>
    waysFor(ways, at(when), 'warning', attempt).map(({ transportId }) => transportId)
  const [day, dark] = ['2026-07-01T12:00:00Z', '2026-07-01T23:00:00Z']
  expect(ids(day, 1)).toEqual([1, 2])
  expect(ids(day, 2)).toEqual([1, 2, 3])
  expect(ids(day)).toEqual([1, 2, 3, 4])
  expect(ids(dark, 1)).toEqual([3])
  expect(ids(dark, 3)).toEqual([3, 4])
  for (const attempt of [0, -1, Number.NaN]) expect(ids(day, attempt)).toEqual([1, 2])
  expect(ids(day, 1e300)).toEqual([1, 2, 3, 4])
})

const quiets = fc.oneof(
  fc.constant(null),
  fc.record({
    fromMinute: fc.integer({ min: 0, max: 1439 }),
    toMinute: fc.integer({ min: 0, max: 1439 }),
    lets: fc.constantFrom(...LETS),
  }),
)
const persons = fc
  .array(fc.record({ attempt: fc.integer({ min: 1, max: 9 }), quiet: quiets }), { maxLength: 8 })
  .map((list) => list.map(({ attempt, quiet }, i) => way(i + 1, attempt, quiet)))

test('whoever has a way that is open is told, a more severe problem by no fewer ways, and a later attempt by no fewer', () => {
  fc.assert(
    fc.property(persons, fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 1, max: 10 }), (ways, atMs, attempt) => {
      for (const severity of SEVERITIES) {
        const open = ways.filter((one) => isOpen(one, atMs, severity))
        const used = waysFor(ways, atMs, severity, attempt)
        expect(used.length > 0).toBe(open.length > 0)
        expect(used.every((one) => open.includes(one))).toBe(true)
        const later = new Set(waysFor(ways, atMs, severity, attempt + 1))
        expect(used.every((one) => later.has(one))).toBe(true)
        if (severity === 'critical') continue
        const graver = new Set(waysFor(ways, atMs, 'critical'))
        expect(open.every((one) => graver.has(one))).toBe(true)
      }
    }),
  )
})
