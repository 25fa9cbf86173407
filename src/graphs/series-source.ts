/**
 * The stored series that graphs are drawn from. Implemented over `src/store/readers/series.ts` and wired in
 * `src/compose.ts`; `graphs` knows nothing of SQL.
 */
export interface SeriesSource {
  /**
   * Rates of these ports, added up. Names are the `series` names of PORT_COUNTERS (`in_octets`, `out_pkts`, ...), values
   * are per second: octets, not bits. NaN where no port has a known value.
   */
  ports(portIds: readonly number[], window: SeriesWindow): Promise<SeriesData>
  /** `uptime` (s) and `poll_time` (s) of a device. */
  device(deviceId: number, window: SeriesWindow): Promise<SeriesData>
  /** `rtt_avg`, `rtt_min`, `rtt_max` (ms) and `loss` (percent) of ICMP echo. */
  icmp(deviceId: number, window: SeriesWindow): Promise<SeriesData>
  /** Load in percent, one series for each processor, named by its description. */
  processors(deviceId: number, window: SeriesWindow): Promise<SeriesData>
  /** Use in percent, one series for each memory pool. */
  mempools(deviceId: number, window: SeriesWindow): Promise<SeriesData>
  /** Use in percent, one series for each file system. */
  storage(deviceId: number, window: SeriesWindow): Promise<SeriesData>
  /** Values in the unit of the class, one series for each sensor of that `sensor_class`. */
  sensors(deviceId: number, sensorClass: string, window: SeriesWindow): Promise<SeriesData>
  /** All ports of a device, for the choice of those that count as its traffic. */
  devicePorts(deviceId: number): Promise<readonly GraphPort[]>
  /** What a device has that can be drawn. */
  deviceHas(deviceId: number): Promise<DeviceHas>
  /** Name of a port for a title, for example `core1 Gi0/1`; null: no such port. */
  portName(portId: number): Promise<string | null>
  /** Name of a device for a title; null: no such device. */
  deviceName(deviceId: number): Promise<string | null>
}

/** A time range, epoch seconds, and the wanted width of a bucket, seconds. */
export interface SeriesWindow {
  readonly fromS: number
  readonly toS: number
  /** The source may answer coarser, never finer than its samples lie: a bucket without a sample is a gap. */
  readonly stepS: number
}

/** Columns over one time axis. Without `series` the object has nothing of the kind. */
export interface SeriesData {
  /** Start of each bucket, epoch seconds, ascending. A bucket covers [timeS, timeS + stepS). */
  readonly timeS: Float64Array
  readonly stepS: number
  readonly series: readonly NamedSeries[]
}

/** `values[i]` belongs to `timeS[i]`; NaN is unknown. */
export interface NamedSeries {
  readonly name: string
  readonly values: Float64Array
}

/** The members of a port record that decide whether it counts as its device's traffic. */
export interface GraphPort {
  readonly portId: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifType: string | null
  readonly disabled: boolean
  readonly deleted: boolean
}

/** How many of each there are; classes of its sensors, each once. */
export interface DeviceHas {
  readonly ports: number
  readonly processors: number
  readonly mempools: number
  readonly storage: number
  readonly sensorClasses: readonly string[]
}
