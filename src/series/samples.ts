import type { NarrowName } from './kinds.ts'

/**
 * A batch of measurements to store, in plain columns, ready for one statement per table. Times are epoch milliseconds.
 * NaN is SQL NULL (unknown), never a number.
 */
export interface SampleBatch {
  readonly ports: PortSamples
  readonly portState: readonly PortCounters[]
  /** Ports whose octets were read twice and gave no delta; absent: none. */
  readonly refusedPairs?: readonly RefusedPair[]
  /** Results of polls, for the inventory; their samples are of kind `device`. */
  readonly polls: readonly DevicePoll[]
  /** Samples of the other kinds; a kind without samples may be absent. */
  readonly series: Readonly<Partial<Record<NarrowName, SeriesRows>>>
  /** The claims under which the rows were made; absent: they are written no matter who polls their devices. */
  readonly claims?: BatchClaims
}

/** A poller's right to write about a device, until another poller claims it. */
export interface DeviceClaim {
  readonly deviceId: number
  /** A new number for each claim. */
  readonly claim: number
}

/** The claim of each row of a batch, as a position in `held`: the lists are as long as those of the batch. */
export interface BatchClaims {
  /** The same claim may occur several times. */
  readonly held: readonly DeviceClaim[]
  readonly ports: Int32Array
  readonly portState: readonly number[]
  readonly refusedPairs: readonly number[]
  readonly polls: readonly number[]
  readonly series: Readonly<Partial<Record<NarrowName, readonly number[]>>>
}

/**
 * Samples of one kind: row r belongs to the subject `id[r]`, and its column c is `values[c][r]`, in the order of the
 * kind's columns.
 */
export interface SeriesRows {
  readonly time: readonly number[]
  readonly id: readonly number[]
  /** Time covered by counter deltas, ms; 0 for kinds without counters. */
  readonly periodMs: readonly number[]
  readonly values: readonly (readonly number[])[]
}

/**
 * Columns of `length` rows; the arrays may be longer. `deltas` is column-major: counter c of row r is at `c * capacity
 * + r` (order of PORT_COUNTERS).
 */
export interface PortSamples {
  readonly length: number
  readonly capacity: number
  readonly time: Float64Array
  readonly portId: Int32Array
  /** Time covered by the deltas in ms of the agent's sysUpTime; > 0. */
  readonly periodMs: Int32Array
  readonly deltas: Float64Array
}

/** A port whose octets between the polls at `since` and `time` (epoch milliseconds) are unknown, and why. */
export interface RefusedPair {
  readonly portId: number
  readonly since: number
  readonly time: number
  readonly reason: string
}

/**
 * Raw counters of all ports of a device at one poll, which the next poll subtracts from, also after a restart. One row
 * per device, written in the same transaction as the samples.
 */
export interface PortCounters {
  readonly deviceId: number
  readonly time: number
  /** port_id of each row of the columns below. */
  readonly portId: Int32Array
  /** sysUpTime of the response that carried the row, 1/100 s. */
  readonly ticks: Uint32Array
  /**
   * Column-major [counter][port], unsigned 64 bit. A missing cell is 2^64-1, but only `present` marks it as missing.
   */
  readonly counters: BigUint64Array
  /** Bit c of row r: counter c was read. */
  readonly present: Uint32Array
}

/** Result of a poll of a device. */
export interface DevicePoll {
  readonly deviceId: number
  readonly time: number
  /** Duration of the poll, ms. */
  readonly tookMs: number
  /** False: the agent did not answer. */
  readonly answered: boolean
  /** Seconds; null: the agent has no sysUpTime, or did not answer. */
  readonly uptimeS: number | null
}
