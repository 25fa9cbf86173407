import { invalid } from '../errors.ts'

/** A requested maintenance window; null: not given. */
export interface MaintenanceRequest {
  readonly title: string | null
  /** 1, 2 or 3; for other values the setting applies. */
  readonly behavior: number | null
  readonly notes: string
  /** `Y-m-d H:i:s` or `Y-m-d H:i`, server time. */
  readonly start: string | null
  /** `H:i`, where hours may exceed 23; `H` alone is hours. */
  readonly duration: string
  /** Repeat on these weekdays; absent: once. */
  readonly weekly?: Weekly
}

/** ISO weekdays joined by commas (1 is Monday) or null for all, and the last day `Y-m-d` on which it begins. */
export interface Weekly {
  readonly days: string | null
  readonly until: string
}

/**
 * The stored form of a weekly maintenance window whose first occurrence is `first`. Throws `invalid` for wrong days or
 * a wrong last day.
 */
export function recurrence(first: { start: Date; end: Date }, { days, until }: Weekly) {
  if (days !== null && !/^[1-7](,[1-7])*$/.test(days)) throw invalid(`Invalid days: ${short(days)}, expected 1 to 7`)
  if (first.end.getTime() - first.start.getTime() >= DAY_MS)
    throw invalid('A recurring maintenance must be shorter than a day')
  const last = startOf(`${until} 00:00`)
  // a window that passes midnight ends on the day after its last start
  const past = first.end.getDate() === first.start.getDate() ? 0 : 1
  const end = new Date(first.end)
  end.setFullYear(last.getFullYear(), last.getMonth(), last.getDate() + past)
  if (end < first.end) throw invalid(`Invalid last day: ${short(until)} is before the start`)
  return { end, recurring: 1 as const, recurring_day: days }
}

const START = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?$/
const DURATION = /^(\d{1,5})(?::([0-5]?\d)?)?$/
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Start and end: the given start or the current minute, and the end after the duration at a whole minute. Throws
 * `invalid` for unreadable texts. Source: contract BEHAVIOUR.md 8.
 */
export function period(request: Pick<MaintenanceRequest, 'start' | 'duration'>, now: Date): { start: Date; end: Date } {
  const match = DURATION.exec(request.duration.trim())
  if (!match) throw invalid(`Invalid duration: ${short(request.duration)}, expected H:i`)
  const start = request.start === null ? wholeMinute(now) : startOf(request.start)
  const minutes = Number(match[1]) * 60 + Number(match[2] ?? 0)
  return { start, end: new Date(wholeMinute(start).getTime() + minutes * MINUTE_MS) }
}

function startOf(text: string): Date {
  const match = START.exec(text.trim())
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (match ?? [])
    .slice(1)
    .map((n) => Number(n ?? 0))
  const date = new Date(year, month - 1, day, hour, minute, second)
  // rejects 30 February, but accepts an hour skipped by daylight saving time, which is moved
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
export function minuteText(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
