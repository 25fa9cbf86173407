/** @jsxImportSource #jsx */
import { parseTimeRange } from '../../lib/at-time.ts'
import { clockOf, OWN_CLOCK } from '../../lib/zone-clock.ts'
import type { Html } from '../jsx/jsx-runtime.ts'
import { pageZone, ZoneNote } from './zone.tsx'

/** A time range as text that graphs and series accept. */
export interface Range {
  readonly from: string
  readonly to: string
}

/** The range of a page's charts. */
export interface PageRange extends Range {
  /** Beginning of the range that is shown when the address has none. */
  readonly usual: string
  /** Epoch seconds. */
  readonly fromS: number
  readonly toS: number
  /** Why the range of the address is not shown, and at which field; null: it is shown. */
  readonly problem: { readonly field: 'from' | 'to'; readonly text: string } | null
}

const RANGES = [
  ['-1h', '1 h'],
  ['-6h', '6 h'],
  ['-24h', '24 h'],
  ['-7d', '7 d'],
  ['-30d', '30 d'],
  ['-1y', '1 y'],
] as const

const USUAL: Range = { from: '-24h', to: 'now' }
const HOUR_S = 3600
/** Ranges for what is young, and how old it may be, in seconds: a day would show almost nothing of it. */
const YOUNG = [
  ['-1h', HOUR_S],
  ['-6h', 6 * HOUR_S],
] as const
const MAX_SHOWN = 40

/**
 * The range in a page's address; the last 24 hours if it has none, or one that cannot be shown. `since`: the instant
 * before which there is no data, which makes it less for what is young; null: not known.
 */
export function rangeOf(query: URLSearchParams, nowMs: number = Date.now(), since: Date | null = null): PageRange {
  const ageS = since === null ? Number.POSITIVE_INFINITY : (nowMs - since.getTime()) / 1000
  const usual = YOUNG.find(([, olderS]) => ageS < olderS)?.[0] ?? USUAL.from
  const given = { from: query.get('from')?.trim() || usual, to: query.get('to')?.trim() || USUAL.to }
  const nowS = nowMs / 1000
  const parsed = parseTimeRange(given.from, given.to, nowS)
  if (parsed.kind === 'ok') return { ...given, usual, fromS: parsed.fromS, toS: parsed.toS, problem: null }
  return { ...USUAL, usual, fromS: nowS - 24 * HOUR_S, toS: nowS, problem: problemOf(given, nowS) }
}

/** What is wrong with a range, at the field to correct. */
export function problemOf({ from, to }: Range, nowS: number): NonNullable<PageRange['problem']> {
  const isTime = (text: string) => parseTimeRange('0', text, nowS).kind === 'ok'
  const wrong = (text: string) => `${text.slice(0, MAX_SHOWN)} is not a date and time.`
  if (
    !isTime(from) &&
    parseTimeRange(from, 'now', nowS).kind !== 'ok' &&
    parseTimeRange(from, '2100-01-01', nowS).kind !== 'ok'
  )
    return { field: 'from', text: wrong(from) }
  if (!isTime(to)) return { field: 'to', text: wrong(to) }
  return { field: 'to', text: 'The end must be after the beginning.' }
}

/** An instant as the value of a field for a date and time, in the zone of the page. */
export const fieldTime = (seconds: number): string =>
  clockOf(OWN_CLOCK, seconds * 1000)
    .slice(0, 16)
    .replace(' ', 'T')

/** Links that change the range of all charts of a page, the range that is shown, and a form for any other. */
export function RangeBar({ range, query }: { readonly range: PageRange; readonly query: URLSearchParams }): Html {
  const to = (from: string) => {
    const next = new URLSearchParams(query)
    next.delete('to')
    if (from === range.usual) next.delete('from')
    else next.set('from', from)
    return `?${next}`
  }
  const isOwn = range.to !== 'now' || RANGES.every(([from]) => from !== range.from)
  return (
    <div
      class="range"
      data-range
      data-from={range.from}
      data-to={range.to}
      data-from-s={Math.floor(range.fromS)}
      data-to-s={Math.floor(range.toS)}
      data-compare={query.get('compare')}
    >
      <div class="seg" role="group" aria-label="Range">
        {RANGES.map(([from, label]) => (
          <a href={to(from)} data-from={from} aria-current={range.to === 'now' && range.from === from ? 'true' : null}>
            {label}
          </a>
        ))}
      </div>
      <OwnRange range={range} query={query} isOwn={isOwn} />
      <button class="btn" type="button" data-shift="-1" hidden>
        Earlier
      </button>
      <button class="btn" type="button" data-shift="1" hidden>
        Later
      </button>
      <button class="btn" type="button" data-past aria-pressed="false" hidden>
        Last week
      </button>
      <button class="btn" type="button" data-back hidden>
        Back
      </button>
      <span class="sub shown-range">
        <span data-range-text>{rangeText(range)}</span> <ZoneNote />
      </span>
    </div>
  )
}

const rangeText = ({ fromS, toS }: PageRange): string => `${fieldTime(fromS)} to ${fieldTime(toS)}`.replaceAll('T', ' ')

function OwnRange({
  range,
  query,
  isOwn,
}: {
  readonly range: PageRange
  readonly query: URLSearchParams
  readonly isOwn: boolean
}): Html {
  const { problem } = range
  const others = [...query].filter(([name]) => name !== 'from' && name !== 'to')
  return (
    <details class="menu left own-range" open={problem !== null}>
      <summary class={isOwn ? 'btn on' : 'btn'}>Custom range</summary>
      <form class="sheet" method="get">
        {others.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <TimeField
          id="range-from"
          name="from"
          label="From"
          value={fieldTime(range.fromS)}
          problem={problem?.field === 'from' ? problem.text : null}
          required
        />
        <TimeField
          id="range-to"
          name="to"
          label="To"
          value={range.to === 'now' ? '' : fieldTime(range.toS)}
          problem={problem?.field === 'to' ? problem.text : null}
          hint="Empty: now."
        />
        <button class="btn first" type="submit">
          Show
        </button>
      </form>
    </details>
  )
}

/** A field for a date and time, with the zone in which it is entered and what is wrong with it. */
export const TimeField = ({
  id,
  name,
  label,
  value,
  problem = null,
  hint,
  required,
}: {
  readonly id: string
  readonly name: string
  readonly label: string
  /** As `2026-11-20T08:00`; '': none. */
  readonly value: string
  /** null: nothing. */
  readonly problem?: string | null
  readonly hint?: string
  readonly required?: boolean
}): Html => (
  <div class="field">
    <label for={id}>
      {label} <span class="sub">({pageZone()})</span>
    </label>
    <input
      class="inp"
      type="datetime-local"
      id={id}
      name={name}
      value={value}
      min="1970-01-02T00:00"
      max="9999-12-30T00:00"
      required={required === true}
      aria-invalid={problem === null ? null : 'true'}
      aria-describedby={problem === null && hint === undefined ? null : `${id}-h`}
    />
    {problem !== null ? (
      <span class="err" id={`${id}-h`} role="alert">
        {problem}
      </span>
    ) : hint !== undefined ? (
      <span class="hint" id={`${id}-h`}>
        {hint}
      </span>
    ) : null}
  </div>
)
