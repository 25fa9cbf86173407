/** A MAC address in a forwarding database; natural key (VLAN, MAC address), plus the port if the VLAN is unknown. */
export interface FdbRow {
  /** 12 lower-case hex digits. */
  readonly mac_address: string
  /** VLAN number; null: not reported. */
  readonly vlan: number | null
  /** Interface on which the address was learned; it may not be a stored port. */
  readonly ifIndex: number
}
