import type { FunctionTable } from './function.ts'
import { whole } from './numbers.ts'
import { numberOf, textOf, type Value } from './value.ts'

/** Functions of time, in the server's time zone. */
export const DATE_FUNCTIONS: FunctionTable = {
  time: [0, 0, (_, { now }) => Math.floor(now / 1000)],
  date: [
    1,
    2,
    ([format = null, at = null], { now, budget }) => {
      const text = textOf(format)
      // one letter becomes at most 31 characters
      budget.text(text.length * 31)
      return dateText(text, new Date(at === null ? now : whole(at) * 1000))
    },
  ],
  strtotime: [
    1,
    2,
    ([text = null, base = null], { now }) => {
      const seconds = instantOf(textOf(text), base === null ? now : whole(base) * 1000)
      return seconds === null ? false : seconds
    },
  ],
}

/** A moment as text; templates have no other form of it. */
const STAMP = 'Y-m-d H:i:s'

/** The moment that a value stands for: a text as `strtotime` reads it, or epoch seconds. */
function momentOf(value: Value, nowMs: number): Date {
  const seconds = typeof value === 'number' ? value : instantOf(textOf(value), nowMs)
  return new Date(seconds === null ? Number.NaN : seconds * 1000)
}

const stamp = (at: Date): Value => (Number.isNaN(at.getTime()) ? null : dateText(STAMP, at))

const shift =
  (unit: string, sign: 1 | -1): FunctionTable[string][2] =>
  ([value = null, amount = 1], { now }) => {
    const at = momentOf(value, now)
    moved(at, sign * whole(amount), unit)
    return stamp(at)
  }

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year']

const SHIFTS: FunctionTable = Object.fromEntries(
  UNITS.flatMap((unit) => [
    [`add${unit}`, [0, 0, shift(unit, 1)] as const],
    [`add${unit}s`, [1, 1, shift(unit, 1)] as const],
    [`sub${unit}`, [0, 0, shift(unit, -1)] as const],
    [`sub${unit}s`, [1, 1, shift(unit, -1)] as const],
  ]),
)

const formatted =
  (format: string): FunctionTable[string][2] =>
  ([value = null], { now }) =>
    dateText(format, momentOf(value, now))

/** Methods of moments, as `now()` and `Carbon::parse()` return them. The first argument is the moment. */
export const DATE_METHODS: FunctionTable = {
  ...SHIFTS,
  format: [
    1,
    1,
    ([value = null, format = null], { now, budget }) => {
      budget.text(textOf(format).length * 31)
      return dateText(textOf(format), momentOf(value, now))
    },
  ],
  todatetimestring: [0, 0, formatted(STAMP)],
  todatestring: [0, 0, formatted('Y-m-d')],
  totimestring: [0, 0, formatted('H:i:s')],
  toiso8601string: [0, 0, formatted('c')],
  gettimestamp: [0, 0, ([value = null], { now }) => Math.floor(momentOf(value, now).getTime() / 1000) || null],
  diffforhumans: [0, 1, ([value = null], { now }) => distance(momentOf(value, now).getTime() - now)],
  diffinseconds: [0, 1, ([value = null, other = null], { now }) => between(value, other, now, 1)],
  diffinminutes: [0, 1, ([value = null, other = null], { now }) => between(value, other, now, 60)],
  diffinhours: [0, 1, ([value = null, other = null], { now }) => between(value, other, now, 3600)],
  diffindays: [0, 1, ([value = null, other = null], { now }) => between(value, other, now, 86_400)],
}

/** `now()`, `Carbon::now()` and `Carbon::parse()`. */
export const MOMENT_FUNCTIONS: FunctionTable = {
  now: [0, 1, (_, { now }) => stamp(new Date(now))],
  today: [0, 1, (_, { now }) => stamp(momentOf('today', now))],
  'carbon::now': [0, 1, (_, { now }) => stamp(new Date(now))],
  'carbon::today': [0, 1, (_, { now }) => stamp(momentOf('today', now))],
  'carbon::parse': [1, 2, ([value = null], { now }) => stamp(momentOf(value, now))],
  'carbon::createfromtimestamp': [1, 2, ([value = null], { now }) => stamp(momentOf(numberOf(value), now))],
}

function between(value: Value, other: Value, now: number, unit: number): Value {
  const to = other === null ? now : momentOf(other, now).getTime()
  const seconds = Math.abs(momentOf(value, now).getTime() - to) / 1000
  return Number.isNaN(seconds) ? null : Math.floor(seconds / unit)
}

/** `3 minutes ago`, `2 days from now`. */
function distance(ms: number): Value {
  if (Number.isNaN(ms)) return null
  const seconds = Math.round(Math.abs(ms) / 1000)
  const [size, unit] = (
    [
      [31_536_000, 'year'],
      [2_592_000, 'month'],
      [604_800, 'week'],
      [86_400, 'day'],
      [3600, 'hour'],
      [60, 'minute'],
      [1, 'second'],
    ] as const
  ).find(([size]) => seconds >= size) ?? [1, 'second']
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ${ms > 0 ? 'from now' : 'ago'}`
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAY_MS = 86_400_000
const two = (n: number) => String(n).padStart(2, '0')

/** Letters of PHP's `date`. Source: PHP manual, DateTimeInterface::format. */
const LETTERS: Readonly<Record<string, (at: Date) => string>> = {
  d: (at) => two(at.getDate()),
  D: (at) => (DAYS[at.getDay()] ?? '').slice(0, 3),
  j: (at) => String(at.getDate()),
  l: (at) => DAYS[at.getDay()] ?? '',
  N: (at) => String(at.getDay() || 7),
  S: (at) => suffix(at.getDate()),
  w: (at) => String(at.getDay()),
  z: (at) => String(dayOfYear(at)),
  W: (at) => two(isoWeek(at).week),
  o: (at) => String(isoWeek(at).year),
  F: (at) => MONTHS[at.getMonth()] ?? '',
  M: (at) => (MONTHS[at.getMonth()] ?? '').slice(0, 3),
  m: (at) => two(at.getMonth() + 1),
  n: (at) => String(at.getMonth() + 1),
  t: (at) => String(new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate()),
  L: (at) => (new Date(at.getFullYear(), 1, 29).getDate() === 29 ? '1' : '0'),
  Y: (at) => String(at.getFullYear()).padStart(4, '0'),
  y: (at) => two(at.getFullYear() % 100),
  a: (at) => (at.getHours() < 12 ? 'am' : 'pm'),
  A: (at) => (at.getHours() < 12 ? 'AM' : 'PM'),
  g: (at) => String(at.getHours() % 12 || 12),
  G: (at) => String(at.getHours()),
  h: (at) => two(at.getHours() % 12 || 12),
  H: (at) => two(at.getHours()),
  i: (at) => two(at.getMinutes()),
  s: (at) => two(at.getSeconds()),
  v: (at) => String(at.getMilliseconds()).padStart(3, '0'),
  u: (at) => `${String(at.getMilliseconds()).padStart(3, '0')}000`,
  e: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  T: (at) => /[^ ]+$/.exec(at.toLocaleTimeString('en-US', { timeZoneName: 'short' }))?.[0] ?? '',
  O: (at) => offset(at, ''),
  P: (at) => offset(at, ':'),
  Z: (at) => String(-at.getTimezoneOffset() * 60),
  U: (at) => String(Math.floor(at.getTime() / 1000)),
  c: (at) => `${dateText('Y-m-d', at)}T${dateText('H:i:sP', at)}`,
  r: (at) => dateText('D, d M Y H:i:s O', at),
}

/** PHP's `date`. Letters after a backslash and those without a meaning are copied. '' for an invalid date. */
function dateText(format: string, at: Date): string {
  if (Number.isNaN(at.getTime())) return ''
  return format.replaceAll(/\\([\s\S])|[A-Za-z]/g, (letter, escaped: string | undefined) =>
    escaped === undefined ? ((Object.hasOwn(LETTERS, letter) ? LETTERS[letter]?.(at) : undefined) ?? letter) : escaped,
  )
}

function suffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

const utcDay = (year: number, month: number, day: number) => Date.UTC(year, month, day) / DAY_MS
const dayOfYear = (at: Date) => utcDay(at.getFullYear(), at.getMonth(), at.getDate()) - utcDay(at.getFullYear(), 0, 1)

/** ISO 8601: week 1 is the one with the year's first Thursday. */
function isoWeek(at: Date): { year: number; week: number } {
  const thursday = new Date(at.getFullYear(), at.getMonth(), at.getDate() - ((at.getDay() + 6) % 7) + 3)
  return { year: thursday.getFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 }
}

function offset(at: Date, between: string): string {
  const minutes = -at.getTimezoneOffset()
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${between}${two(size % 60)}`
}

const MAX_TIME_TEXT = 100
const MAX_SHIFTS = 10
const DATE =
  /(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?(?=\s|$)/iy
const SHIFT = /([+-]?)\s*(\d{1,6})\s*(sec(?:ond)?|min(?:ute)?|hour|day|week|month|year)s?(\s+ago)?(?=\s|$|[+-])/iy

/**
 * Epoch seconds of `now`, `@epoch`, `today`, `midnight`, `yesterday`, `tomorrow`, an ISO date, or nothing, shifted by
 * parts such as `+2 hours` or `3 days ago`; null if the text has another form.
 */
function instantOf(text: string, baseMs: number): number | null {
  const source = text.trim()
  if (source === '' || source.length > MAX_TIME_TEXT) return null
  let pos = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = pos
    const match = pattern.exec(source)
    if (match !== null) pos += match[0].length
    return match
  }
  const at = start(take, new Date(baseMs))
  if (at === null) return null
  for (let shifts = 0; pos < source.length; shifts++) {
    take(/\s+/y)
    const shift = take(SHIFT)
    if (shift === null || shifts === MAX_SHIFTS) return null
    const [, sign, amount, unit = '', ago] = shift
    moved(at, Number(amount) * (sign === '-' ? -1 : 1) * (ago === undefined ? 1 : -1), unit.toLowerCase())
  }
  const seconds = Math.floor(at.getTime() / 1000)
  return Number.isNaN(seconds) ? null : seconds
}

function start(take: (pattern: RegExp) => RegExpExecArray | null, base: Date): Date | null {
  const epoch = take(/@(-?\d{1,12})(?=\s|$)/y)
  if (epoch !== null) return new Date(Number(epoch[1]) * 1000)
  const date = take(DATE)
  if (date !== null) return dateOf(date)
  const word = take(/(now|today|midnight|yesterday|tomorrow)(?=\s|$)/iy)?.[1]?.toLowerCase()
  if (word === undefined || word === 'now') return base
  const shift = word === 'yesterday' ? -1 : word === 'tomorrow' ? 1 : 0
  return new Date(base.getFullYear(), base.getMonth(), base.getDate() + shift)
}

function dateOf([, y, m, d, h = '0', i = '0', s = '0', zone]: readonly (string | undefined)[]): Date | null {
  const [year, month, day, hour, minute, second] = [y, m, d, h, i, s].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const local = new Date(year, month - 1, day, hour, minute, second)
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day || month < 1 || month > 12) return null
  if (hour > 24 || minute > 59 || second > 60) return null
  if (zone === undefined) return local
  const minutes = /^[+-]/.test(zone) ? Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)) : 0
  const shift = zone.startsWith('-') ? -minutes : minutes
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second) - shift * 60_000)
}

/** Adds months and days by the calendar, smaller units as seconds. */
function moved(at: Date, amount: number, unit: string): void {
  if (unit === 'year') at.setFullYear(at.getFullYear() + amount)
  else if (unit === 'month') at.setMonth(at.getMonth() + amount)
  else if (unit === 'week') at.setDate(at.getDate() + 7 * amount)
  else if (unit === 'day') at.setDate(at.getDate() + amount)
  else at.setTime(at.getTime() + amount * (unit === 'hour' ? 3_600_000 : unit.startsWith('min') ? 60_000 : 1000))
}
