import { twoDigits } from './two-digits.ts'

/** A moment as a clock and a calendar on the wall show it; `month` 0 to 11, `weekday` 0 Sunday to 6. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** The local time of a time zone. Instants are epoch milliseconds. */
export interface ZoneClock {
  readonly wall: (ms: number) => WallTime
  /**
   * The instant of a wall time; fields beyond their range count on, as in `Date`. A time that the clock skips is an hour
   * later; of one that it shows twice, the first.
   */
  readonly instant: (year: number, month: number, day: number, hour?: number, minute?: number) => number
}

/** The clock of the process, which is the server's on the server and the browser's in a browser. */
export const OWN_CLOCK: ZoneClock = {
  wall(ms) {
    const at = new Date(ms)
    return {
      year: at.getFullYear(),
      month: at.getMonth(),
      day: at.getDate(),
      weekday: at.getDay(),
      hour: at.getHours(),
      minute: at.getMinutes(),
      second: at.getSeconds(),
    }
  },
  instant: (year, month, day, hour = 0, minute = 0) => new Date(year, month, day, hour, minute).getTime(),
}

/** Whether the runtime knows a zone by this name of the IANA database. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z][\w+/-]{0,63}$/.test(name)
  } catch {
    return false
  }
}

const kept = new Map<string, ZoneClock>()
const MAX_KEPT = 64

/**
 * The clock of a zone of the IANA database; that of UTC if the runtime does not know the zone. It is kept, because making
 * one takes as long as converting twenty times.
 */
export function zoneClock(zone: string): ZoneClock {
  const known = kept.get(zone)
  if (known !== undefined) return known
  if (kept.size >= MAX_KEPT) kept.clear()
  const made = makeClock(zone)
  kept.set(zone, made)
  return made
}

function makeClock(zone: string): ZoneClock {
  const fields = formatOf(zone)
  /** The wall time of an instant as if it were UTC, epoch ms. */
  const asUtc = (ms: number): number => {
    const whole = Math.floor(ms / 1000) * 1000
    if (!Number.isFinite(new Date(whole).getTime())) return Number.NaN
    const of = Object.fromEntries(fields.formatToParts(whole).map(({ type, value }) => [type, Number(value)]))
    const utc = new Date(0)
    utc.setUTCFullYear(of['year'] ?? 1970, (of['month'] ?? 1) - 1, of['day'] ?? 1)
    utc.setUTCHours(of['hour'] ?? 0, of['minute'] ?? 0, of['second'] ?? 0)
    return utc.getTime()
  }
  return {
    wall(ms) {
      const at = new Date(asUtc(ms))
      return {
        year: at.getUTCFullYear(),
        month: at.getUTCMonth(),
        day: at.getUTCDate(),
        weekday: at.getUTCDay(),
        hour: at.getUTCHours(),
        minute: at.getUTCMinutes(),
        second: at.getUTCSeconds(),
      }
    },
    instant(year, month, day, hour = 0, minute = 0) {
      const wanted = Date.UTC(year, month, day, hour, minute)
      // The offset a day before is the one in force until a change, so it gives the first of two equal wall times.
      const before = wanted - (asUtc(wanted - DAY_MS) - (wanted - DAY_MS))
      if (asUtc(before) === wanted) return before
      const after = wanted - (asUtc(wanted + DAY_MS) - (wanted + DAY_MS))
      return asUtc(after) === wanted ? after : before
    },
  }
}

const DAY_MS = 86_400_000

function formatOf(zone: string): Intl.DateTimeFormat {
  const options = {
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  }
}

/** An instant as `2026-11-20 08:00:00`. */
export function clockOf(clock: ZoneClock, ms: number): string {
  const { year, month, day, hour, minute, second } = clock.wall(ms)
  return `${String(year).padStart(4, '0')}-${twoDigits(month + 1)}-${twoDigits(day)} ${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`
}

/** The distance to UTC at an instant, in minutes; positive east of Greenwich. */
export function offsetMinutes(clock: ZoneClock, ms: number): number {
  const { year, month, day, hour, minute } = clock.wall(ms)
  return Math.round((Date.UTC(year, month, day, hour, minute) - Math.floor(ms / 60_000) * 60_000) / 60_000)
}

/** The same as text, for example `UTC+02:00`; it tells apart the hour that a clock shows twice. */
export function offsetText(clock: ZoneClock, ms: number): string {
  const minutes = offsetMinutes(clock, ms)
  const size = Math.abs(minutes)
  return `UTC${minutes < 0 ? '−' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}
