/** Query values of a graph operation (contract BEHAVIOUR.md 11): from, to, width, height, legend, title, ... */
export type GraphOptions = Readonly<Record<string, string | undefined>>

/** A picture, or why there is none. `no-data`: nothing was ever stored. */
export type GraphOutcome =
  | { kind: 'image'; bytes: Uint8Array; contentType: string }
  | { kind: 'unknown-type'; message: string }
  | { kind: 'no-data' }
  | { kind: 'bad-time'; message: string }

/** A data set of a service: its name, and the unit that its check says. */
export interface ServiceGraph {
  readonly datasetId: number
  readonly label: string
  readonly unit: string
}

/** Values on an axis of equal steps, and how they are drawn. Times are epoch seconds; NaN is unknown. */
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

/** `in` is filled above the axis, `out` below it, `total` is filled above, `limit` is a line. */
export interface DrawnSeries {
  readonly label: string
  readonly as: 'in' | 'out' | 'total' | 'limit'
  readonly values: Float64Array
}

/** What draws the graphs. Implemented by `src/graphs`, which stands above this layer. Callers have checked access. */
export interface Graphs {
  port(portId: number, type: string, options: GraphOptions): Promise<GraphOutcome>
  /** `only`: of the processors, memory pools, file systems or sensors of the type the one of this id, if it is the device's. */
  device(deviceId: number, type: string, options: GraphOptions, only?: number): Promise<GraphOutcome>
  /** Traffic of several ports: each for itself, or of many the sum. */
  ports(portIds: readonly number[], options: GraphOptions): Promise<GraphOutcome>
  /** What the check of a service measured as one data set. */
  service(subject: ServiceGraph, options: GraphOptions): Promise<GraphOutcome>
  /** A picture of values that the caller has read; one without any says so. */
  drawing(drawing: Drawing, options: GraphOptions): Promise<GraphOutcome>
  /** What can be drawn of a device, for operation get_graphs. */
  deviceTypes(deviceId: number): Promise<{ name: string; desc: string }[]>
}
