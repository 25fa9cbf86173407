import type { PortCounterName, SeriesData, SeriesWindow, SubjectsOf } from '../core/series/read.ts'
import type { SensorLimits, SensorState, Shades } from '../core/series/read-annotations.ts'
import type { DeviceHas, GraphPort } from '../core/series/read-subjects.ts'
import type { NarrowName } from '../series/kinds.ts'

export type {
  Last,
  NamedSeries,
  PortCounterName,
  RangeFigures,
  SeriesData,
  SeriesWindow,
  SubjectsOf,
} from '../core/series/read.ts'
export type { SensorLimits, SensorState, Shades } from '../core/series/read-annotations.ts'
export type { DeviceHas, GraphPort } from '../core/series/read-subjects.ts'

/**
 * Source of graph data: the database (`store-source.ts`), or known numbers in tests and benchmarks. A source may return
 * wider buckets than requested. They have equal width and no holes: unknown is NaN. If there are no `series`, the
 * subject has no such data.
 */
export interface SeriesSource {
  /** Summed rates of these ports, named after the counters: per second, in octets rather than bits. */
  ports(portIds: readonly number[], window: SeriesWindow, counters: readonly PortCounterName[]): Promise<SeriesData>
  /**
   * The lines of a kind (`lines`: only these names) for each subject, named after the subject and the line; units are
   * those of the kind's declaration in src/series/kinds.
   */
  values(kind: NarrowName, of: SubjectsOf, window: SeriesWindow, lines?: readonly string[]): Promise<SeriesData>
  /** All ports of a device, from which to select those that count as its traffic. */
  devicePorts(deviceId: number): Promise<readonly GraphPort[]>
  /** What can be drawn for a device. */
  deviceHas(deviceId: number): Promise<DeviceHas>
  /** Outages and maintenance of a device, or of the device of a port. */
  shades(of: { readonly deviceId: number } | { readonly portId: number }, fromS: number, toS: number): Promise<Shades>
  /** The limits of a sensor; null: no such sensor. */
  limits(kind: 'sensor' | 'wireless', id: number): Promise<SensorLimits | null>
  /** The states of state sensors, by id. */
  states(sensorIds: readonly number[]): Promise<ReadonlyMap<number, readonly SensorState[]>>
  /** Name of a port for a title, for example `core1 Gi0/1`; null: no such port. */
  portName(portId: number): Promise<string | null>
  /** Name of a device for a title; null: no such device. */
  deviceName(deviceId: number): Promise<string | null>
}
