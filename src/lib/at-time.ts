import { TIME_RANGES_S } from './time-ranges.ts'

/** The range of a graph, epoch seconds, `fromS` before `toS`; or the reason the texts are refused. */
export type TimeRange = { kind: 'ok'; fromS: number; toS: number } | { kind: 'bad-time'; message: string }

/**
 * Parses the `from` and `to` of a graph. These forms are tried in order: epoch seconds (negative: before now); `[+-]n`
 * with a unit (`-1d`; `-5m` is five minutes); RRD's at-style (`now-1d6h`, `end-1week`, `noon yesterday`, `10:15 Aug 3
 * 2026`); an ISO date, or another date that JavaScript can parse. Times are local to the server. `from` may refer to
 * `end`, and `to` to `start`. Source: contract BEHAVIOUR.md 11; man rrdfetch, "AT-STYLE TIME SPECIFICATION".
 */
export function parseTimeRange(from: string, to: string, nowS: number): TimeRange {
  const start = parseTime(from, nowS)
  const end = parseTime(to, nowS)
  if (start === null) return bad(`'from' is not a time: ${shown(from)}`)
  if (end === null) return bad(`'to' is not a time: ${shown(to)}`)
  if (start.reference === 'start') return bad(`'from' cannot be relative to start: ${shown(from)}`)
  if (end.reference === 'end') return bad(`'to' cannot be relative to end: ${shown(to)}`)
  if (start.reference === 'end' && end.reference === 'start') return bad(`'from' and 'to' refer to each other`)
  let fromS = start.reference === 'end' ? Number.NaN : resolve(start, nowS)
  const toS = resolve(end, end.reference === 'start' ? fromS : nowS)
  if (start.reference === 'end') fromS = resolve(start, toS)
  if (!inRange(fromS)) return bad(`'from' is out of range: ${shown(from)}`)
  if (!inRange(toS)) return bad(`'to' is out of range: ${shown(to)}`)
  if (fromS >= toS) return bad(`'from' (${shown(from)}) is not before 'to' (${shown(to)})`)
  return { kind: 'ok', fromS, toS }
}

/** A reference and an offset: calendar months and days in local time, then seconds. */
interface Moment {
  readonly reference: 'now' | 'start' | 'end' | { readonly epochS: number }
  readonly months: number
  readonly days: number
  readonly seconds: number
}

/** Longer texts are refused, which keeps the patterns below cheap. */
const MAX_TEXT = 100
const LAST_EPOCH_S = 253_402_300_799

function parseTime(text: string, nowS: number): Moment | null {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > MAX_TEXT) return null
  if (/^-?\d+$/.test(trimmed)) {
    const n = Number(trimmed)
    return trimmed.startsWith('-') ? plain('now', n) : plain({ epochS: n }, 0)
  }
  const simple = /^([+-])(\d+)(s|m|h|d|w|mo|y)$/.exec(trimmed)
  if (simple) return plain('now', Number(`${simple[1]}${simple[2]}`) * (TIME_RANGES_S[simple[3] ?? ''] ?? Number.NaN))
  return atStyle(trimmed.toLowerCase(), nowS) ?? calendarText(trimmed)
}

const plain = (reference: Moment['reference'], seconds: number): Moment => ({ reference, months: 0, days: 0, seconds })

/** `[reference][offset]`. The offset begins at the first sign followed by a number. */
function atStyle(text: string, nowS: number): Moment | null {
  const sign = /[+-]\s*\d/.exec(text)
  const head = (sign ? text.slice(0, sign.index) : text).trim()
  const shift = sign ? parseOffset(text.slice(sign.index)) : { months: 0, days: 0, seconds: 0 }
  if (shift === null) return null
  if (head === '' || head === 'now') return { reference: 'now', ...shift }
  if (head === 'epoch') return { reference: { epochS: 0 }, ...shift }
  // As in RRD, start or end without an offset is not a time.
  if (head === 's' || head === 'start') return sign ? { reference: 'start', ...shift } : null
  if (head === 'e' || head === 'end') return sign ? { reference: 'end', ...shift } : null
  const epochS = parseAbsolute(head, nowS)
  return epochS === null ? null : { reference: { epochS }, ...shift }
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'
const UNIT_NAMES: Record<string, Unit> = {
  s: 'second',
  sec: 'second',
  second: 'second',
  seconds: 'second',
  min: 'minute',
  minute: 'minute',
  minutes: 'minute',
  h: 'hour',
  hour: 'hour',
  hours: 'hour',
  d: 'day',
  day: 'day',
  days: 'day',
  w: 'week',
  week: 'week',
  weeks: 'week',
  mo: 'month',
  mon: 'month',
  month: 'month',
  months: 'month',
  y: 'year',
  year: 'year',
  years: 'year',
}

/** Sign, number, unit; further pairs inherit the sign. A bare `m` takes its meaning from the unit before it. */
function parseOffset(text: string): Omit<Moment, 'reference'> | null {
  const pairs = /\s*([+-]?)\s*(\d{1,9})\s*([a-z]+)\s*/y
  let sign = 1
  let before: Unit | null = null
  let months = 0
  let days = 0
  let seconds = 0
  while (pairs.lastIndex < text.length) {
    const pair = pairs.exec(text)
    if (pair === null) return null
    if (pair[1]) sign = pair[1] === '-' ? -1 : 1
    const n = sign * Number(pair[2])
    const unit: Unit | undefined = pair[3] === 'm' ? bareM(Number(pair[2]), before) : UNIT_NAMES[pair[3] ?? '']
    if (unit === undefined) return null
    if (unit === 'year') months += 12 * n
    else if (unit === 'month') months += n
    else if (unit === 'week') days += 7 * n
    else if (unit === 'day') days += n
    else seconds += n * (unit === 'hour' ? 3600 : unit === 'minute' ? 60 : 1)
    before = unit
  }
  return { months, days, seconds }
}

function bareM(n: number, before: Unit | null): Unit {
  if (before === null) return n < 6 ? 'month' : 'minute'
  return before === 'second' || before === 'minute' || before === 'hour' ? 'minute' : 'month'
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const NAMED_HOURS: Record<string, number> = { midnight: 0, noon: 12, teatime: 16 }
const TIME_OF_DAY = /^(?:(midnight|noon|teatime)|(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?)(?=\s|$)/

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
  /** If no time of day is given, use the current one, as RRD does after the name of a month; otherwise midnight. */
  readonly keepsTime?: true
}

/** `[time of day] [day]`, at least one of them. Epoch seconds. */
function parseAbsolute(text: string, nowS: number): number | null {
  const now = new Date(nowS * 1000)
  const time = TIME_OF_DAY.exec(text)
  const minutes = time ? minutesOfDay(time) : null
  const rest = time && minutes !== null ? text.slice(time[0].length).trim() : text
  const today: Day = { year: now.getFullYear(), month: now.getMonth(), day: now.getDate() }
  const day = rest === '' ? today : parseDay(rest, now)
  if (day === null) return null
  const at = new Date(day.year, day.month, day.day, 0, minutes ?? 0)
  if (minutes === null && day.keepsTime) at.setHours(now.getHours(), now.getMinutes(), now.getSeconds())
  return Math.floor(at.getTime() / 1000)
}

function minutesOfDay(time: RegExpExecArray): number | null {
  if (time[1]) return 60 * (NAMED_HOURS[time[1]] ?? 0)
  const hour = Number(time[2])
  const minute = Number(time[3] ?? 0)
  if (minute > 59 || hour > (time[4] ? 12 : 23)) return null
  return 60 * (time[4] ? (hour % 12) + (time[4] === 'pm' ? 12 : 0) : hour) + minute
}

function parseDay(text: string, now: Date): Day | null {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  if (text === 'today') return { year, month, day }
  if (text === 'yesterday') return { year, month, day: day - 1 }
  if (text === 'tomorrow') return { year, month, day: day + 1 }
  const weekday = nameIndex(WEEKDAYS, text, LONG_WEEKDAYS)
  // the day of that name in the current week, which begins on Sunday
  if (weekday >= 0) return { year, month, day: day - now.getDay() + weekday }
  const named = /^([a-z]+)\s+(\d{1,2})(?:[\s,]+(\d{4}|\d{2}))?$/.exec(text)
  if (named) {
    const date = existing(named[3] ?? `${year}`, 1 + nameIndex(MONTHS, named[1] ?? '', LONG_MONTHS), named[2])
    return date && { ...date, keepsTime: true }
  }
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/.exec(text)
  if (american) return existing(american[3], american[1], american[2])
  const european = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(text)
  if (european) return existing(european[3], european[2], european[1])
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  return compact ? existing(compact[1], compact[2], compact[3]) : null
}

const LONG_WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const LONG_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

function nameIndex(short: readonly string[], text: string, long: readonly string[]): number {
  return Math.max(short.indexOf(text), long.indexOf(text))
}

/** A day that exists in the calendar: 31 February is refused, not taken as March. */
function existing(
  yearText: string | undefined,
  monthText: string | number | undefined,
  dayText: string | undefined,
): Day | null {
  const [year, month, day] = [fullYear(yearText ?? ''), Number(monthText) - 1, Number(dayText)]
  const date = new Date(year, month, day)
  return date.getMonth() === month && date.getDate() === day ? { year, month, day } : null
}

/** Two-digit years below 38 are in this century, as in RRD. */
function fullYear(text: string): number {
  const n = Number(text)
  return text.length > 2 ? n : n < 38 ? 2000 + n : 1900 + n
}

/** Words that a date may contain besides the names of months and weekdays. */
const DATE_WORDS = ['t', 'z', 'am', 'pm', 'gmt', 'utc']

/**
 * An ISO date, local unless it has a zone, or another date. The latter needs a month's name, a day, a year and only
 * known words, because JavaScript would otherwise guess.
 */
function calendarText(text: string): Moment | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d.*))?$/i.exec(text)
  if (iso) return existing(iso[1], iso[2], iso[3]) && parsed(`${text.slice(0, 10)}T${iso[4] ?? '00:00:00'}`)
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  const isMonth = (word: string) => nameIndex(MONTHS, word, LONG_MONTHS) >= 0
  const isKnown = (word: string) =>
    isMonth(word) || DATE_WORDS.includes(word) || nameIndex(WEEKDAYS, word, LONG_WEEKDAYS) >= 0
  const month = words.find(isMonth)
  const year = /(?:^|\D)(\d{4})(?!\d)/.exec(text)
  if (month === undefined || year === null || !words.every(isKnown)) return null
  const day = new RegExp(`(?:(\\d{1,2})[\\s,-]+${month}|${month}[\\s,-]+(\\d{1,2})(?!\\d))`, 'i').exec(text)
  return day && existing(year[1], 1 + nameIndex(MONTHS, month, LONG_MONTHS), day[1] ?? day[2]) && parsed(text)
}

function parsed(text: string): Moment | null {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : plain({ epochS: Math.floor(ms / 1000) }, 0)
}

function resolve(moment: Moment, baseS: number): number {
  const epochS = typeof moment.reference === 'object' ? moment.reference.epochS : baseS
  if (moment.months === 0 && moment.days === 0) return epochS + moment.seconds
  const date = new Date(epochS * 1000)
  date.setFullYear(date.getFullYear(), date.getMonth() + moment.months, date.getDate() + moment.days)
  return Math.floor(date.getTime() / 1000) + moment.seconds
}

const inRange = (epochS: number) => epochS >= 0 && epochS <= LAST_EPOCH_S
const shown = (text: string) => text.slice(0, MAX_TEXT)
const bad = (message: string): TimeRange => ({ kind: 'bad-time', message })
