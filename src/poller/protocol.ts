import type { PingResult } from '@portlight/icmp/echo.ts'
import type { BulkState } from '@portlight/snmp/bulk.ts'
import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import type { OidList } from '@portlight/snmp/oid-list.ts'
import type { AgentIdentity, PingOutcome, ProbeOutcome, SnmpTarget } from '../core/base/gateway.ts'
import type { DeviceFacts } from '../modules/module.ts'
import type { Observation } from '../modules/observation.ts'
import type { PortPollColumn } from '../modules/ports/poll.ts'
import type { Clocks } from '../modules/system/uptime.ts'
import type { LogFormat } from '../observe/log.ts'

/**
 * Messages between the main thread and an SNMP worker: plain data, matched by job id. Large columns are transferred
 * rather than copied. A worker has no database connection, and no state that cannot be sent to it again.
 */
export type ToWorker =
  | { readonly kind: 'start'; readonly options: WorkerOptions }
  | {
      readonly kind: 'poll'
      readonly jobId: number
      readonly deviceId: number
      readonly version: number
      readonly plan: PollPlan | null
      readonly deadlineMs: number
      readonly quick: boolean
      /** sysUpTime of the last poll; null: unknown. The other clocks are read if it is lower now. */
      readonly lastTicks: number | null
    }
  | {
      readonly kind: 'discover'
      readonly jobId: number
      readonly target: SnmpTarget
      readonly facts: DeviceFacts
      readonly skip: readonly string[]
      /** Modules that the last discovery did not finish; they run first. */
      readonly unfinished: readonly string[]
      readonly deadlineMs: number
    }
  | { readonly kind: 'probe'; readonly jobId: number; readonly target: SnmpTarget }
  | { readonly kind: 'identify'; readonly jobId: number; readonly target: SnmpTarget }
  | {
      readonly kind: 'ping'
      readonly jobId: number
      readonly addresses: readonly string[]
      readonly count: number
      readonly timeoutMs: number
    }
  /** Lets a discovery that sent `large` continue. */
  | { readonly kind: 'go'; readonly jobId: number }
  | { readonly kind: 'forget'; readonly deviceId: number }
  | { readonly kind: 'limits'; readonly limits: SnmpLimits }
  | { readonly kind: 'drain' }

export type FromWorker =
  | { readonly kind: 'ready'; readonly notes: readonly string[] }
  | {
      readonly kind: 'polled'
      readonly jobId: number
      readonly deviceId: number
      readonly version: number
      readonly outcome: PollOutcome
    }
  | { readonly kind: 'discovered'; readonly jobId: number; readonly outcome: DiscoveryOutcome }
  /** A discovery that has read much data waits for `go`, and sends no requests until then. */
  | { readonly kind: 'large'; readonly jobId: number }
  | { readonly kind: 'probed'; readonly jobId: number; readonly outcome: ProbeOutcome }
  /** null: the agent did not answer. */
  | { readonly kind: 'identified'; readonly jobId: number; readonly identity: AgentIdentity | null }
  | { readonly kind: 'pinged'; readonly jobId: number; readonly results: readonly PingResult[] }
  /** A job that threw: a bug, never caused by the network. */
  | { readonly kind: 'failed'; readonly jobId: number; readonly message: string }
  /** The address floods the worker with unexpected datagrams. */
  | { readonly kind: 'flood'; readonly address: string }
  | { readonly kind: 'stats'; readonly transport: Readonly<Record<string, number>> }
  | { readonly kind: 'drained' }

export interface SnmpLimits {
  readonly timeoutMs: number
  readonly retries: number
  /** 0: learned from each agent. */
  readonly maxRepetitions: number
  /** Maximum number of rows of one table. */
  readonly maxRows: number
  /** Maximum number of rows of a table with one row per interface. */
  readonly maxPorts: number
  /** Maximum size of the responses to all walks of one discovery or poll, octets. */
  readonly maxOctets: number
}

export interface WorkerOptions {
  readonly name: string
  /** Maximum number of pending requests to all agents. */
  readonly inflight: number
  /** Setting log.format. */
  readonly logFormat?: LogFormat
  readonly limits: SnmpLimits
  /** True: this worker sends the ICMP echo requests. */
  readonly icmp: boolean
  /**
   * Shared memory; its first number is the id of the device whose response is being processed, to name the cause of a
   * stall; 0: none.
   */
  readonly current: Int32Array
}

/** What polls of a device read. Sent once per version and kept by the worker. */
export interface PollPlan {
  readonly target: SnmpTarget
  /** ifIndex of the ports to poll, ascending; result rows are in this order. */
  readonly ifIndex: Int32Array
  readonly columns: readonly PortPollColumn[]
  /**
   * Bit c of a row: counter c is read from the 64-bit object, else from the 32-bit one. Fixed in the plan, because some
   * agents report a 64-bit counter that stays at 0 while the 32-bit one works.
   */
  readonly wide: Uint32Array
  /** OIDs to GET; results are in this order. */
  readonly gauges: OidList
  /** Positions in `gauges` whose values are read as text, and how; absent: none. */
  readonly texts?: readonly (readonly [position: number, reading: string])[]
  /** Modules with a poll phase. */
  readonly modules: readonly string[]
  readonly facts: DeviceFacts
}

/** The columns of one poll, `rows` long each; counters are column-major [counter][row] as in PORT_COUNTERS. */
export interface PortColumns {
  readonly rows: number
  /** sysUpTime of the response that carried the row, 1/100 s. */
  readonly ticks: Uint32Array
  readonly counters: BigUint64Array
  /** Bit c: counter c of the row was read. */
  readonly present: Uint32Array
  /** Bit c: counter c of the row came from a 32-bit object. */
  readonly narrow: Uint32Array
  /** SNMP enumeration; 0: not read. */
  readonly admin: Uint8Array
  readonly oper: Uint8Array
  /** Mbit/s; 0xffffffff: not read. */
  readonly highSpeed: Uint32Array
  /** Names, aliases and descriptions that changed since they were last sent for this plan version. */
  readonly texts: readonly PortText[]
  /** Number of the plan's rows without any value; above 0 triggers a discovery. */
  readonly missing: number
  /** Number of interfaces seen that are not in the plan (a sparse plan sees few); above 0 triggers a discovery. */
  readonly unknown: number
}

export interface PortText {
  readonly row: number
  readonly field: 'ifName' | 'ifAlias' | 'ifDescr'
  readonly text: string
}

export interface Cost {
  readonly tookMs: number
  readonly requests: number
  readonly timeouts: number
}

export interface PollParts {
  readonly portsMs: number | null
  readonly gaugesMs: number | null
  /** Modules that read tables, which run one after the other. */
  readonly modules: readonly { readonly name: string; readonly tookMs: number }[]
}

export type PollOutcome =
  | {
      readonly kind: 'answered'
      /** Epoch ms at which the responses arrived. */
      readonly at: number
      readonly cost: Cost
      /** sysUpTime, 1/100 s; null: not reported. */
      readonly uptimeTicks: number | null
      /** The device's other clocks; null: not read. */
      readonly clocks: Clocks | null
      /**
       * The reason ports or gauges are incomplete; null: they are complete. Errors reported by the agent take
       * precedence.
       */
      readonly failure: SnmpFailure | null
      /** null: the device has no ports, or none was read. */
      readonly ports: PortColumns | null
      readonly gauges: Float64Array | null
      /** Duration of each part, null if there was nothing to read. Ports and gauges are read in parallel. */
      readonly took: PollParts
      readonly observations: readonly Observation[]
      readonly bulk: BulkState
    }
  /** No response to any request: SNMP is down. */
  | { readonly kind: 'failed'; readonly at: number; readonly cost: Cost; readonly failure: SnmpFailure }
  /** The worker does not have this version of the plan, because it was replaced: send the plan with the job. */
  | { readonly kind: 'planless' }

export type DiscoveryOutcome =
  | {
      readonly kind: 'answered'
      readonly cost: Cost
      readonly observations: readonly Observation[]
      readonly modules: readonly ModuleCost[]
      readonly complete: boolean
      /** The error-status of the first response; null: none. Failures of modules are in their notes. */
      readonly failure: SnmpFailure | null
      readonly bulk: BulkState
    }
  /** No response to the first request, so no module was run. */
  | { readonly kind: 'failed'; readonly cost: Cost; readonly failure: SnmpFailure }

export interface ModuleCost {
  readonly name: string
  readonly rows: number
  readonly requests: number
  readonly tookMs: number
  /** The reason data is missing (unsupported tables, truncated walks, deadline); '' if none. */
  readonly note: string
  /** False: a walk was truncated, so more rows may exist. */
  readonly complete: boolean
  /** Tables truncated by our limits, each with the limit. */
  readonly limited: readonly string[]
  /** Tables with rows that cannot be read, each with an index of such a row; absent: none. */
  readonly unread?: readonly string[]
  /** All tables that ended early, with the reason; absent: none. */
  readonly truncated?: readonly string[]
}

/** Result of a ping, in the form used when a device is added. */
export function pingOutcome(result: PingResult | undefined): PingOutcome {
  if (result === undefined || result.kind === 'unavailable') return { kind: 'unavailable' }
  return result.received > 0 && result.rttAvgMs !== null
    ? { kind: 'answer', rttMs: result.rttAvgMs }
    : { kind: 'silent' }
}
