/** One entry of ARP or of the IPv6 neighbour cache: an address and the MAC address behind an interface. */
export interface ArpRow {
  readonly ifIndex: number
  /** Dotted quad, or uncompressed IPv6: eight groups of four digits. */
  readonly address: string
  /** 12 lower-case hex digits. */
  readonly mac: string
  /** SNMP context or VRF name; null is the default one. */
  readonly context: string | null
}
