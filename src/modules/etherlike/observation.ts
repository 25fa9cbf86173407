/** An interface with Ethernet counters; natural key ifIndex. */
export interface EtherlikeRow {
  readonly ifIndex: number
}

/** The Ethernet counters of an interface at a poll (EtherLike-MIB::dot3StatsTable, RFC 3635). */
export interface EtherlikeCounterRow {
  readonly ifIndex: number
  /** Counter32 in the order of ETHERLIKE_COUNTERS; NaN: the agent does not have it. */
  readonly counters: readonly number[]
}
