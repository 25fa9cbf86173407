import { createLimiter } from '@portlight/limit/limit.ts'
import type { ValueForm } from '../../../lib/value-axis.ts'
import type { PageRange } from '../page-range.ts'

/** A line across a chart. */
export interface Limit {
  readonly label: string
  readonly value: number
  readonly severe: boolean
  readonly mirrored?: boolean
}

/** Same as `ChartSpec` in the server's component. */
export interface Spec {
  readonly src: string
  readonly title: string
  readonly height: number
  readonly device: number | null
  readonly port?: number
  readonly limits?: readonly Limit[]
  readonly p95?: boolean
  readonly api: string | null
  readonly range?: PageRange
}

export type Values = readonly (number | null)[]
type Span = readonly [from: number, to: number]

/** Same as `ChartFigure` in src/core/base/graphs.ts. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly values: Values
  readonly now: number | null
  readonly min: number | null
  readonly avg: number | null
  readonly max: number | null
  readonly p95: number | null
  readonly total: number | null
  readonly used?: number | null
  readonly size?: number | null
  readonly draw: 'area' | 'stack' | 'line' | 'band' | 'none'
  readonly below: boolean
  readonly percent: boolean
  readonly silent: boolean
  readonly bold: boolean
  readonly base: Values | null
  /** Lowest and highest sample of each bucket; null: not drawn. */
  readonly band: { readonly lowest: Values; readonly highest: Values } | null
  readonly okShare: number | null
  readonly light: readonly [line: string, fill: string]
  readonly dark: readonly [line: string, fill: string]
  readonly states: readonly State[] | null
}

/** Meaning of a value of a state sensor; severity 0 ok, 1 warning, 2 critical, 3 unknown. */
export interface State {
  readonly value: number
  readonly name: string
  readonly severity: number
}

/** Same as `GraphChart` in src/core/base/graphs.ts. No series means that nothing was ever measured. */
export interface Chart {
  readonly from: number
  readonly to: number
  readonly time: readonly number[]
  readonly step: number
  /** What was read: samples, 1h or 1d; null: computed values. */
  readonly level: string | null
  readonly form: ValueForm
  readonly columns: readonly string[]
  readonly series: readonly Figure[]
  readonly limits: readonly Limit[]
  readonly outages: readonly Span[]
  readonly maintenance: readonly Span[]
  readonly sql: string | null
}

/** An alert or event on the time axis. */
export interface Mark {
  readonly at: number
  readonly kind: 'alert' | 'event'
  readonly text: string
  readonly state: number
  readonly alert_id: number | null
}

/** Number of concurrent requests; the others wait in order. */
const inTurn = createLimiter(4)

function read(address: string): Promise<unknown> {
  return inTurn(async () => {
    const answer = await fetch(address, { headers: { accept: 'application/json' }, redirect: 'manual' })
    if (!answer.ok) throw new Error(String(answer.status))
    return await answer.json()
  })
}

const rangeQuery = ({ from, to }: PageRange) => `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`

/** Joins an address and a query. */
export const joined = (address: string, query: string) => `${address}${address.includes('?') ? '&' : '?'}${query}`

/** Reads the data for a chart of `width` pixels. */
export async function readChart({ src }: Spec, range: PageRange, width: number): Promise<Chart> {
  const points = Math.max(100, Math.min(2000, Math.round(width)))
  return (await read(joined(src, `output=chart&${rangeQuery(range)}&max_points=${points}`))) as Chart
}

/** How long alerts and events that were read are shared with other charts. */
const SHARED_MS = 5000
let shared: { readonly address: string; readonly atMs: number; readonly marks: Promise<readonly Mark[]> } | null = null

/** Alerts and events of a device, read once for all charts on the page. */
export function readMarks({ device, port }: Spec, range: PageRange): Promise<readonly Mark[]> {
  if (device === null) return Promise.resolve([])
  const address = `/graph/marks/${device}?${rangeQuery(range)}${port === undefined ? '' : `&port=${port}`}`
  if (shared?.address === address && performance.now() - shared.atMs < SHARED_MS) return shared.marks
  const marks = read(address).then(
    (found) => found as readonly Mark[],
    () => [],
  )
  shared = { address, atMs: performance.now(), marks }
  return marks
}
