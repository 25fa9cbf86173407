import { measureText, octetsText } from '../../../lib/measure.ts'
import { readable, shortNumber } from '../../../lib/si.ts'

/** Maximum characters of a name, and of a longer text from a device, in a sentence. */
export const MAX_NAME = 80
const MAX_TEXT = 300

/** A text from outside on one line, without control characters, cut to `most` characters; '' for what is no text. */
export function oneLine(value: unknown, most = MAX_TEXT): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return ''
  if (typeof value === 'number' && !Number.isFinite(value)) return ''
  const line = String(value)
    .slice(0, most * 8)
    .toWellFormed()
    // control characters, and those that turn the direction of what follows
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join('')}…`
}

/** A number from a row, whose bigint and numeric values may be text; null: it is none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (
    typeof value !== 'string' ||
    value.length > 60 ||
    !/^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,2})?\s*$/.test(value)
  )
    return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** An instant of a row, ISO 8601 text, as epoch ms; null: it is none. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value)) return null
  const at = Date.parse(value.replace(' ', 'T'))
  return Number.isNaN(at) ? null : at
}

const SPANS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** A duration in its largest unit, rounded down: `41 days`, `1 hour`; in two units below 3 of the largest: `1 hour 20 minutes`. */
export function spanWords(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'unknown'
  const whole = Math.max(0, Math.floor(seconds))
  const first = SPANS.findIndex(([, size]) => whole >= size)
  const [unit, size] = SPANS[first] ?? ['second', 1]
  const many = Math.floor(whole / size)
  const [smaller, part] = SPANS[first + 1] ?? ['', 0]
  const rest = part === 0 || many >= 3 || size === 60 ? 0 : Math.floor((whole - many * size) / part)
  return rest === 0 ? counted(many, unit) : `${counted(many, unit)} ${counted(rest, smaller)}`
}

/** `1 device`, `3 devices`. */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** An instant (epoch ms) as people write it at another one, in the server's time zone: `14:02`, `24 Nov 14:02`, `24 Nov 2025`. */
export function clockWords(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)]
  if (Number.isNaN(then.getTime())) return 'an unknown time'
  const day = `${then.getDate()} ${MONTHS[then.getMonth()]}`
  if (then.getFullYear() !== today.getFullYear()) return `${day} ${then.getFullYear()}`
  const time = `${String(then.getHours()).padStart(2, '0')}:${String(then.getMinutes()).padStart(2, '0')}`
  return then.toDateString() === today.toDateString() ? time : `${day} ${time}`
}

/** A number with the unit that the description of its field gives: `97 %`, `1.2 Gbit/s`, `5 minutes`. */
export function amountWords(value: number, unit: string): string {
  switch (unit) {
    case '%':
    case 'ms':
    case 'm':
    case 'nm':
      return `${shortNumber(value, Math.abs(value) < 1 ? 3 : 1)} ${unit}`
    case 's':
      return value >= 1 ? spanWords(value) : readable(value, 's', 'all')
    case '1/100 s':
      return spanWords(value / 100)
    case 'bit/s':
      return readable(value, 'bit/s', 'large')
    case 'Mbit/s':
      return readable(value * 1e6, 'bit/s', 'large')
    case 'bytes':
      return octetsText(value)
    case 'bytes/s':
      return readable(value, 'B/s', 'large')
    case 'dBm':
      return measureText({ unit: 'dBm', prefixes: 'none' }, value)
    default:
      return unit === '' ? shortNumber(value, 3) : readable(value, unit, unit.includes('/s') ? 'large' : 'none')
  }
}
