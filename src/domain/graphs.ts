import type { ValueForm } from '../lib/value-axis.ts'

/** Query values of a graph operation (contract BEHAVIOUR.md 11): from, to, width, height, legend, title, ... */
export type GraphOptions = Readonly<Record<string, string | undefined>>

/** What a graph shows, as numbers. `null` is unknown. */
export interface GraphFigures {
  /** Epoch seconds. */
  readonly from: number
  readonly to: number
  /** Starts of the buckets, epoch seconds, each `step` seconds wide. */
  readonly time: readonly number[]
  readonly step: number
  /** What was read: `samples`, or the roll-up `1h` or `1d`; null: computed values. */
  readonly level: string | null
  readonly series: readonly GraphFigure[]
}

/** A series of a graph: one value for each bucket, and the figures of the legend. */
export interface GraphFigure {
  readonly name: string
  readonly unit: string
  readonly values: readonly (number | null)[]
  /** The last known value. */
  readonly now: number | null
  readonly min: number | null
  readonly avg: number | null
  readonly max: number | null
  readonly p95: number | null
  /** Octets over the range, for rates of octets. */
  readonly total: number | null
  /** Of a state sensor: the names of its values. */
  readonly states?: Readonly<Record<string, string>>
  /** Of memory and file systems: octets as of now. */
  readonly used?: number | null
  readonly size?: number | null
}

/** What a graph shows, and how it is drawn: for charts that people zoom. Values are in the unit of the graph. */
export interface GraphChart extends Omit<GraphFigures, 'series'> {
  readonly title: string
  readonly form: ValueForm
  /** Columns of the legend in order. */
  readonly columns: readonly ('now' | 'min' | 'avg' | 'max' | 'p95' | 'total' | 'used' | 'size' | 'state' | 'ok')[]
  readonly series: readonly ChartFigure[]
  readonly limits: readonly ChartLimit[]
  /** Times that are shaded, epoch seconds. */
  readonly outages: readonly (readonly [from: number, to: number])[]
  readonly maintenance: readonly (readonly [from: number, to: number])[]
  /**
   * The stored values as a query of schema `grafana`, with `{from}` and `{to}` for the range in epoch seconds; null: they are
   * computed.
   */
  readonly sql: string | null
}

/** A series of a chart. */
export interface ChartFigure extends Omit<GraphFigure, 'states'> {
  /** `stack`: on top of the preceding ones of its side. `band`: from `base` to the values. `none`: only in the legend. */
  readonly draw: 'area' | 'stack' | 'line' | 'band' | 'none'
  readonly below: boolean
  /** Against an axis of 0 to 100 % at the right. */
  readonly percent: boolean
  /** Not in the legend. */
  readonly silent: boolean
  readonly bold: boolean
  /** Lower edge of a band; null for others. */
  readonly base: readonly (number | null)[] | null
  /** Line and fill, on light and on dark ground. */
  readonly light: readonly [line: string, fill: string]
  readonly dark: readonly [line: string, fill: string]
  /** Of a state sensor: what its values mean; severity 0 ok, 1 warning, 2 critical, 3 unknown. */
  readonly states: readonly { readonly value: number; readonly name: string; readonly severity: number }[] | null
}

/** A line across a chart. */
export interface ChartLimit {
  readonly label: string
  readonly value: number
  readonly severe: boolean
}

/** A picture or its numbers, or why there is none. `no-data`: there were never any samples. */
export type GraphOutcome =
  | { kind: 'image'; bytes: Uint8Array; contentType: string }
  | { kind: 'figures'; figures: GraphFigures }
  | { kind: 'chart'; chart: GraphChart }
  | { kind: 'bad-size'; message: string }
  | { kind: 'unknown-type'; message: string }
  | { kind: 'no-data' }
  | { kind: 'bad-time'; message: string }

/** A data set of a service: its device, its name and the unit reported by its check. */
export interface ServiceGraph {
  readonly deviceId: number
  readonly datasetId: number
  readonly label: string
  readonly unit: string
}

/** Values at equal steps and how to draw them. Times are epoch seconds; NaN is unknown. */
export interface Drawing {
  readonly label: string
  readonly unit: string
  readonly fromS: number
  readonly toS: number
  /** Starts of the steps. */
  readonly timeS: Float64Array
  readonly stepS: number
  readonly series: readonly DrawnSeries[]
  /** The device whose outages and maintenance are shaded; null or absent: none. */
  readonly deviceId?: number | null
  /** Values of months: the time axis has no finer ticks. */
  readonly monthly?: true
}

/**
 * `in` is filled above the axis, `out` below it, `total` is filled above; `sum`, `limit` and `percentile` are lines, of
 * which `below` is drawn below the axis.
 */
export interface DrawnSeries {
  readonly label: string
  readonly as: 'in' | 'out' | 'total' | 'sum' | 'limit' | 'percentile'
  readonly below?: boolean
  readonly values: Float64Array
  /** Time-weighted average over the whole range; null: unknown. Absent: the mean of the known values. */
  readonly average?: number | null
  /** Octets over the whole range; null: unknown. Absent from all series: the legend has no totals. */
  readonly total?: number | null
}

/** Draws graphs. Implemented by `src/graphs`, a higher layer. Callers have checked access. */
export interface Graphs {
  port(portId: number, type: string, options: GraphOptions): Promise<GraphOutcome>
  /** `only`: draw only the processor, memory pool, file system or sensor with this id, if it belongs to the device. */
  device(deviceId: number, type: string, options: GraphOptions, only?: number): Promise<GraphOutcome>
  /** Traffic of several ports, each separately, or their sum if there are many. */
  ports(portIds: readonly number[], options: GraphOptions): Promise<GraphOutcome>
  /** One data set measured by the check of a service. */
  service(subject: ServiceGraph, options: GraphOptions): Promise<GraphOutcome>
  /** A picture of values that the caller has read; without values it shows a message. */
  drawing(drawing: Drawing, options: GraphOptions): Promise<GraphOutcome>
  /** Graph types available for a device, for operation get_graphs. */
  deviceTypes(deviceId: number): Promise<{ name: string; desc: string }[]>
}
