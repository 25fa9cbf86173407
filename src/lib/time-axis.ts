import { twoDigits } from './two-digits.ts'
import { OWN_CLOCK, offsetMinutes, type ZoneClock } from './zone-clock.ts'

/** Ticks of the time axis, epoch seconds. Minor ticks have no label and lie between the major ones. */
export interface TimeTicks {
  readonly major: readonly { readonly timeS: number; readonly label: string }[]
  readonly minor: readonly number[]
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

interface Step {
  readonly unit: Unit
  readonly n: number
}

const LENGTH_S: Record<Unit, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_800,
  year: 31_557_600,
}
const of = (unit: Unit, ...counts: number[]): Step[] => counts.map((n) => ({ unit, n }))
const STEPS: readonly Step[] = [
  ...of('second', 1, 2, 5, 10, 15, 30),
  ...of('minute', 1, 2, 5, 10, 15, 30),
  ...of('hour', 1, 2, 3, 6, 12),
  ...of('day', 1, 2),
  ...of('week', 1, 2),
  ...of('month', 1, 2, 3, 6),
  ...of('year', 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000),
]
/** Steps for monthly values, which need no finer ticks. */
const MONTHLY = STEPS.filter(({ unit }) => unit === 'month' || unit === 'year')
/** Minimum pixels between minor lines, and between labels. */
const MINOR_GAP = 9
/** Most marks of an axis, whatever its width. */
const MAX_MARKS = 2000

/**
 * Ticks for a range drawn `width` pixels wide: the finest step whose labels do not overlap, in the local time of
 * `clock`, so that days begin at midnight and weeks on Monday even across daylight saving changes. `labelWidth` returns the
 * width of a text in pixels. `least`: no ticks finer than months.
 */
export function timeTicks(
  fromS: number,
  toS: number,
  width: number,
  labelWidth: (text: string) => number,
  least?: 'month',
  clock: ZoneClock = OWN_CLOCK,
): TimeTicks {
  const steps = least === 'month' ? MONTHLY : STEPS
  const spacing = (step: Step) => (width * LENGTH_S[step.unit] * step.n) / (toS - fromS)
  const wanted = (step: Step) => Math.max(MINOR_GAP, labelWidth(WIDEST[step.unit]) * 1.3)
  const step = steps.find((s) => spacing(s) >= wanted(s)) ?? { unit: 'year', n: 10_000 }
  const major = marks(step, fromS, toS, clock).map((timeS) => ({ timeS, label: label(step.unit, timeS, clock) }))
  const fine = steps.find((s) => spacing(s) >= MINOR_GAP && divides(s, step))
  const labelled = new Set(major.map((m) => m.timeS))
  return { major, minor: fine ? marks(fine, fromS, toS, clock).filter((t) => !labelled.has(t)) : [] }
}

const WIDEST: Record<Unit, string> = {
  second: '00:00:00',
  minute: '00:00 ',
  hour: 'Wed 00',
  day: 'Wed 00',
  week: '00 May',
  month: 'May 00',
  year: '0000 ',
}

function divides(fine: Step, coarse: Step): boolean {
  const [a, b] = [LENGTH_S[fine.unit] * fine.n, LENGTH_S[coarse.unit] * coarse.n]
  if (a >= b) return false
  if (coarse.unit === 'month') return fine.n === 1 && (fine.unit === 'month' || fine.unit === 'day')
  if (coarse.unit === 'year') return fine.unit === 'year' ? coarse.n % fine.n === 0 : fine.unit === 'month'
  if (fine.unit === 'day' || fine.unit === 'week') return fine.n === 1
  return b % a === 0
}

function marks(step: Step, fromS: number, toS: number, clock: ZoneClock): number[] {
  return step.unit === 'second' || step.unit === 'minute'
    ? clockTicks(step, fromS, toS, clock)
    : calendarTicks(step, fromS, toS, clock)
}

/**
 * Marks for steps below an hour; these divide an hour, so the time zone offset at the start holds for the whole range.
 */
function clockTicks(step: Step, fromS: number, toS: number, clock: ZoneClock): number[] {
  const length = LENGTH_S[step.unit] * step.n
  const offset = 60 * offsetMinutes(clock, fromS * 1000)
  const first = Math.ceil((fromS + offset) / length) * length - offset
  const count = Math.floor((toS - first) / length) + 1
  return count > 0 ? Array.from({ length: Math.min(MAX_MARKS, count) }, (_, i) => first + i * length) : []
}

/** Marks for steps of an hour and more; counts local hours, days and so on, because a day may have 23 or 25 hours. */
function calendarTicks(step: Step, fromS: number, toS: number, clock: ZoneClock): number[] {
  const { year, month, day, weekday } = clock.wall(fromS * 1000)
  const { unit, n } = step
  const monday = day - ((weekday + 6) % 7)
  const dayNumber = Math.floor(Date.UTC(year, month, day) / 86_400_000)
  const weekNumber = Math.floor((dayNumber + 3) / 7)
  const nth = (i: number): number => {
    if (unit === 'hour') return clock.instant(year, month, day, i * n)
    if (unit === 'day') return clock.instant(year, month, day - (dayNumber % n) + i * n)
    if (unit === 'week') return clock.instant(year, month, monday - 7 * (weekNumber % n) + 7 * i * n)
    if (unit === 'month') return clock.instant(year, month - (month % n) + i * n, 1)
    return clock.instant(year - (year % n) + i * n, 0, 1)
  }
  const times: number[] = []
  for (let i = 0; i < MAX_MARKS; i++) {
    const t = nth(i) / 1000
    if (!(t <= toS)) break
    // an hour skipped by daylight saving time coincides with the next one, or comes after it where two are skipped
    if (t >= fromS && t > (times.at(-1) ?? Number.NEGATIVE_INFINITY)) times.push(t)
  }
  return times
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A tick at the start of a larger unit is labelled with that unit: midnight with the day, January with the year. */
function label(unit: Unit, timeS: number, clock: ZoneClock): string {
  const t = clock.wall(timeS * 1000)
  const month = MONTHS[t.month] ?? ''
  if (unit === 'year') return String(t.year)
  if (unit === 'month') return t.month === 0 ? String(t.year) : month
  if (unit === 'week') return `${t.day} ${month}`
  const midnight = t.hour === 0 && t.minute === 0 && t.second === 0
  if (unit === 'day' || midnight) return t.day === 1 ? `1 ${month}` : `${DAYS[t.weekday] ?? ''} ${t.day}`
  const clockText = `${twoDigits(t.hour)}:${twoDigits(t.minute)}`
  return unit === 'second' ? `${clockText}:${twoDigits(t.second)}` : clockText
}
