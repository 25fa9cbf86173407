import { InvalidArgumentError } from 'commander'
import { amountOf } from '../lib/amount.ts'

/** Parses bits per second or bytes as they are entered on the page of a bill: `100000000`, `100M`, `1.5 Gbit/s`. */
export function amount(text: string): number {
  const value = amountOf(text)
  if (value === null) throw new InvalidArgumentError('It must be a number such as 500000000, 100M or 1.5G.')
  return value
}

const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10_080 }

/** Most minutes that a maintenance window of a command may last: those of 99,999 hours. */
const MAX_MINUTES = 99_999 * 60

/**
 * Parses a length of time to whole minutes: `2h`, `90m`, `1d`, `1d12h`, `1:30` (hours and minutes), or a number of hours
 * alone.
 */
export function minutes(text: string): number {
  const given = text.trim().toLowerCase()
  const [, hours, past] = /^(\d{1,5})(?::([0-5]?\d))?$/.exec(given) ?? []
  const units = /^(?:\d{1,7}\s*[mhdw]\s*)+$/.test(given) ? given.matchAll(/(\d+)\s*([mhdw])/g) : []
  const sum = [...units].reduce((all, [, count, unit = '']) => all + Number(count) * (UNIT_MINUTES[unit] ?? 0), 0)
  const value = hours === undefined ? sum : Number(hours) * 60 + Number(past ?? 0)
  if (value < 1 || value > MAX_MINUTES)
    throw new InvalidArgumentError('It must be a length of time such as 2h, 90m, 1d or 1:30 (hours and minutes).')
  return value
}

/** Minutes as hours and minutes, `36:00`. */
export const hoursText = (all: number): string => `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`

/** Parses a local time, `YYYY-MM-DD HH:MM`, to just that. */
export function localTime(text: string): string {
  const [, year, month, day, hour, minute] =
    /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text.trim()) ?? []
  const isReal = isDay(Number(year), Number(month), Number(day)) && Number(hour) < 24 && Number(minute) < 60
  if (!isReal) throw new InvalidArgumentError('It must be a time such as 2026-01-31 22:00.')
  const two = (part = '') => part.padStart(2, '0')
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${minute}`
}

/** Parses a day, `YYYY-MM-DD`. */
export function localDay(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim()) ?? []
  if (!isDay(Number(year), Number(month), Number(day)))
    throw new InvalidArgumentError('It must be a day such as 2026-01-31.')
  return text.trim()
}

/** False for 30 February, and before 1970. */
function isDay(year: number, month: number, day: number): boolean {
  const at = new Date(Date.UTC(year, month - 1, day))
  return year >= 1970 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
}
