import { describe, expect, test } from 'bun:test'
import { rangeText } from '../../src/graphs/range-text.ts'
import { timeTicks } from '../../src/lib/time-axis.ts'
import { inZone } from '../lib/zone.ts'

const width = (text: string) => text.length * 5.5
const at = (text: string) => Date.parse(text) / 1000

function labels(zone: string, from: string, to: string, pixels = 1000): string[] {
  return inZone(zone, () => timeTicks(at(from), at(to), pixels, width).major.map((m) => m.label))
}

describe('labels suit the range', () => {
  test.each([
    { name: 'a minute', from: '2026-11-21T10:00:00Z', to: '2026-11-21T10:01:00Z', first: ['10:00:00', '10:00:05'] },
    { name: 'ten minutes', from: '2026-11-21T10:00:00Z', to: '2026-11-21T10:10:00Z', first: ['10:00', '10:01'] },
    { name: 'six hours', from: '2026-11-21T10:00:00Z', to: '2026-11-21T16:00:00Z', first: ['10:00', '10:30'] },
    {
      name: 'a day, naming the new day at midnight',
      from: '2026-11-20T21:30:00Z',
      to: '2026-11-21T21:30:00Z',
      first: ['22:00', 'Sat 21', '02:00'],
    },
    {
      name: 'a week',
      from: '2026-11-14T10:00:00Z',
      to: '2026-11-21T10:00:00Z',
      first: ['12:00', 'Sun 15', '12:00', 'Mon 16'],
    },
    {
      name: 'a month, naming the new month on its first',
      from: '2026-10-29T10:00:00Z',
      to: '2026-11-28T10:00:00Z',
      first: ['Fri 30', '1 Nov', 'Tue 3'],
    },
    {
      name: 'a quarter by weeks that begin on Monday',
      from: '2026-08-20T00:00:00Z',
      to: '2026-11-20T00:00:00Z',
      first: ['24 Aug', '31 Aug'],
    },
    {
      name: 'a year, naming the new year in January',
      from: '2025-11-20T00:00:00Z',
      to: '2026-11-20T00:00:00Z',
      first: ['Dec', '2026', 'Feb'],
    },
    { name: 'twenty years', from: '2006-11-20T00:00:00Z', to: '2026-11-20T00:00:00Z', first: ['2007', '2008'] },
  ])('$name', ({ from, to, first }) => {
    expect<readonly string[]>(labels('UTC', from, to).slice(0, first.length)).toEqual(first)
  })

  test('labels do not overlap at any range and width', () => {
    for (const pixels of [100, 150, 500, 1000, 3900])
      for (let s = 10; s < 3e9; s *= 1.7) {
        const from = at('2020-02-10T03:21:07Z')
        const { major } = timeTicks(from, from + s, pixels, width)
        for (let i = 1; i < major.length; i++) {
          const [a, b] = [major[i - 1], major[i]]
          if (a === undefined || b === undefined) throw new Error('hole')
          expect(((b.timeS - a.timeS) / s) * pixels).toBeGreaterThan((width(a.label) + width(b.label)) / 2)
        }
      }
  })
})

describe('when the clocks change', () => {
  test('days still start at midnight', () => {
    const { major } = inZone('Europe/Berlin', () =>
      timeTicks(at('2026-10-22T00:00:00Z'), at('2026-10-29T00:00:00Z'), 420, width),
    )
    expect(major.map((m) => new Date(m.timeS * 1000).toISOString().slice(5, 13))).toEqual([
      '10-22T22',
      '10-23T22',
      '10-24T22',
      '10-25T23',
      '10-26T23',
      '10-27T23',
      '10-28T23',
    ])
  })
  test('a skipped hour has no tick', () => {
    expect(labels('Europe/Berlin', '2026-03-29T00:00:00+01:00', '2026-03-29T06:00:00+02:00', 300)).toEqual([
      'Sun 29',
      '01:00',
      '03:00',
      '04:00',
      '05:00',
      '06:00',
    ])
  })
})

test('minor ticks lie between labelled ones', () => {
  const { major, minor } = inZone('UTC', () =>
    timeTicks(at('2026-11-21T00:00:00Z'), at('2026-11-22T00:00:00Z'), 1000, width),
  )
  expect(minor.length).toBeGreaterThan(major.length)
  const labelled = new Set(major.map((m) => m.timeS))
  expect(minor.some((t) => labelled.has(t))).toBe(false)
})

test('the range text has the local zone', () => {
  expect(inZone('UTC', () => rangeText(at('2026-11-20T01:32:00Z'), at('2026-11-21T01:32:00Z')))).toBe(
    '2026-11-20 01:32 – 2026-11-21 01:32 UTC',
  )
})

test.each([
  ['2026-09-17T00:00:00Z', '2026-11-17T00:00:00Z', ['Oct', 'Nov']],
  ['2025-11-17T00:00:00Z', '2026-11-17T00:00:00Z', ['Dec', '2026', 'Feb']],
])('values of months from %p have no finer ticks', (from, to, first) => {
  const { major, minor } = inZone('UTC', () => timeTicks(at(from), at(to), 1000, width, 'month'))
  expect(major.map(({ label }) => label).slice(0, first.length)).toEqual(first)
  expect(minor).toEqual([])
})
