import { clockOf, isZone, OWN_CLOCK } from '../../lib/zone-clock.ts'
import { invalid } from '../base/errors.ts'
import type { ScheduleRecord } from './read.ts'
import type { RepeatedWindow } from './write.ts'

/** A requested maintenance window; null members were not given. */
export interface MaintenanceRequest {
  readonly title: string | null
  /** 1, 2 or 3; the setting applies for other values. */
  readonly behavior: number | null
  readonly notes: string
  /** `Y-m-d H:i:s` or `Y-m-d H:i`, server time. */
  readonly start: string | null
  /** `H:i`, where hours may exceed 23; `H` alone means hours. */
  readonly duration: string
  /** Absent: once. */
  readonly repeat?: RepeatRequest
}

/** How a window repeats. */
export interface RepeatRequest {
  readonly every: 'daily' | 'weekly' | 'monthly'
  /**
   * ISO weekdays separated by commas (1 is Monday). Weekly without them: the weekday of the start. Monthly: a single
   * weekday, which means its first, second ... occurrence in each month, as at the start; without it, the day of the
   * month, or the last day of shorter months.
   */
  readonly days: string | null
  /** Last day on which it begins, `Y-m-d`. */
  readonly until: string
  /** IANA name of the time zone of start and last day; null: the server's. */
  readonly zone: string | null
}

const MAX_MINUTES = { daily: 24 * 60 - 1, weekly: 7 * 24 * 60 - 1, monthly: 7 * 24 * 60 - 1 } as const
const SERVER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** A repeated window in the form that the store takes. Throws `invalid`. */
export function repeated(
  request: Pick<MaintenanceRequest, 'start' | 'duration'>,
  again: RepeatRequest,
): RepeatedWindow {
  const { every, days, until } = again
  if (days !== null && !/^[1-7](,[1-7])*$/.test(days)) throw invalid(`Invalid days: ${short(days)}, expected 1 to 7`)
  if (every === 'monthly' && days !== null && days.length > 1)
    throw invalid('A monthly maintenance window takes at most one weekday')
  const minutes = minutesOf(request.duration)
  const most = days !== null && days.length > 1 ? MAX_MINUTES.daily : MAX_MINUTES[every]
  if (minutes < 1 || minutes > most)
    throw invalid(`A repeating maintenance window must be shorter than ${most < 24 * 60 ? 'a day' : 'a week'}`)
  const zone = again.zone ?? SERVER_ZONE
  if (!isZone(zone)) throw invalid(`Unknown time zone: ${short(zone)}`)
  if (request.start !== null) startOf(request.start)
  if (startOf(`${until} 00:00`).getFullYear() >= LAST_YEAR)
    throw invalid(`Invalid last day: ${short(until)}, must be before the year ${LAST_YEAR}`)
  return { repeat: every, zone, start: request.start, durationS: minutes * 60, days, until }
}

/** A stored window as a request that would store the same, for a form that edits it. */
export function requestOf(window: ScheduleRecord): MaintenanceRequest & { readonly start: string } {
  const { title, behavior, notes, start, end, recurring, recurring_day, repeat, zone } = window
  const common = { title, behavior, notes }
  const lasts = window.duration_s ?? (end.getTime() - start.getTime()) / 1000
  if (recurring === 0) return { ...common, start: localText(start, SERVER_ZONE), duration: durationText(lasts) }
  const place = zone ?? SERVER_ZONE
  // imported windows repeat between times of day of the server, and their end is that of the last day
  const ofDay = ((lasts % DAY_S) + DAY_S) % DAY_S
  const each = window.duration_s ?? (ofDay === 0 ? DAY_S - 60 : ofDay)
  return {
    ...common,
    start: localText(start, place),
    duration: durationText(each),
    repeat: {
      every: repeat ?? 'daily',
      days: recurring_day,
      until: localText(new Date(end.getTime() - each * 1000), place).slice(0, 10),
      zone,
    },
  }
}

const DAY_S = 86_400

/** `H:MM`; hours may exceed 23. */
function durationText(seconds: number): string {
  const minutes = Math.max(0, Math.round(seconds / 60))
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** `Y-m-d H:i` in a zone. */
function localText(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return format.format(at)
}

const START = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?$/
const DURATION = /^(\d{1,5})(?::([0-5]?\d)?)?$/
const MINUTE_MS = 60_000
const LAST_YEAR = 9999

/**
 * Start and end: the given start or the current minute, and the end, after the duration, at a whole minute. Throws
 * `invalid` for texts that cannot be parsed. Source: contract BEHAVIOUR.md 8.
 */
export function period(request: Pick<MaintenanceRequest, 'start' | 'duration'>, now: Date): { start: Date; end: Date } {
  const minutes = minutesOf(request.duration)
  const start = request.start === null ? wholeMinute(now) : startOf(request.start)
  const end = new Date(wholeMinute(start).getTime() + minutes * MINUTE_MS)
  // a year of five digits is no time for the database, nor for the other formats
  if (end.getUTCFullYear() > LAST_YEAR)
    throw invalid(`Invalid start: ${start.getFullYear()}, the window would end after the year ${LAST_YEAR}`)
  return { start, end }
}

function minutesOf(duration: string): number {
  const match = DURATION.exec(duration.trim())
  if (!match) throw invalid(`Invalid duration: ${short(duration)}, expected H:i`)
  return Number(match[1]) * 60 + Number(match[2] ?? 0)
}

function startOf(text: string): Date {
  const match = START.exec(text.trim())
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (match ?? [])
    .slice(1)
    .map((n) => Number(n ?? 0))
  const date = new Date(year, month - 1, day, hour, minute, second)
  // refuses 30 February, but accepts an hour skipped by daylight saving time, which is shifted
  const real = match && date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day
  if (!real || hour > 23 || minute > 59 || second > 59 || year < 1970) {
    throw invalid(`Invalid start: ${short(text)}, expected Y-m-d H:i:00`)
  }
  return date
}

function wholeMinute(date: Date): Date {
  return new Date(Math.floor(date.getTime() / MINUTE_MS) * MINUTE_MS)
}

const short = (text: string) => text.slice(0, 40)

/** `Y-m-d H:i` in server time. */
export const minuteText = (date: Date): string => clockOf(OWN_CLOCK, date.getTime()).slice(0, 16)
