/** A class of a QoS policy on an interface; natural key: where the policy is attached, direction, policy and class. */
export interface QosClassRow {
  /** 0: no interface, such as the control plane. */
  readonly ifIndex: number
  /** What the policy is attached to instead of the interface: `DLCI 16`, `VLAN 20`, `control plane`; '': the interface. */
  readonly circuit: string
  /** `input` or `output`; '': not reported. */
  readonly direction: string
  /** Name of the policy map that is attached. */
  readonly policy: string
  /** Name of the class map; in a nested policy after those of the outer classes: `shape-all / voice`. */
  readonly class: string
  /** Where the agent has its counters: cbQosPolicyIndex and cbQosObjectsIndex. May change when the agent restarts. */
  readonly qos_index: string
  /** cbQosConfigIndex. */
  readonly config_index: number
}

/** The counters of a class at a poll. */
export interface QosCounterRow {
  /** See `counterKey`. */
  readonly key: string
  /** Counter64 in the order of the kind's columns; NaN: the agent does not have it. */
  readonly counters: readonly number[]
}

/**
 * What identifies the counters of a class: their index, and what the class with this index was at discovery. Indexes are
 * given anew when an agent restarts, and the counters of another class are no reading.
 */
export function counterKey(row: {
  readonly qos_index: unknown
  readonly config_index: unknown
  readonly ifIndex: unknown
  readonly direction: unknown
}): string {
  return `${row.qos_index} ${row.config_index} ${row.ifIndex} ${row.direction}`
}
