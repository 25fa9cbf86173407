import type { BrowsedLog, LogFilter, LogKey } from '../../../core/logs/service.ts'
import { parseTimeRange } from '../../../lib/at-time.ts'
import { textOf } from '../../components/filters.tsx'
import { type PageRange, problemOf } from '../../components/range.tsx'

export const PER_PAGE = 100
/** Maximum number of new rows that a page fetches at a time. */
const MAX_NEW = 200
/** Default range of a search; without a search, the range is not limited. */
const SEARCHED = '-7d'

/** The filters in the address of a log; unknown values count as absent. */
export interface WantedLog {
  /** Name, id or address of a device, as typed; '': all. */
  readonly device: string
  readonly severity: number | null
  readonly program: string
  readonly text: string
  /** As in the addresses of graphs; `all`: any age. */
  readonly from: string
  /** '': now. */
  readonly to: string
  /** Why the range is invalid; null if it is valid. */
  readonly refused: PageRange['problem']
  readonly fromS: number | null
  readonly toS: number | null
  readonly key: LogFilter['key']
  readonly isTail: boolean
}

export function wantedOf(query: URLSearchParams, log: BrowsedLog, nowMs: number): WantedLog {
  const text = (name: string) => textOf(query, name)
  const level = /^[0-7]$/.test(text('level')) ? Number(text('level')) : null
  const severity = log === 'alert' ? null : level
  const isSearch = severity !== null || text('q') !== '' || text('program') !== ''
  // the calendar's field comes before the ranges that links set
  const from = text('since') || text('from') || (isSearch ? SEARCHED : 'all')
  const range = parseTimeRange(from === 'all' ? '0' : from, text('to') || 'now', nowMs / 1000)
  return {
    device: text('device'),
    severity,
    program: text('program'),
    text: text('q'),
    from,
    to: text('to'),
    refused:
      range.kind === 'ok'
        ? null
        : problemOf({ from: from === 'all' ? '0' : from, to: text('to') || 'now' }, nowMs / 1000),
    fromS: range.kind === 'ok' && from !== 'all' ? range.fromS : null,
    toS: range.kind === 'ok' && text('to') !== '' ? range.toS : null,
    key: keyOf(query),
    isTail: query.get('tail') === '1',
  }
}

/** The filter for the store; asks for one row more than the page shows, to know whether there are more. */
export function filterOf(wanted: WantedLog, deviceId: number | null): LogFilter {
  const { severity, program, text, fromS, toS, key } = wanted
  return {
    deviceId,
    severity,
    program: program || null,
    text: text || null,
    fromS,
    toS,
    key,
    limit: key?.side === 'after' ? MAX_NEW : PER_PAGE + 1,
  }
}

/** A row's position, for use in the address. */
export const keyText = ({ us, id }: LogKey): string => `${us}-${id}`

function keyOf(query: URLSearchParams): LogFilter['key'] {
  for (const side of ['before', 'after'] as const) {
    const [, us, id] = /^(\d{1,16})-(\d{1,15})$/.exec(query.get(side) ?? '') ?? []
    if (us !== undefined && id !== undefined) return { side, at: { us, id: Number(id) } }
  }
  return null
}
