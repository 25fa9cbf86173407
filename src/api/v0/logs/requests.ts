import type { Dialect } from '../../../core/base/actor.ts'
import { invalid, unusable } from '../../../core/base/errors.ts'
import type { LogBound, LogPage } from '../../../core/logs/service.ts'
import { members } from '../../body.ts'
import { Unexplained } from '../present-error.ts'

interface LogQuery {
  readonly start?: string | undefined
  readonly limit?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly sortorder?: string | undefined
  readonly search?: string | undefined
}

const DEFAULT_LIMIT = 50
/** Rows in one answer, about 30 MB of JSON. */
const MAX_LIMIT = 100_000
/** Characters of a searched text. */
const MAX_SEARCH = 256

/**
 * The requested page of a log. `start` counts pages, or rows in dialect `librenms`; invalid numbers are 0. Throws 400
 * if `from` or `to` is neither an id nor a time.
 */
export function logPage(query: LogQuery, dialect: Dialect, deviceId: number | null): LogPage {
  const limit = Math.min(query.limit === undefined ? DEFAULT_LIMIT : count(query.limit), MAX_LIMIT)
  const start = count(query.start)
  return {
    deviceId,
    from: bound('from', query.from),
    to: bound('to', query.to),
    search:
      query.search === undefined || query.search === ''
        ? null
        : query.search.slice(0, MAX_SEARCH).replaceAll('\0', '').toWellFormed(),
    descending: query.sortorder === 'DESC',
    offset: Math.min(dialect === 'librenms' ? start : start * limit, Number.MAX_SAFE_INTEGER),
    limit,
  }
}

function count(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : 0
}

/** `2026-08-01`, `2026-08-01 12:00`, `2026-08-01T12:00:00`; without fraction of a second and final Z. */
const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/

function bound(name: 'from' | 'to', text: string | undefined): LogBound | null {
  if (text === undefined) return null
  if (/^\d+$/.test(text)) return { kind: 'id', id: count(text) }
  const local = /[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? localTime(text) : text
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = TIME.exec(local) ?? []
  const time = `${year}-${month}-${day} ${hour}:${minute}:${second}`
  // The database raises an error for a date that does not exist.
  const parsed = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const exists = !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) === time.slice(0, 10)
  if (!exists || year === '0000') throw invalid(`Invalid ${name}: ${text}`)
  return { kind: 'time', local: time }
}

/** ISO 8601 with a zone as the server's local time; other text is unchanged. */
function localTime(text: string): string {
  const at = new Date(text.replace(' ', 'T'))
  if (Number.isNaN(at.getTime())) return text
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

/** Parses the body of add_eventlog. Throws `invalid` without text, `unusable` for an unknown severity. */
export function newEvent(json: unknown) {
  const body = members(json)
  const text = textOf(body['text'])
  if (text === null || text.trim() === '') throw invalid('No Eventlog text provided.')
  const severity = body['severity'] === undefined || body['severity'] === null ? 2 : Number(body['severity'])
  if (!Number.isInteger(severity) || severity < 0 || severity > 5)
    throw new Unexplained(unusable(`Invalid severity: ${severity}, expected 0 to 5`))
  return { text, severity, type: textOf(body['type']) || 'API', reference: textOf(body['reference']) }
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
