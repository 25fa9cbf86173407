/** One entry of the ARP or IPv6 neighbour cache: an address and its MAC address on an interface. */
export interface ArpRow {
  readonly ifIndex: number
  /** Dotted quad, or uncompressed IPv6: eight groups of four digits. */
  readonly address: string
  /** 12 lower-case hex digits. */
  readonly mac: string
  /** SNMP context or VRF name; null: the default context. */
  readonly context: string | null
}
