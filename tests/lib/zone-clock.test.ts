import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { timeTicks } from '../../src/lib/time-axis.ts'
import { clockOf, OWN_CLOCK, offsetText, zoneClock } from '../../src/lib/zone-clock.ts'
import { inZone } from './zone.ts'

const ZONES = ['UTC', 'Europe/Zurich', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Havana']
const at = (text: string) => Date.parse(text)

describe('the clock of a zone', () => {
  test.each([
    ['before the clock goes forward', '2026-03-29T00:59:59Z', '2026-03-29 01:59:59', 'UTC+01:00'],
    ['after it', '2026-03-29T01:00:00Z', '2026-03-29 03:00:00', 'UTC+02:00'],
    ['an hour that is shown twice, the first time', '2026-10-25T00:30:00Z', '2026-10-25 02:30:00', 'UTC+02:00'],
    ['an hour that is shown twice, the second time', '2026-10-25T01:30:00Z', '2026-10-25 02:30:00', 'UTC+01:00'],
  ])('shows %s', (_, instant, text, offset) => {
    const clock = zoneClock('Europe/Zurich')
    expect(clockOf(clock, at(instant))).toBe(text)
    expect(offsetText(clock, at(instant))).toBe(offset)
  })

  test('takes a skipped time as an hour later, and the first of two equal ones', () => {
    const { instant } = zoneClock('Europe/Zurich')
    expect(new Date(instant(2026, 2, 29, 2, 30)).toISOString()).toBe('2026-03-29T01:30:00.000Z')
    expect(new Date(instant(2026, 9, 25, 2, 30)).toISOString()).toBe('2026-10-25T00:30:00.000Z')
  })

  test('is the one of its zone, however many zones were asked for before', () => {
    const names = Intl.supportedValuesOf('timeZone')
    for (const name of [...names, ...names.slice(0, 100)]) {
      const want = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' })
      expect(clockOf(zoneClock(name), at('2026-07-01T12:34:56Z'))).toBe(want.format(at('2026-07-01T12:34:56Z')))
    }
  })

  test('agrees with the clock of a process in that zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: at('1990-01-01'), max: at('2060-01-01') }),
        (zone, ms) => {
          const clock = zoneClock(zone)
          const own = inZone(zone, () => OWN_CLOCK.wall(ms))
          expect(clock.wall(ms)).toEqual(own)
          const { year, month, day, hour, minute } = own
          expect(clock.instant(year, month, day, hour, minute)).toBe(
            inZone(zone, () => OWN_CLOCK.instant(year, month, day, hour, minute)),
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  test('gives the time axis the same ticks as in a process in that zone', () => {
    const width = (text: string) => text.length * 6
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: at('2024-01-01') / 1000, max: at('2028-01-01') / 1000 }),
        fc.integer({ min: 60, max: 400 * 86_400 }),
        (zone, fromS, seconds) => {
          const own = inZone(zone, () => timeTicks(fromS, fromS + seconds, 900, width))
          expect(timeTicks(fromS, fromS + seconds, 900, width, undefined, zoneClock(zone))).toEqual(own)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is that of UTC for a zone that the runtime does not know', () => {
    expect(clockOf(zoneClock('Mars/Olympus'), 0)).toBe('1970-01-01 00:00:00')
  })
})
