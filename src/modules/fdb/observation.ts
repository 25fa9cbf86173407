/** A MAC address in a forwarding database; natural key (VLAN, MAC address, and the port where the VLAN is not known). */
export interface FdbRow {
  /** 12 lower-case hex digits. */
  readonly mac_address: string
  /** VLAN number; null: the bridge does not tell. */
  readonly vlan: number | null
  /** The interface behind which the address is; it may be no port. */
  readonly ifIndex: number
}
