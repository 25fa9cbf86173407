import type { ValueForm } from '../../lib/value-axis.ts'
import type { NarrowName } from '../../series/kinds.ts'
import type { Paint } from '../palette.ts'

/** A type of graph as data. `layout.ts` treats all types alike. */
export interface GraphType extends ValueForm {
  /** Its name in the API: `port_bits`, `device_uptime`. */
  readonly name: string
  /** `desc` of operation get_graphs. */
  readonly label: string
  /** Title of the image; absent: the label. */
  readonly title?: string
  readonly data: DataName
  /** Named series, drawn in this order; or `lines`, one line per series of the source. */
  readonly elements: readonly Element[] | 'lines'
  /** With `lines`: also draw the mean of all, if there are several. */
  readonly average?: true
  /** With `lines`: draw them as a stack. */
  readonly stack?: true
  /**
   * With `lines`: those with the bytes used and the size. They appear in the legend, or are drawn for a single subject.
   */
  readonly amounts?: readonly [used: string, size: string]
  /** With `lines`: the values are states, shown by name as bands. */
  readonly states?: true
  readonly columns: readonly Column[]
  /**
   * In ranges of up to this many days, the percentile uses 5-minute values even if there are fewer pixels. Absent: 0.
   */
  readonly fineDays?: number
  /** The class of kind `sensor` or `wireless`. */
  readonly sensorClass?: string
  /** Names of the kind's lines to read; absent: all. */
  readonly lines?: readonly string[]
}

/** Which series of the source a graph draws: rates of ports, or the lines of a kind. */
export type DataName = 'ports' | NarrowName

/**
 * Legend columns in order. `total`: octets over the range, for octet rates. `used` and `size`: bytes as of now.
 * `state`: the state as of now; `ok`: the share of known time in states that are ok.
 */
export type Column = 'now' | 'min' | 'avg' | 'max' | 'p95' | 'total' | 'used' | 'size' | 'state' | 'ok'

/** One drawn series. */
export interface Element {
  readonly series: string
  readonly label: string
  /** Factor from the stored to the drawn unit: 8 converts octets to bits. */
  readonly scale: number
  readonly paint: Paint
  /**
   * `area`: filled from the axis, or from `base`. `stack`: filled from the preceding stacked elements on its side.
   * `none`: only in the legend and in numbers.
   */
  readonly draw: 'area' | 'stack' | 'line' | 'band' | 'none'
  /** `below` is drawn downwards from the axis: outbound. */
  readonly side: 'above' | 'below'
  /** Lower series of a `band`. */
  readonly base?: string
  /** Drawn against a right axis of 0 to 100 %, named after its first element's label. */
  readonly percent?: true
  /** Not in the legend. */
  readonly silent?: true
}
