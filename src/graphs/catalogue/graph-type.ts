import type { Prefixes } from '../../lib/si.ts'
import type { NarrowName } from '../../series/kinds.ts'
import type { Paint } from '../palette.ts'

/** A type of graph as data. `layout.ts` treats all types alike. */
export interface GraphType {
  /** Its name in the API: `port_bits`, `device_uptime`. */
  readonly name: string
  /** Title, and `desc` of operation get_graphs. */
  readonly label: string
  readonly data: DataName
  /** Unit of the left axis; its SI prefixes. */
  readonly unit: string
  readonly prefixes: Prefixes
  /** Named series, drawn in this order; or `lines`, one line per series of the source. */
  readonly elements: readonly Element[] | 'lines'
  readonly columns: readonly Column[]
  /** The left axis. `zero`: from 0. `percent`: 0 to 100. `free`: around the values, for gauges such as temperatures. */
  readonly axis: 'zero' | 'percent' | 'free'
  /** In ranges of up to this many days, statistics are of 5-minute values even if there are fewer pixels. */
  readonly fineDays: number
  /** The class of kind `sensor` or `wireless`. */
  readonly sensorClass?: string
  /** Names of the kind's lines to read; absent: all. */
  readonly lines?: readonly string[]
}

/** Which series of the source a graph draws: rates of ports, or the lines of a kind. */
export type DataName = 'ports' | NarrowName

/** Legend columns in order. `total`: octets over the range, for octet rates. */
export type Column = 'now' | 'min' | 'avg' | 'max' | 'p95' | 'total'

/** One drawn series. */
export interface Element {
  readonly series: string
  readonly label: string
  /** Factor from the stored to the drawn unit: 8 converts octets to bits. */
  readonly scale: number
  readonly paint: Paint
  /** `area`: filled from the axis, or from `base`. `stack`: filled from the preceding stacked elements on its side. */
  readonly draw: 'area' | 'stack' | 'line' | 'band'
  /** `below` is drawn downwards from the axis: outbound. */
  readonly side: 'above' | 'below'
  /** Lower series of a `band`. */
  readonly base?: string
  /** Drawn against a right axis of 0 to 100 %. */
  readonly percent?: true
  /** Not in the legend. */
  readonly silent?: true
}
