/** Query values of a graph operation (contract BEHAVIOUR.md 11): from, to, width, height, legend, title, ... */
export type GraphOptions = Readonly<Record<string, string | undefined>>

/** A picture, or why there is none. `no-data`: nothing was ever stored. */
export type GraphOutcome =
  | { kind: 'image'; bytes: Uint8Array; contentType: string }
  | { kind: 'unknown-type'; message: string }
  | { kind: 'no-data' }
  | { kind: 'bad-time'; message: string }

/** What draws the graphs. Implemented by `src/graphs`, which stands above this layer. Callers have checked access. */
export interface Graphs {
  port(portId: number, type: string, options: GraphOptions): Promise<GraphOutcome>
  /** `only`: of the processors, memory pools, file systems or sensors of the type the one of this id, if it is the device's. */
  device(deviceId: number, type: string, options: GraphOptions, only?: number): Promise<GraphOutcome>
  /** What can be drawn of a device, for operation get_graphs. */
  deviceTypes(deviceId: number): Promise<{ name: string; desc: string }[]>
}
