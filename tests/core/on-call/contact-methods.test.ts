import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DomainError } from '../../../src/core/base/errors.ts'
import { checkedContactMethods, type QuietDraft, quietDays } from '../../../src/core/on-call/check.ts'
import {
  type ContactMethod,
  contactMethodsFor,
  isOpen,
  LETS,
  type QuietHours,
  SEVERITIES,
} from '../../../src/core/on-call/contact-methods.ts'

const at = (iso: string) => Date.parse(iso)
const night: QuietHours = { days: null, fromMinute: 22 * 60, toMinute: 7 * 60, lets: 'critical' }
const method = (transportId: number, attempt: number, ...quiet: readonly QuietHours[]): ContactMethod => ({
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
  expect(isOpen(method(1, 1, night), at(when), severity)).toBe(open)
})

test('quiet hours with equal ends are always, and nothing gets through if nothing may', () => {
  const always: QuietHours = { days: null, fromMinute: 480, toMinute: 480, lets: 'nothing' }
  for (const severity of SEVERITIES)
    expect(isOpen(method(1, 1, always), at('2026-07-01T08:00:00+02:00'), severity)).toBe(false)
})

test('the first time by the first methods, later by more, and by the next ones if those are quiet', () => {
  const methods = [method(3, 2), method(1, 1, night), method(2, 1, night), method(4, 3)]
  const ids = (when: string, attempt?: number) =>
    contactMethodsFor(methods, at(when), 'warning', attempt).map(({ transportId }) => transportId)
  const [day, dark] = ['2026-07-01T12:00:00Z', '2026-07-01T23:00:00Z']
  expect(ids(day, 1)).toEqual([1, 2])
  expect(ids(day, 2)).toEqual([1, 2, 3])
  expect(ids(day)).toEqual([1, 2, 3, 4])
  expect(ids(dark, 1)).toEqual([3])
  expect(ids(dark, 3)).toEqual([3, 4])
  for (const attempt of [0, -1, Number.NaN]) expect(ids(day, attempt)).toEqual([1, 2])
  expect(ids(day, 1e300)).toEqual([1, 2, 3, 4])
})

const quiets = fc.array(
  fc.record({
    days: fc.oneof(fc.constant(null), fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1, maxLength: 6 })),
    fromMinute: fc.integer({ min: 0, max: 1439 }),
    toMinute: fc.integer({ min: 0, max: 1439 }),
    lets: fc.constantFrom(...LETS),
  }),
  { maxLength: 4 },
)
const persons = fc
  .array(fc.record({ attempt: fc.integer({ min: 1, max: 9 }), quiet: quiets }), { maxLength: 8 })
  .map((list) => list.map(({ attempt, quiet }, i) => method(i + 1, attempt, ...quiet)))

test('anyone with an open contact method is notified; neither a more severe problem nor a later attempt uses fewer methods', () => {
  fc.assert(
    fc.property(
      persons,
      fc.integer({ min: 0, max: 2e12 }),
      fc.integer({ min: 1, max: 10 }),
      (methods, atMs, attempt) => {
        for (const severity of SEVERITIES) {
          const open = methods.filter((one) => isOpen(one, atMs, severity))
          const used = contactMethodsFor(methods, atMs, severity, attempt)
          expect(used.length > 0).toBe(open.length > 0)
          expect(used.every((one) => open.includes(one))).toBe(true)
          const later = new Set(contactMethodsFor(methods, atMs, severity, attempt + 1))
          expect(used.every((one) => later.has(one))).toBe(true)
          if (severity === 'critical') continue
          const graver = new Set(contactMethodsFor(methods, atMs, 'critical'))
          expect(open.every((one) => graver.has(one))).toBe(true)
        }
      },
    ),
  )
})

const MINUTE = 60_000
/** Minutes of a span in which a warning is not sent. */
const quietMinutes = (from: string, to: string, ...quiet: readonly QuietHours[]) => {
  let minutes = 0
  for (let ms = at(from); ms < at(to); ms += MINUTE) if (!isOpen(method(1, 1, ...quiet), ms, 'warning')) minutes++
  return minutes
}

test('the strictest of overlapping quiet hours counts', () => {
  const lunch: QuietHours = { days: null, fromMinute: 720, toMinute: 780, lets: 'warning' }
  const noon: QuietHours = { days: null, fromMinute: 750, toMinute: 840, lets: 'nothing' }
  const open = (time: string, severity: string) =>
    isOpen(method(1, 1, lunch, noon), at(`2026-07-01T${time}:00+02:00`), severity)
  expect(
    ['12:10', '12:40', '13:30', '14:00'].map((time) => SEVERITIES.map((severity) => open(time, severity))),
  ).toEqual([
    [false, true, true],
    [false, false, false],
    [false, false, false],
    [true, true, true],
  ])
})

test('hours of weekdays belong to the day on which they begin', () => {
  // from Friday 22:00 and from Saturday 22:00
  const weekend: QuietHours = { ...night, days: [5, 6] }
  const open = (when: string) => isOpen(method(1, 1, weekend), at(when), 'warning')
  expect(open('2026-07-03T06:00:00+02:00')).toBe(true)
  expect(open('2026-07-03T23:00:00+02:00')).toBe(false)
  expect(open('2026-07-05T06:00:00+02:00')).toBe(false)
  expect(open('2026-07-05T23:00:00+02:00')).toBe(true)
  // a whole day from Sunday 12:00
  const sunday: QuietHours = { days: [7], fromMinute: 720, toMinute: 720, lets: 'nothing' }
  expect(quietMinutes('2026-07-04T00:00:00+02:00', '2026-07-08T00:00:00+02:00', sunday)).toBe(1440)
})

test('when the clocks change, quiet hours are those of the clock', () => {
  const [spring, autumn] = [
    ['2026-03-28T12:00:00+01:00', '2026-03-29T12:00:00+02:00'],
    ['2026-10-24T12:00:00+02:00', '2026-10-25T12:00:00+01:00'],
  ] as const
  // 22:00 to 07:00 lasts eight or ten hours
  expect(quietMinutes(...spring, night)).toBe(8 * 60)
  expect(quietMinutes(...autumn, night)).toBe(10 * 60)
  // 02:00 to 03:00 is skipped, or is there twice
  const two: QuietHours = { days: null, fromMinute: 120, toMinute: 180, lets: 'critical' }
  expect(quietMinutes(...spring, two)).toBe(0)
  expect(quietMinutes(...autumn, two)).toBe(120)
  // an end within the skipped hour, and one that comes twice
  const half: QuietHours = { days: [7], fromMinute: 60, toMinute: 150, lets: 'critical' }
  expect(quietMinutes(...spring, half)).toBe(60)
  expect(quietMinutes(...autumn, half)).toBe(60 + 30 + 30)
})

const draft = (quiet: Partial<QuietDraft>[]) =>
  checkedContactMethods([
    {
      transportId: 1,
      attempt: 1,
      quiet: quiet.map((one) => ({ days: null, from: '1:00', to: '2:00', lets: 'ok', ...one })),
    },
  ])

test.each([
  ['1-5', [1, 2, 3, 4, 5]],
  ['6-1', [1, 6, 7]],
  [' 7 , 1-2,2', [1, 2, 7]],
  ['1-7', null],
  ['', null],
])('weekdays %p are %p, and are shown as they can be entered', (text, days) => {
  const [quiet] = draft([{ days: text }])[0]?.quiet ?? []
  expect(quiet?.days).toEqual(days)
  if (quiet !== undefined) expect(draft([{ days: quietDays(quiet) }])[0]?.quiet[0]?.days).toEqual(days)
})

test.each([
  [[{ days: '0' }]],
  [[{ days: '8' }]],
  [[{ days: 'Mo' }]],
  [[{ days: '1-' }]],
  [[{ days: ','.repeat(1000) }]],
  [[{ days: [] }]],
  [[{ days: [1.5] }]],
  [[{ days: [Number.NaN] }]],
  [[{ from: '24:00' }]],
  [[{ to: '' }]],
  [[{ lets: 'all' }]],
  [[{}, {}]],
  [[{ days: '1-7' }, { lets: 'nothing' }]],
  [Array.from({ length: 11 }, (_, i) => ({ from: `${i}:00` }))],
])('quiet hours %j are refused', (quiet) => {
  expect(() => draft(quiet)).toThrow(DomainError)
})

test('ten quiet hours that overlap are taken', () => {
  expect(draft(Array.from({ length: 10 }, (_, i) => ({ from: `${i}:00`, to: '23:00' })))[0]?.quiet.length).toBe(10)
})
