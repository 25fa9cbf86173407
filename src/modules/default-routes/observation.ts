/** A route to everything (0.0.0.0/0 or ::/0) in the default routing table of a device; natural key: next_hop. */
export interface DefaultRouteRow {
  /** IP address, IPv6 compressed (RFC 5952). */
  readonly next_hop: string
  /** null: the agent gives none. */
  readonly ifIndex: number | null
}
