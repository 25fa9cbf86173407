/**
 * One interface layered on another. The names are the API's and are inverted: `low_ifIndex` is what ifStackTable calls
 * the higher layer. For a link aggregation, however, `high_ifIndex` is the aggregator (API record `ports_stack`).
 */
export interface PortStackRow {
  readonly high_ifIndex: number
  readonly low_ifIndex: number
  /** RowStatus; `active` if the layering is in use. */
  readonly ifStackStatus: string
}
