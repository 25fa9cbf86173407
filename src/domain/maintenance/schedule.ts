import { invalid } from '../errors.ts'

/** What a client wants; null: not said. */
export interface MaintenanceRequest {
  readonly title: string | null
  /** 1, 2 or 3; anything else is the setting's. */
  readonly behavior: number | null
  readonly notes: string
  /** `Y-m-d H:i:s` or `Y-m-d H:i`, server time. */
  readonly start: string | null
  /** `H:i`, hours beyond 23 too; `H` alone is hours. */
  readonly duration: string
}

const START = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?$/
const DURATION = /^(\d{1,5})(?::([0-5]?\d)?)?$/
const MINUTE_MS = 60_000

/**
 * From when to when: the start as said, or the minute of `now`; the end that long after it, at a whole minute. Throws
 * `invalid` for texts that say neither. Source: contract BEHAVIOUR.md 8.
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
  // the calendar has no 30 February; an hour that the clocks leave out is moved, not refused
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
