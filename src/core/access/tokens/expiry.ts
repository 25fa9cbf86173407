import { invalid } from '../../base/errors.ts'

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 }
const MAX_YEARS = 100

/**
 * Parses the expiry of a token: `12h`, `90d`, `4w` or `1y` from now, or a date, which means the end of that day in the
 * server's time zone. Null for '' and `never`. Throws `invalid` for other text, and for times not within the next 100
 * years.
 */
export function expiryOf(text: string, nowMs: number): Date | null {
  const given = text.trim().toLowerCase()
  if (given === '' || given === 'never') return null
  const [, n, unit = ''] = /^(\d{1,6})([hdwy])$/.exec(given) ?? []
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(given) ?? []
  const at =
    n !== undefined
      ? new Date(nowMs + Number(n) * (UNITS[unit] ?? Number.NaN))
      : year !== undefined
        ? dayAfter(Number(year), Number(month), Number(day))
        : null
  if (at === null || Number.isNaN(at.getTime()))
    throw invalid(`${text} is not a valid expiry: use a date such as 2030-12-31, or 12h, 90d, 4w, 1y`)
  if (at.getTime() <= nowMs) throw invalid('A token cannot expire in the past')
  if (at.getTime() > nowMs + MAX_YEARS * (UNITS['y'] ?? 0))
    throw invalid(`A token must expire within ${MAX_YEARS} years, or never`)
  return at
}

/** The start of the next day; null: the day does not exist. */
function dayAfter(year: number, month: number, day: number): Date | null {
  const given = new Date(year, month - 1, day)
  return given.getMonth() === month - 1 && given.getDate() === day ? new Date(year, month - 1, day + 1) : null
}
