import type { DeviceHas, GraphPort } from '../store/readers/graph-subjects.ts'
import type { PortCounterName, SeriesData, SeriesWindow } from '../store/readers/series.ts'

export type { DeviceHas, GraphPort } from '../store/readers/graph-subjects.ts'
export type { NamedSeries, PortCounterName, SeriesData, SeriesWindow } from '../store/readers/series.ts'

/**
 * What graphs are drawn from: `store-source.ts` gives it of the database, tests and benchmarks of known numbers. A source
 * may answer with wider buckets than the window asks for. They are equally wide, without holes: unknown is NaN. Without
 * any `series` the subject has nothing of the kind.
 */
export interface SeriesSource {
  /**
   * Rates of these ports, added up, under the names of the counters: per second, octets and not bits. Of a single port
   * also `<counter>_max`, the highest rate of a sample within the bucket, where it is kept.
   */
  ports(portIds: readonly number[], window: SeriesWindow, counters: readonly PortCounterName[]): Promise<SeriesData>
  /** `uptime` and `poll_time` of a device, seconds; `available`, percent of its polls that were answered. */
  device(deviceId: number, window: SeriesWindow): Promise<SeriesData>
  /** `rtt_avg`, `rtt_min`, `rtt_max` (ms) and `loss` (percent) of ICMP echo. */
  icmp(deviceId: number, window: SeriesWindow): Promise<SeriesData>
  /** Load in percent, one series for each processor, named by its description. `only`: the one of this id. */
  processors(deviceId: number, window: SeriesWindow, only?: number | null): Promise<SeriesData>
  /** Use in percent, one series for each memory pool. */
  mempools(deviceId: number, window: SeriesWindow, only?: number | null): Promise<SeriesData>
  /** Use in percent, one series for each file system. */
  storage(deviceId: number, window: SeriesWindow, only?: number | null): Promise<SeriesData>
  /** Values in the unit of the class, one series for each sensor of that `sensor_class`. */
  sensors(deviceId: number, sensorClass: string, window: SeriesWindow, only?: number | null): Promise<SeriesData>
  /** The same of wireless sensors. */
  wireless(deviceId: number, sensorClass: string, window: SeriesWindow, only?: number | null): Promise<SeriesData>
  /** `value`: what the check of a service measured as the data set of this id. */
  service(datasetId: number, window: SeriesWindow): Promise<SeriesData>
  /** Percent that is left, one series for each supply of a printer. */
  supplies(deviceId: number, window: SeriesWindow): Promise<SeriesData>
  /** These statistics of a device, under their names: gauges, counters per second, processor time in percent. */
  stats(deviceId: number, names: readonly string[], window: SeriesWindow): Promise<SeriesData>
  /** All ports of a device, for the choice of those that count as its traffic. */
  devicePorts(deviceId: number): Promise<readonly GraphPort[]>
  /** What a device has that can be drawn. */
  deviceHas(deviceId: number): Promise<DeviceHas>
  /** Name of a port for a title, for example `core1 Gi0/1`; null: no such port. */
  portName(portId: number): Promise<string | null>
  /** Name of a device for a title; null: no such device. */
  deviceName(deviceId: number): Promise<string | null>
}
