import type { ValueForm } from '../../lib/value-axis.ts'
import { DomainError } from './errors.ts'

/** Query parameters of a graph operation (contract BEHAVIOUR.md 11): from, to, width, height, legend, title, ... */
export type GraphOptions = Readonly<Record<string, string | undefined>>

/** The content of a graph as numbers; null: unknown. */
export interface GraphFigures {
  /** Epoch seconds. */
  readonly from: number
  readonly to: number
  /** Starts of the buckets, epoch seconds, each `step` seconds wide. */
  readonly time: readonly number[]
  readonly step: number
  /** The level read: `samples`, or the roll-up `1h` or `1d`; null: computed values. */
  readonly level: string | null
  readonly series: readonly GraphFigure[]
}

/** A series of a graph: one value per bucket, and the figures of the legend. */
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
  /** For a state sensor: the names of its values. */
  readonly states?: Readonly<Record<string, string>>
  /** For memory and file systems: current bytes. */
  readonly used?: number | null
  readonly size?: number | null
}

/** The content of a graph and how it is drawn, for interactive charts. Values are in the unit of the graph. */
export interface GraphChart extends Omit<GraphFigures, 'series'> {
  readonly title: string
  readonly form: ValueForm
  /** Columns of the legend, in order. */
  readonly columns: readonly ('now' | 'min' | 'avg' | 'max' | 'p95' | 'total' | 'used' | 'size' | 'state' | 'ok')[]
  readonly series: readonly ChartFigure[]
  readonly limits: readonly ChartLimit[]
  /** Times that are shaded, epoch seconds. */
  readonly outages: readonly (readonly [from: number, to: number])[]
  readonly maintenance: readonly (readonly [from: number, to: number])[]
  /**
   * The stored values as a query of schema `grafana`, with `{from}` and `{to}` for the range in epoch seconds; null:
   * they are computed.
   */
  readonly sql: string | null
}

/** A series of a chart. */
export interface ChartFigure extends Omit<GraphFigure, 'states'> {
  /**
   * `stack`: on top of the preceding ones on its side. `band`: from `base` to the values. `none`: only in the legend.
   */
  readonly draw: 'area' | 'stack' | 'line' | 'band' | 'none'
  readonly below: boolean
  /** Drawn against an axis of 0 to 100 % on the right. */
  readonly percent: boolean
  /** Left out of the legend. */
  readonly silent: boolean
  readonly bold: boolean
  /** Lower edge of a band; null for other series. */
  readonly base: readonly (number | null)[] | null
  /** Lowest and highest sample of each bucket, drawn behind the values; null: not drawn. */
  readonly band: {
    readonly lowest: readonly (number | null)[]
    readonly highest: readonly (number | null)[]
  } | null
  /** Of a state sensor: percent of the known time in states that are ok; null: unknown. */
  readonly okShare: number | null
  /** Colours of line and fill on a light background; `dark` on a dark one. */
  readonly light: readonly [line: string, fill: string]
  readonly dark: readonly [line: string, fill: string]
  /** For a state sensor: the meaning of its values; severity 0 ok, 1 warning, 2 critical, 3 unknown. */
  readonly states: readonly { readonly value: number; readonly name: string; readonly severity: number }[] | null
}

/** A line across a chart. */
export interface ChartLimit {
  readonly label: string
  readonly value: number
  readonly severe: boolean
}

/** An image or its numbers, or the reason there is none. `no-data`: there were never any samples. */
export type GraphOutcome =
  | { kind: 'image'; bytes: Uint8Array; contentType: string }
  | { kind: 'figures'; figures: GraphFigures }
  | { kind: 'chart'; chart: GraphChart }
  | { kind: 'bad-size'; message: string }
  | { kind: 'unknown-type'; message: string }
  | { kind: 'no-data' }
  | { kind: 'bad-time'; message: string }

/** A data set of a service: its device, and the name and unit reported by its check. */
export interface ServiceGraph {
  readonly deviceId: number
  readonly datasetId: number
  readonly label: string
  readonly unit: string
}

/** Values at equal steps and how to draw them. Times are epoch seconds; NaN means unknown. */
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
  /** The values are monthly, so the time axis has no finer ticks. */
  readonly monthly?: true
}

/**
 * `in` and `total` are filled above the axis, `out` below it; `sum`, `limit` and `percentile` are lines, drawn below
 * the axis if `below` is set.
 */
export interface DrawnSeries {
  readonly label: string
  readonly as: 'in' | 'out' | 'total' | 'sum' | 'limit' | 'percentile'
  readonly below?: boolean
  readonly values: Float64Array
  /** Time-weighted average over the whole range; null: unknown. Absent: the mean of the known values. */
  readonly average?: number | null
  /** The highest sample behind each value, for the legend; NaN: unknown. Absent: each value is a sample. */
  readonly highest?: Float64Array
  /** Octets over the whole range; null: unknown. Absent from all series: the legend has no totals. */
  readonly total?: number | null
}

/** Draws graphs. Implemented by `src/graphs`, a higher layer. Callers check access. */
export interface Graphs {
  port(portId: number, type: string, options: GraphOptions): Promise<GraphOutcome>
  /** `only`: draw only the processor, memory pool, file system or sensor with this id, if it belongs to the device. */
  device(deviceId: number, type: string, options: GraphOptions, only?: number): Promise<GraphOutcome>
  /** Traffic of several ports, each separately, or their sum if there are many. */
  ports(portIds: readonly number[], options: GraphOptions): Promise<GraphOutcome>
  /** One data set of a service check. */
  service(subject: ServiceGraph, options: GraphOptions): Promise<GraphOutcome>
  /** An image of values read by the caller; if there are none, it shows a message. */
  drawing(drawing: Drawing, options: GraphOptions): Promise<GraphOutcome>
  /** Graph types available for a device, for operation get_graphs. */
  deviceTypes(deviceId: number): Promise<{ name: string; desc: string }[]>
}

/** A graph is beyond the budget of drawing; a smaller one, or a later request, may succeed. */
export class BeyondBudget extends DomainError {
  constructor(why: string) {
    super('unavailable', `${why}: ask for a smaller image, or again later`)
  }
}
