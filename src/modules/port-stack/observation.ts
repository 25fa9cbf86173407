/**
 * One interface on top of another. The names are the API's and turned round: `low_ifIndex` is what ifStackTable calls
 * the higher layer, but of a link aggregation `high_ifIndex` is the aggregator (API record `ports_stack`).
 */
export interface PortStackRow {
  readonly high_ifIndex: number
  readonly low_ifIndex: number
  /** RowStatus: `active` is a layering that is in use. */
  readonly ifStackStatus: string
}
