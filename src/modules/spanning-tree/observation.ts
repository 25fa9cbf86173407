type Known<T> = T | null | undefined

/**
 * One spanning tree that a bridge takes part in (BRIDGE-MIB::dot1dStp, RFC 4188); natural key `instance`. Members are
 * named after their columns.
 */
export interface StpRow {
  /** `CST`: the only tree of the bridge, or the common one of MSTP. `VLAN 10`: that of a VLAN (PVST). */
  readonly instance: string
  /** The VLAN whose tree it is; null: all VLANs. */
  readonly vlan: number | null
  /** `stp`, `rstp`, `mstp`, `pvst`, `rapid-pvst`; null: the agent does not report it. */
  readonly protocol: string | null
  /** Address of the bridge, 12 hex digits. */
  readonly bridgeAddress?: Known<string>
  /** Priority of the bridge, on Cisco with the number of the VLAN. */
  readonly priority?: Known<number>
  /** Address of the root bridge, 12 hex digits. */
  readonly designatedRoot?: Known<string>
  readonly rootPriority?: Known<number>
  readonly rootCost?: Known<number>
  /** Bridge port that leads to the root; 0: the bridge is the root. */
  readonly rootPort?: Known<number>
  /** 1: the bridge is the root. */
  readonly is_root?: Known<0 | 1>
  /** Counted by the agent since it started. */
  readonly topChanges?: Known<number>
  /** Seconds; null also for trees that polls do not read. */
  readonly timeSinceTopologyChange?: Known<number>
  /** Seconds, as the root has them set. */
  readonly maxAge?: Known<number>
  readonly helloTime?: Known<number>
  readonly forwardDelay?: Known<number>
}

/** A bridge port in a spanning tree (BRIDGE-MIB::dot1dStpPortTable); natural key (instance, port_index). */
export interface StpPortRow {
  readonly instance: string
  readonly vlan: number | null
  /** Number of the bridge port. */
  readonly port_index: number
  /** Undefined: not read this time. */
  readonly ifIndex?: Known<number>
  /** `forwarding`, `blocking`, ... */
  readonly state?: Known<string>
  /** `root`, `designated`, `alternate`, `backup`, `disabled`; null: unknown. */
  readonly role?: Known<string>
  readonly priority?: Known<number>
  readonly pathCost?: Known<number>
  /** Address of the bridge that sends the best BPDU on the port's segment, 12 hex digits. */
  readonly designatedBridge?: Known<string>
  readonly designatedPort?: Known<number>
  /** Times that the port began to forward, counted by the agent since it started. */
  readonly forwardTransitions?: Known<number>
  /** 1: an edge port, to which no bridge is connected. */
  readonly edge?: Known<0 | 1>
}
