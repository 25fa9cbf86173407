import type { Prefixes } from '../../lib/si.ts'
import type { Paint } from '../palette.ts'

/** A kind of graph as data. What `layout.ts` does with it holds for every kind. */
export interface GraphType {
  /** As the API names it: `port_bits`, `device_uptime`. */
  readonly name: string
  /** Title, and `desc` of operation get_graphs. */
  readonly label: string
  readonly data: DataName
  /** Unit of the left axis; its SI prefixes. */
  readonly unit: string
  readonly prefixes: Prefixes
  /** Named series, drawn in this order; or one line for each series the source gives. */
  readonly elements: readonly Element[] | 'lines'
  readonly columns: readonly Column[]
  /** The left axis. `zero`: from 0. `percent`: 0 to 100. `free`: around the values, for levels such as temperatures. */
  readonly axis: 'zero' | 'percent' | 'free'
  /** In ranges of up to so many days the statistics are of 5-minute values even where pixels are fewer. */
  readonly fineDays: number
  /** The class of `sensors` or `wireless`. */
  readonly sensorClass?: string
}

/** Which of the source's series a graph draws. */
export type DataName =
  | 'ports'
  | 'device'
  | 'icmp'
  | 'processors'
  | 'mempools'
  | 'storage'
  | 'sensors'
  | 'wireless'
  | 'supplies'
  | 'stats'
  | 'service'

/** Legend columns, in the order given. `total`: octets over the range, for octet rates. */
export type Column = 'now' | 'min' | 'avg' | 'max' | 'p95' | 'total'

/** One drawn series. */
export interface Element {
  readonly series: string
  readonly label: string
  /** Factor from the stored to the drawn unit: 8 makes bits of octets. */
  readonly scale: number
  readonly paint: Paint
  /** `area`: filled from the axis, or from `base`. `stack`: filled from the stacked elements before it on its side. */
  readonly draw: 'area' | 'stack' | 'line' | 'band'
  /** `below` hangs under the axis: outbound. */
  readonly side: 'above' | 'below'
  /** Series that a `band` starts from. */
  readonly base?: string
  /** Drawn against a right axis of 0 to 100 %. */
  readonly percent?: true
  /** Not in the legend. */
  readonly silent?: true
}
