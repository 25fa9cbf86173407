type Known<T> = T | null | undefined

/**
 * An adjacency to another IS-IS router (ISIS-MIB::isisISAdjTable, RFC 4444); natural key (isisCircIndex,
 * isisISAdjNeighSysID, isisISAdjUsage). Members are named after their columns. The number of an adjacency in the MIB is
 * not part of the key, because it changes with each flap.
 */
export interface IsisAdjacencyRow {
  readonly isisCircIndex: number
  /** `0100.9919.1255`; the number of the adjacency in the MIB if the agent does not report the system ID. */
  readonly isisISAdjNeighSysID: string
  /** `level1`, `level2`, `level1and2`; '': not reported. */
  readonly isisISAdjUsage: string
  readonly ifIndex?: Known<number>
  readonly isisISAdjState?: Known<string>
  readonly isisISAdjNeighSysType?: Known<string>
  /** Seconds until the adjacency expires without another hello. */
  readonly isisISAdjHoldTimer?: Known<number>
  readonly isisISAdjNeighPriority?: Known<number>
  /** Seconds since the adjacency came up; null: it is not up, or the agent does not report it. */
  readonly isisISAdjUptime?: Known<number>
  /** `49.0001`, several separated by commas. */
  readonly isisISAdjAreaAddress?: Known<string>
  /** IP address of the neighbour on the circuit. */
  readonly isisISAdjIPAddrAddress?: Known<string>
  readonly isisCircAdminState?: Known<string>
}
