/**
 * One batch of measurements on its way to the series tables: plain columns, ready for one statement per table.
 * Times are epoch milliseconds. NaN in a Float64Array is SQL NULL (unknown), never a number.
 */
export interface SampleBatch {
  readonly ports: PortSamples
  readonly portState: readonly PortState[]
  readonly devices: readonly DevicePoll[]
  readonly icmp: readonly IcmpSample[]
  readonly sensors: readonly GaugeSample[]
  readonly wireless: readonly GaugeSample[]
  readonly processors: readonly GaugeSample[]
  readonly mempools: readonly UsageSample[]
  readonly storage: readonly UsageSample[]
  /** Percent that printer supplies have left. */
  readonly supplies: readonly GaugeSample[]
  readonly stats: readonly StatSample[]
}

/** Columns of `length` rows; the arrays may be longer. `deltas` is column-major: counter c of row r is at `c * capacity + r` (order of PORT_COUNTERS). */
export interface PortSamples {
  readonly length: number
  readonly capacity: number
  readonly time: Float64Array
  readonly portId: Int32Array
  /** What the deltas span, ms of the agent's sysUpTime; > 0. */
  readonly periodMs: Int32Array
  readonly deltas: Float64Array
}

/**
 * The raw counters of all ports of one device at one poll: what the next poll subtracts from, also after a restart.
 * One row per device, written in the transaction of the samples it led to.
 */
export interface PortState {
  readonly deviceId: number
  readonly time: number
  /** Which ports, in the order of the columns below. */
  readonly portId: Int32Array
  /** sysUpTime of the response that carried the row, 1/100 s. */
  readonly ticks: Uint32Array
  /** Column-major [counter][port], unsigned 64 bit; 2^64-1 in both halves of a missing cell is told by `present`. */
  readonly counters: BigUint64Array
  /** Bit c of row r: counter c was read. */
  readonly present: Uint32Array
}

/** How a poll of a device went. */
export interface DevicePoll {
  readonly deviceId: number
  readonly time: number
  /** Wall time of the poll, ms. */
  readonly tookMs: number
  /** False: SNMP did not answer. */
  readonly answered: boolean
  /** Seconds; null: the agent has no sysUpTime, or did not answer. */
  readonly uptimeS: number | null
  readonly requests: number
  readonly timeouts: number
}

/** One round of ICMP echo. rtt null: no answer. */
export interface IcmpSample {
  readonly deviceId: number
  readonly time: number
  readonly sent: number
  readonly received: number
  readonly rttAvgMs: number | null
  readonly rttMinMs: number | null
  readonly rttMaxMs: number | null
}

/** A sensor's value in its unit, or a processor's percent. */
export interface GaugeSample {
  readonly id: number
  readonly time: number
  readonly value: number
}

/** Octets. */
export interface UsageSample {
  readonly id: number
  readonly time: number
  readonly used: number | null
  readonly free: number | null
  readonly total: number | null
  /** Percent. */
  readonly perc: number | null
}

/** Statistics of a device as a whole: `values[i]` belongs to SYSTEM_STATS[i]; NaN is unknown. */
export interface StatSample {
  readonly deviceId: number
  readonly time: number
  readonly values: Float64Array
}
