import { expect, test } from 'bun:test'
import { spansOf, UNITS } from '../../../src/core/on-call/rotation.ts'
import { timeTicks } from '../../../src/lib/time-axis.ts'
import { zoneClock } from '../../../src/lib/zone-clock.ts'

// Around every kind of change that clocks have made: by one hour, half an hour and two hours, at midnight, and by a day.

const CHANGES: readonly (readonly [zone: string, at: string])[] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['Antarctica/Troll', '2026-03-29'],
  ['Antarctica/Troll', '2026-10-25'],
  ['Africa/Cairo', '2026-04-24'],
  ['Africa/Cairo', '2026-10-29'],
  ['America/Santiago', '2026-09-06'],
  ['America/Havana', '2026-11-01'],
  ['Pacific/Chatham', '2026-04-04'],
]
/** A day that was left out; nobody is on call in 2011 any more. */
const PAST = [['Pacific/Apia', '2011-12-30']] as const
const DAY_MS = 86_400_000
const HOURS = [
  [0, 0],
  [90, 150],
  [1320, 120],
  [30, 1410],
] as const

test.each(CHANGES)('somebody is on call, and one person at a time, in %s around %s', (zone, at) => {
  const around = Date.parse(`${at}T00:00:00Z`)
  const [fromMs, toMs] = [around - 2 * DAY_MS, around + 3 * DAY_MS]
  for (const unit of UNITS)
    for (const length of [1, 2, 3])
      for (const minute of ['00', '30', '45'])
        for (const [fromMinute, toMinute] of HOURS) {
          const layer = { name: '', unit, length, begins: `2010-01-04 0${length}:${minute}`, ends: null, days: null }
          const rotations = { zone, overrides: [], layers: [{ ...layer, fromMinute, toMinute, people: [1, 2, 3] }] }
          const spans = spansOf(rotations, fromMs, toMs)
          let before = fromMs
          for (const span of spans) {
            if (fromMinute === toMinute) expect(span.fromMs).toBe(before)
            expect(span.fromMs).toBeGreaterThanOrEqual(before)
            expect(span.toMs).toBeGreaterThan(span.fromMs)
            before = span.toMs
            // the same whoever asks, and from wherever
            const middle = Math.floor((span.fromMs + span.toMs) / 2)
            expect(spansOf(rotations, middle, middle + 1)[0]?.userId).toBe(span.userId)
          }
          if (fromMinute === toMinute) expect(before).toBe(toMs)
        }
})

test.each([...CHANGES, ...PAST])('marks of an axis are in order, each once, in %s around %s', (zone, at) => {
  const around = Date.parse(`${at}T00:00:00Z`) / 1000
  for (const [fromS, toS] of [
    [around - 21_600, around + 108_000],
    [around - 86_400, around + 172_800],
    [around - 1_728_000, around + 1_728_000],
  ] as const)
    for (const width of [300, 800, 2000]) {
      const { major, minor } = timeTicks(fromS, toS, width, () => 20, undefined, zoneClock(zone))
      for (const marks of [major.map(({ timeS }) => timeS), minor])
        expect(marks).toEqual([...new Set(marks)].toSorted((a, b) => a - b))
    }
})
