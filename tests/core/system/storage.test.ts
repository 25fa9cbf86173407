import { describe, expect, test } from 'bun:test'
import type { SeriesTable } from '../../../src/core/series/read-status.ts'
import {
  type DiskSpace,
  diskWarning,
  forecastFull,
  growthPerDay,
  keepCost,
  packingState,
  type SizeNote,
  storedForms,
} from '../../../src/core/system/storage.ts'
import { diskText, growthText, packingText } from '../../../src/core/system/storage-text.ts'
import { type Rng, rng } from '../../random/rng.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 20)
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed + 1)

const note = (daysAgo: number, octets: number, settled = true): SizeNote => ({
  at: new Date(NOW - daysAgo * DAY),
  octets,
  settled,
})
/** Daily notes of a database that grows by `growth(r)` each day, an hour more or less apart. */
function notesOf(r: Rng, days: number, growth: (r: Rng) => number, start = 1e9): SizeNote[] {
  let octets = start
  return Array.from({ length: days }, (_, i) => {
    octets += growth(r)
    return note(days - 1 - i + (r.next() - 0.5) / 12, octets)
  })
}

describe('growth of the database', () => {
  test('is not known from nothing, one note, or notes of the same day', () => {
    expect(growthPerDay([], NOW)).toBeNull()
    expect(growthPerDay([note(1, 1e9)], NOW)).toBeNull()
    expect(growthPerDay([note(0.3, 1e9), note(0, 2e9)], NOW)).toBeNull()
  })

  test('is not known from notes whose growth still will be packed, or that are old', () => {
    expect(growthPerDay([note(2, 1e9, false), note(1, 2e9)], NOW)).toBeNull()
    expect(growthPerDay([note(30, 1e9), note(29, 2e9)], NOW)).toBeNull()
    expect(growthPerDay([note(1, Number.NaN), note(0, 2e9)], NOW)).toBeNull()
  })

  test('of a constant size is 0; of a steady one it is exact, whether it grows or shrinks', () => {
    expect(growthPerDay([note(3, 5e9), note(2, 5e9), note(1, 5e9)], NOW)).toBe(0)
    for (const each of [1, -1, 1e6, -1e6, 1e12]) {
      const notes = [4, 3, 2, 1, 0].map((ago) => note(ago, 1e13 - ago * each))
      expect(growthPerDay(notes, NOW)).toBeCloseTo(each, 0)
    }
  })

  test('lies between the least and the most growth of any two notes, whatever their order', () => {
    for (const seed of SEEDS) {
      const r = rng(seed)
      const notes = notesOf(r, 2 + r.below(7), (x) => (x.next() - 0.3) * 1e9, 1e13)
      const found = growthPerDay(notes, NOW)
      const slopes = notes.flatMap((a) =>
        notes
          .filter((b) => b.at.getTime() - a.at.getTime() > DAY / 2)
          .map((b) => ((b.octets - a.octets) * DAY) / (b.at.getTime() - a.at.getTime())),
      )
      expect(found).toBeGreaterThanOrEqual(Math.min(...slopes))
      expect(found).toBeLessThanOrEqual(Math.max(...slopes))
      expect(growthPerDay([...notes].reverse(), NOW)).toBe(found)
    }
  })

  test('is not changed by a single jump', () => {
    for (const seed of SEEDS) {
      const r = rng(seed)
      const notes = notesOf(r, 8, () => 1e6)
      const odd = notes.map((one, i) => (i === 3 ? { ...one, octets: one.octets + 1e12 } : one))
      const found = growthPerDay(odd, NOW) ?? Number.NaN
      expect(found / 1e6).toBeGreaterThan(0.8)
      expect(found / 1e6).toBeLessThan(1.2)
    }
  })
})

describe('when the disk is full', () => {
  test('is not known without growth or free space', () => {
    expect(forecastFull(null, 1)).toEqual({ kind: 'unknown' })
    expect(forecastFull(1e9, null)).toEqual({ kind: 'unknown' })
    expect(forecastFull(Number.NaN, 1)).toEqual({ kind: 'unknown' })
    expect(forecastFull(1e9, Number.NaN)).toEqual({ kind: 'unknown' })
    expect(forecastFull(1e9, Number.POSITIVE_INFINITY)).toEqual({ kind: 'unknown' })
  })

  test('is never if the size is constant or shrinks, now if nothing is free', () => {
    expect(forecastFull(1e9, 0)).toEqual({ kind: 'never' })
    expect(forecastFull(1e9, -1e9)).toEqual({ kind: 'never' })
    expect(forecastFull(1e18, 1)).toEqual({ kind: 'never' })
    expect(forecastFull(Number.POSITIVE_INFINITY, 1e9)).toEqual({ kind: 'never' })
    for (const free of [0, -1]) expect(forecastFull(free, -5)).toEqual({ kind: 'full', inS: 0 })
  })

  test('more growth is sooner, more room is later, and what grows until then fills it', () => {
    for (const seed of SEEDS) {
      const r = rng(seed)
      const [free, growth] = [1 + r.next() * 1e12, 1 + r.next() * 1e11]
      const found = forecastFull(free, growth)
      const ofS = (one: typeof found): number => (one.kind === 'full' ? one.inS : Number.POSITIVE_INFINITY)
      if (found.kind === 'full') expect((found.inS / 86_400) * growth).toBeCloseTo(free, -3)
      expect(ofS(forecastFull(free, growth * 2))).toBeLessThanOrEqual(ofS(found))
      expect(ofS(forecastFull(free * 2, growth))).toBeGreaterThanOrEqual(ofS(found))
    }
  })
})

describe('the warning about the disk', () => {
  const disk = (share: number): DiskSpace => ({ free: share * 1e12, size: 1e12 })
  const inDays = (days: number) => ({ kind: 'full' as const, inS: days * 86_400 })

  test('begins under 14 days or under 10 % free, and ends at 21 days and 12 %', () => {
    expect(diskWarning(disk(0.5), inDays(13.9), false)).toBe(
      "the disk of the database is full in 13 days at today's rate, 50 % of the disk of the database are free",
    )
    expect(diskWarning(disk(0.5), inDays(14.1), false)).toBeNull()
    expect(diskWarning(disk(0.5), inDays(20), true)).toContain('full in 20 days')
    expect(diskWarning(disk(0.5), inDays(21.1), true)).toBeNull()
    expect(diskWarning(disk(0.099), { kind: 'never' }, false)).toBe('9 % of the disk of the database are free')
    expect(diskWarning(disk(0.101), { kind: 'unknown' }, false)).toBeNull()
    expect(diskWarning(disk(0.119), { kind: 'never' }, true)).not.toBeNull()
    expect(diskWarning(disk(0.121), { kind: 'never' }, true)).toBeNull()
  })

  test('stays as it is without figures', () => {
    for (const warned of [true, false]) {
      expect(diskWarning(null, { kind: 'unknown' }, warned)).toBeUndefined()
      expect(diskWarning({ free: Number.NaN, size: 1e12 }, inDays(1), warned)).toBeUndefined()
      expect(diskWarning({ free: 0, size: 0 }, inDays(1), warned)).toBeUndefined()
    }
  })

  test('changes once when the figures waver around a limit', () => {
    for (const seed of SEEDS) {
      const r = rng(seed)
      let warned = false
      let changes = 0
      for (let i = 0; i < 100; i++) {
        const reason = diskWarning(disk(0.1 + (r.next() - 0.5) * 0.03), inDays(14 + (r.next() - 0.5) * 10), warned)
        if ((reason !== null) !== warned) changes++
        warned = reason !== null
      }
      expect(changes).toBe(1)
    }
  })
})

const table = (changed: Partial<SeriesTable>): SeriesTable => ({
  ...{ kind: 'port', level: 'samples', keepDays: 30, form: 'packed', octets: 0, rows: 0, parts: 1 },
  ...{ longOctets: 0, longRows: 0, longParts: 0, before: 0, waiting: 0, waitingSince: null, overdue: 0 },
  ...{ dayRows: null, behindS: null, oldest: new Date(NOW - DAY) },
  ...changed,
})

describe('what keeping samples takes', () => {
  const both = table({ octets: 1730 + 270, rows: 20, longOctets: 270, longRows: 10, longParts: 1, dayRows: 100 })

  test('comes from rows of a day and bytes of a row, in both forms', () => {
    expect(keepCost([both], 10)).toEqual({ days: 10, rows: 173_000, long: 27_000, atMost: false, more: 25_000 })
    expect(storedForms([both]).map(({ form, perRow }) => [form, perRow])).toEqual([
      ['rows', 173],
      ['packed', 27],
    ])
  })

  test('grows with the days, and is the sum of the kinds', () => {
    for (const days of [1, 30, 365, 36_500]) {
      expect(keepCost([both, both], days).long).toBe(2 * (keepCost([both], days).long ?? Number.NaN))
      expect(keepCost([both], days).rows).toBe(days * 17_300)
    }
  })

  test('of a kind that was never packed counts as rows, as a bound', () => {
    const young = table({ kind: 'sensor', octets: 1000, rows: 10, dayRows: 10 })
    expect(keepCost([both, young], 10)).toMatchObject({ long: 27_000 + 10_000, atMost: true })
  })

  test('is not known before a day of samples was stored, and roll-ups do not count', () => {
    const none = { rows: null, long: null, atMost: false, more: null }
    expect(keepCost([], 30)).toEqual({ days: 30, ...none })
    expect(keepCost([table({ octets: 8192, rows: 10 })], 30)).toEqual({ days: 30, ...none })
    expect(keepCost([table({ ...both, level: '1h' })], 30)).toEqual({ days: 30, ...none })
    const rowsOnly = table({ octets: 1000, rows: 10, dayRows: 10 })
    expect(keepCost([rowsOnly], 30)).toMatchObject({ rows: 30_000, long: null, more: null })
  })
})

describe('packing', () => {
  const waiting = (count: number, overdue: number) =>
    table({ waiting: count, overdue, longParts: 5, waitingSince: new Date(NOW - 9 * DAY) })
  const state = (count: number, run: Parameters<typeof packingState>[1], nowMs = NOW) =>
    packingState({ tables: [waiting(count, count), table({ level: '1h' })], problems: [] }, run, nowMs)

  test('has a time left only when its pace is known', () => {
    const run = { began: new Date(NOW - 7_200_000), total: 30 }
    expect(state(10, run)).toMatchObject({ done: 5, waiting: 10, oldest: new Date(NOW - 9 * DAY), leftS: 3600 })
    expect(state(30, run).leftS).toBeNull()
    expect(state(10, null).leftS).toBeNull()
    expect(state(10, { began: new Date(NOW - 1000), total: 30 }).leftS).toBeNull()
  })

  test('in words', () => {
    const run = { began: new Date(NOW - 7_200_000), total: 30 }
    expect(packingText(state(10, run))).toBe(
      '5 chunks packed; 10 chunks to be done, the oldest of 2026-11-11; older data: 20 of 30 done since 2026-11-19; about 1 h left',
    )
    expect(packingText(state(30, run))).toContain('time left not known')
    expect(packingText(packingState({ tables: [table({ longParts: 1 })], problems: [] }, null, NOW))).toBe(
      '1 chunk packed; none waits',
    )
  })
})

test('what is not known is said', () => {
  expect(growthText({ growth: null })).toStartWith('not known yet')
  expect(growthText({ growth: 0 })).toBe('none')
  expect(growthText({ growth: -(2 ** 30) })).toBe('shrinks by 1 GiB a day')
  expect(diskText({ disk: null, forecast: { kind: 'unknown' } })).toStartWith('not known')
  const disk = { free: 2 ** 30, size: 2 ** 31 }
  expect(diskText({ disk, forecast: { kind: 'unknown' } })).toBe(
    '1 GiB of 2 GiB free; when it is full is not known yet',
  )
  expect(diskText({ disk, forecast: { kind: 'full', inS: 100_000 } })).toEndWith('full in 1 day at this rate')
})
