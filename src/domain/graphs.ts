/** Query values of a graph operation (contract BEHAVIOUR.md 11): from, to, width, height, legend, title, ... */
export type GraphOptions = Readonly<Record<string, string | undefined>>

/** A picture, or why there is none. `no-data`: there were never any samples. */
export type GraphOutcome =
  | { kind: 'image'; bytes: Uint8Array; contentType: string }
  | { kind: 'unknown-type'; message: string }
  | { kind: 'no-data' }
  | { kind: 'bad-time'; message: string }

/** A data set of a service: its name and the unit reported by its check. */
export interface ServiceGraph {
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
