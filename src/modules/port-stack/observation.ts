/**
 * One interface layered on another (API record `ports_stack`): a port-channel is the high one of its members, a VLAN
 * interface that of its port. 0 on one side: nothing is above or below the other (RFC 2863, ifStackTable).
 */
export interface PortStackRow {
  readonly high_ifIndex: number
  readonly low_ifIndex: number
  /** RowStatus; `active` if the layering is in use. */
  readonly ifStackStatus: string
}
