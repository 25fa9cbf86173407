import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  gapsIn,
  type Layer,
  MAX_RANGE_MS,
  type Override,
  onCallAt,
  type Rotations,
  spansOf,
  UNITS,
  wallMinutes,
} from '../../../src/core/on-call/rotation.ts'

// In 2026 clocks change in Berlin on 29 March (02:00 CET to 03:00 CEST) and 25 October (03:00 CEST to 02:00 CET).

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ms = (iso: string) => Date.parse(iso)

const weekly = (more: Partial<Layer> = {}): Layer => ({
  name: '',
  unit: 'week',
  length: 1,
  begins: '2026-03-16 08:00',
  ends: null,
  days: null,
  fromMinute: 0,
  toMinute: 0,
  people: [1, 2, 3],
  ...more,
})
const rotations = (
  layers: readonly Layer[],
  overrides: readonly Override[] = [],
  zone = 'Europe/Berlin',
): Rotations => ({
  zone,
  layers,
  overrides,
})

/** Spans as `user from to` in UTC. */
const told = (of: Rotations, from: string, to: string) =>
  spansOf(of, ms(from), ms(to)).map(
    ({ userId, fromMs, toMs }) =>
      `${userId} ${new Date(fromMs).toISOString().slice(0, 16)} ${new Date(toMs).toISOString().slice(0, 16)}`,
  )

test('two weeks over the change to summer time: the hand-over stays at 08:00 local time', () => {
  expect(told(rotations([weekly()]), '2026-03-16T07:00:00Z', '2026-04-13T06:00:00Z')).toEqual([
    '1 2026-03-16T07:00 2026-03-23T07:00',
    // 167 hours
    '2 2026-03-23T07:00 2026-03-30T06:00',
    '3 2026-03-30T06:00 2026-04-06T06:00',
    '1 2026-04-06T06:00 2026-04-13T06:00',
  ])
})

test('two weeks over the change from summer time: the turn is an hour longer', () => {
  expect(
    told(rotations([weekly({ begins: '2026-10-19 08:00' })]), '2026-10-19T06:00:00Z', '2026-11-02T07:00:00Z'),
  ).toEqual(['1 2026-10-19T06:00 2026-10-26T07:00', '2 2026-10-26T07:00 2026-11-02T07:00'])
})

test('a hand-over that the clock skips is an hour later, one that it shows twice is at the first', () => {
  const nightly = (begins: string) => rotations([weekly({ unit: 'day', begins, people: [1, 2] })])
  expect(told(nightly('2026-03-28 02:30'), '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([
    '1 2026-03-28T12:00 2026-03-29T01:30',
    '2 2026-03-29T01:30 2026-03-30T00:30',
    '1 2026-03-30T00:30 2026-03-30T12:00',
  ])
  expect(told(nightly('2026-10-24 02:30'), '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
    '1 2026-10-24T12:00 2026-10-25T00:30',
    '2 2026-10-25T00:30 2026-10-26T01:30',
    '1 2026-10-26T01:30 2026-10-26T12:00',
  ])
})

test('shifts of 12 hours stay at 08:00 and 20:00 through both changes', () => {
  const shifts = rotations([weekly({ unit: 'hour', length: 12, begins: '2026-01-01 08:00', people: [1, 2] })])
  for (const [user, at] of [
    [1, '2026-03-28T08:30:00+01:00'],
    [2, '2026-03-28T20:30:00+01:00'],
    [2, '2026-03-29T07:30:00+02:00'],
    [1, '2026-03-29T08:30:00+02:00'],
    [2, '2026-10-25T07:59:00+01:00'],
    [1, '2026-10-25T08:00:00+01:00'],
  ] as const)
    expect(onCallAt(shifts, ms(at))?.userId).toBe(user)
})

test('a layer with own hours counts in them, and the layer beneath it at other times', () => {
  const office = weekly({ days: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 17 * 60, people: [7] })
  expect(told(rotations([weekly({ people: [1] }), office]), '2026-03-27T00:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
    '1 2026-03-27T00:00 2026-03-27T07:00',
    '7 2026-03-27T07:00 2026-03-27T16:00',
    '1 2026-03-27T16:00 2026-03-30T06:00',
    '7 2026-03-30T06:00 2026-03-30T15:00',
    '1 2026-03-30T15:00 2026-03-31T00:00',
  ])
})

test('hours that pass midnight belong to the day on which they begin', () => {
  const night = weekly({ days: [5], fromMinute: 22 * 60, toMinute: 6 * 60, people: [7] })
  expect(told(rotations([night]), '2026-03-16T00:00:00Z', '2026-03-23T00:00:00Z')).toEqual([
    '7 2026-03-20T21:00 2026-03-21T05:00',
  ])
})

test('an override counts above all layers, and the one made last above others', () => {
  const over = (id: number, userId: number | null, from: string, to: string) => ({
    id,
    userId,
    fromMs: ms(from),
    toMs: ms(to),
  })
  const overrides = [
    over(1, 8, '2026-03-17T00:00:00Z', '2026-03-19T00:00:00Z'),
    over(2, 9, '2026-03-18T00:00:00Z', '2026-03-18T12:00:00Z'),
    over(3, null, '2026-03-16T00:00:00Z', '2026-03-30T00:00:00Z'),
  ]
  expect(told(rotations([weekly()], overrides), '2026-03-16T12:00:00Z', '2026-03-20T00:00:00Z')).toEqual([
    '1 2026-03-16T12:00 2026-03-17T00:00',
    '8 2026-03-17T00:00 2026-03-18T00:00',
    '9 2026-03-18T00:00 2026-03-18T12:00',
    '8 2026-03-18T12:00 2026-03-19T00:00',
    '1 2026-03-19T00:00 2026-03-20T00:00',
  ])
})

test('the turn of nobody falls to the layer beneath it, and is a gap if there is none', () => {
  const top = weekly({ people: [1, null] })
  expect(onCallAt(rotations([top]), ms('2026-03-24T12:00:00Z'))).toBeNull()
  expect(onCallAt(rotations([weekly({ people: [5] }), top]), ms('2026-03-24T12:00:00Z'))?.userId).toBe(5)
  expect(
    gapsIn(
      spansOf(rotations([top]), ms('2026-03-16T07:00:00Z'), ms('2026-03-30T06:00:00Z')),
      0,
      ms('2026-03-30T06:00:00Z'),
    ),
  ).toEqual([
    { fromMs: 0, toMs: ms('2026-03-16T07:00:00Z') },
    { fromMs: ms('2026-03-23T07:00:00Z'), toMs: ms('2026-03-30T06:00:00Z') },
  ])
})

test('who is on call is shown with both ends, which are null where they are further away than is worked out', () => {
  const until = weekly({ people: [1, 2], ends: '2026-03-26 10:00' })
  expect(onCallAt(rotations([until]), ms('2026-03-24T12:00:00Z'))).toEqual({
    userId: 2,
    layer: 0,
    override: null,
    sinceMs: ms('2026-03-23T07:00:00Z'),
    untilMs: ms('2026-03-26T09:00:00Z'),
  })
  expect(onCallAt(rotations([until]), ms('2026-03-26T09:00:00Z'))).toBeNull()
  const alone = onCallAt(rotations([weekly({ people: [1], begins: '2020-01-01 00:00' })]), ms('2026-03-24T12:00:00Z'))
  expect(alone).toMatchObject({ sinceMs: null, untilMs: null })
})

test.each([
  '2026-02-29 08:00',
  '2026-13-01 08:00',
  '2026-01-01 24:00',
  '1999-01-01 08:00',
  '',
  'tomorrow',
  '2026-01-01T08:00',
])('there is no local time %p', (text) => expect(wallMinutes(text)).toBeNull())

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'UTC',
  'America/St_Johns',
  'Pacific/Chatham',
  'Africa/Casablanca',
] as const
const minuteOfDay = fc.integer({ min: 0, max: 1439 })
const layers = fc.record({
  name: fc.constant(''),
  unit: fc.constantFrom(...UNITS),
  length: fc.integer({ min: 1, max: 14 }),
  begins: fc
    .integer({ min: 0, max: 500 * 1440 })
    .map((minutes) =>
      new Date(ms('2025-06-01T00:00:00Z') + minutes * 60_000).toISOString().slice(0, 16).replace('T', ' '),
    ),
  ends: fc.constantFrom(null, '2026-10-25 02:30', '2026-05-01 00:00'),
  days: fc.oneof(fc.constant(null), fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })),
  fromMinute: minuteOfDay,
  toMinute: minuteOfDay,
  people: fc.array(fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.constant(null)), {
    maxLength: 5,
  }),
})
// around both changes of 2026, and anywhere else
const instants = fc.oneof(
  fc.integer({ min: ms('2026-03-28T00:00:00Z'), max: ms('2026-03-31T00:00:00Z') }),
  fc.integer({ min: ms('2026-10-23T00:00:00Z'), max: ms('2026-11-02T00:00:00Z') }),
  fc.integer({ min: ms('2025-05-01T00:00:00Z'), max: ms('2027-01-01T00:00:00Z') }),
)
const overrides = fc.array(
  fc
    .tuple(instants, fc.integer({ min: 1, max: 20 * DAY }), fc.integer({ min: 10, max: 19 }))
    .map(([fromMs, lasts, userId]) => ({ fromMs, toMs: fromMs + lasts, userId })),
  { maxLength: 4 },
)
const anyRotations: fc.Arbitrary<Rotations> = fc.record({
  zone: fc.constantFrom(...ZONES),
  layers: fc.array(layers, { maxLength: 3 }),
  overrides: overrides.map((list) => list.map((one, id) => ({ ...one, id }))),
})

/** The definition, by another calendar (Temporal), asking at one instant. */
function byDefinition({ zone, layers: all, overrides: over }: Rotations, atMs: number): number | null {
  const override = over.findLast(({ fromMs, toMs, userId }) => userId !== null && fromMs <= atMs && atMs < toMs)
  if (override !== undefined) return override.userId
  const instant = (wall: Temporal.PlainDateTime) => wall.toZonedDateTime(zone).epochMilliseconds
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate()
  for (const { unit, length, begins, ends, days, fromMinute, toMinute, people } of all.toReversed()) {
    const first = Temporal.PlainDateTime.from(begins.replace(' ', 'T'))
    if (people.length === 0 || instant(first) > atMs) continue
    if (ends !== null && instant(Temporal.PlainDateTime.from(ends.replace(' ', 'T'))) <= atMs) continue
    const isWithin = [-2, -1, 0, 1].some((offset) => {
      const day = today.add({ days: offset })
      if (days !== null && !days.includes(day.dayOfWeek)) return false
      const opens = day.toPlainDateTime().add({ minutes: fromMinute })
      const closes = opens.add({
        minutes: toMinute > fromMinute ? toMinute - fromMinute : 1440 + toMinute - fromMinute,
      })
      return instant(opens) <= atMs && atMs < instant(closes)
    })
    if (!isWithin && !(days === null && fromMinute === toMinute)) continue
    let turn = 0
    // the last hand-over that is not later
    const beginOf = (n: number) => instant(first.add({ hours: n * length * { hour: 1, day: 24, week: 168 }[unit] }))
    const about = Math.floor((atMs - instant(first)) / (length * { hour: 1, day: 24, week: 168 }[unit] * HOUR))
    for (let n = Math.max(0, about - 3); n <= about + 3; n++) if (beginOf(n) <= atMs) turn = n
    const person = people[turn % people.length] ?? null
    if (person !== null) return person
  }
  return null
}

test('at any instant the person on call is the one that the definition gives, in any zone and through both changes', () => {
  fc.assert(
    fc.property(anyRotations, instants, (of, atMs) => {
      expect(spansOf(of, atMs, atMs + 1)[0]?.userId ?? null).toBe(byDefinition(of, atMs))
    }),
    { numRuns: 1500 },
  )
})

test('spans are in order, apart, within the range, and say the same as every instant in them', () => {
  fc.assert(
    fc.property(
      anyRotations,
      instants,
      fc.integer({ min: 1, max: 30 * DAY }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (of, fromMs, lasts, part) => {
        const spans = spansOf(of, fromMs, fromMs + lasts)
        for (const [i, { fromMs: begin, toMs: end }] of spans.entries()) {
          expect(begin).toBeLessThan(end)
          expect(begin).toBeGreaterThanOrEqual(spans[i - 1]?.toMs ?? fromMs)
          expect(end).toBeLessThanOrEqual(fromMs + lasts)
        }
        const atMs = fromMs + Math.floor(part * (lasts - 1))
        const here = spans.find((span) => span.fromMs <= atMs && atMs < span.toMs)
        expect(here?.userId ?? null).toBe(byDefinition(of, atMs))
      },
    ),
    { numRuns: 300 },
  )
})

test('a range is worked out up to its limit, and what is no range is empty', () => {
  const hourly = rotations([weekly({ unit: 'hour', people: [1, 2] })])
  const spans = spansOf(hourly, ms('2026-04-01T00:00:00Z'), ms('2126-04-01T00:00:00Z'))
  expect(spans.length).toBe(2400)
  expect(spans.at(-1)?.toMs).toBe(ms('2026-04-01T00:00:00Z') + MAX_RANGE_MS)
  for (const [from, to] of [
    [5, 5],
    [5, 4],
    [Number.NaN, 5],
    [5, Number.NaN],
    [Number.NEGATIVE_INFINITY, 5],
  ] as const)
    expect(spansOf(hourly, from, to)).toEqual([])
  for (const length of [0, -1, Number.NaN, 1e300])
    expect(
      spansOf(rotations([weekly({ length })]), ms('2026-04-01T00:00:00Z'), ms('2026-05-01T00:00:00Z')).length,
    ).toBeLessThan(2)
})
