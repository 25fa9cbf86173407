import type { PingOutcome, ProbeOutcome, SnmpTarget } from '../domain/gateway.ts'
import type { PingResult } from '../icmp/echo.ts'
import type { DeviceFacts } from '../modules/module.ts'
import type { Observation } from '../modules/observation.ts'
import type { PortPollColumn } from '../modules/ports/poll.ts'
import type { LogFormat } from '../observe/log.ts'
import type { SnmpFailure } from '../snmp/failure.ts'

/**
 * Everything that crosses between the main thread and an SNMP worker: plain data, answered by job id. Large columns are
 * transferred, not copied. A worker holds no database connection and no state that cannot be sent to it again.
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
    }
  | {
      readonly kind: 'discover'
      readonly jobId: number
      readonly target: SnmpTarget
      readonly facts: DeviceFacts
      readonly skip: readonly string[]
      /** Modules that the last discovery did not finish: they run first. */
      readonly unfinished: readonly string[]
      readonly deadlineMs: number
    }
  | { readonly kind: 'probe'; readonly jobId: number; readonly target: SnmpTarget }
  | {
      readonly kind: 'ping'
      readonly jobId: number
      readonly addresses: readonly string[]
      readonly count: number
      readonly timeoutMs: number
    }
  /** A discovery that said `large` may go on. */
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
  /** A discovery that has read much waits for `go`; until then it asks the agent nothing. */
  | { readonly kind: 'large'; readonly jobId: number }
  | { readonly kind: 'probed'; readonly jobId: number; readonly outcome: ProbeOutcome }
  | { readonly kind: 'pinged'; readonly jobId: number; readonly results: readonly PingResult[] }
  /** A job that threw: a defect of ours, never a condition of the network. */
  | { readonly kind: 'failed'; readonly jobId: number; readonly message: string }
  /** The address sends datagrams that nobody waits for, very many. */
  | { readonly kind: 'flood'; readonly address: string }
  | { readonly kind: 'stats'; readonly transport: Readonly<Record<string, number>> }
  | { readonly kind: 'drained' }

export interface SnmpLimits {
  readonly timeoutMs: number
  readonly retries: number
  /** 0: found out for each agent. */
  readonly maxRepetitions: number
  /** Of one table, and of all walks of one discovery or poll. */
  readonly maxRows: number
  /** Rows of a table of interfaces. */
  readonly maxPorts: number
  readonly maxOctets: number
}

export interface WorkerOptions {
  readonly name: string
  /** Requests under way at the same time, over all agents. */
  readonly inflight: number
  /** Setting log.format. */
  readonly logFormat?: LogFormat
  readonly limits: SnmpLimits
  /** This worker sends the ICMP echo requests. */
  readonly icmp: boolean
  /** Shared memory: its first number is the device whose answer the worker is dealing with, so that a stall has a name. 0: none. */
  readonly current: Int32Array
}

/** What a poll of a device reads. Sent once for each version; the worker keeps it. */
export interface PollPlan {
  readonly target: SnmpTarget
  /** ifIndex of the ports to poll, ascending; rows of the answer are in this order. */
  readonly ifIndex: Int32Array
  readonly columns: readonly PortPollColumn[]
  /** Bit c of a row: its counter c is the 64-bit object; else the 32-bit one, whatever the other object says (some agents give a 64-bit zero beside a 32-bit counter that moves). */
  readonly wide: Uint32Array
  /** OIDs to GET, dotted decimal: values come back in this order. */
  readonly gauges: readonly string[]
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
  /** Names and aliases that differ from those last sent for this plan version. */
  readonly texts: readonly PortText[]
  /** How many rows of the plan the agent has nothing of. Above 0 is a reason to discover again. */
  readonly missing: number
  /** How many interfaces were seen that are not in the plan; few of a sparse plan are. Above 0 is a reason to discover again. */
  readonly unknown: number
}

export interface PortText {
  readonly row: number
  readonly field: 'ifName' | 'ifAlias'
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
  readonly modulesMs: number | null
}

export type PollOutcome =
  | {
      readonly kind: 'answered'
      /** Epoch ms at which the answers came. */
      readonly at: number
      readonly cost: Cost
      /** sysUpTime, 1/100 s; null: the agent has none. */
      readonly uptimeTicks: number | null
      /** Why ports or gauges were not all read; null: they were. Failures that are answers of the agent go first. */
      readonly failure: SnmpFailure | null
      /** null: the device has none, or nothing of them was read. */
      readonly ports: PortColumns | null
      readonly gauges: Float64Array | null
      /** How long its parts took; ports and gauges are read side by side. null: nothing of the kind. */
      readonly took: PollParts
      readonly observations: readonly Observation[]
    }
  /** No response to any request: SNMP is down. */
  | { readonly kind: 'failed'; readonly at: number; readonly cost: Cost; readonly failure: SnmpFailure }
  /** The worker does not have this version of the plan (it is new): send it along. */
  | { readonly kind: 'planless' }

export type DiscoveryOutcome =
  | {
      readonly kind: 'answered'
      readonly cost: Cost
      readonly observations: readonly Observation[]
      readonly modules: readonly ModuleCost[]
      readonly complete: boolean
      /** The error-status of the first response; null: it had none. What modules miss is in their notes. */
      readonly failure: SnmpFailure | null
    }
  /** No response to the first request: no module was run. */
  | { readonly kind: 'failed'; readonly cost: Cost; readonly failure: SnmpFailure }

export interface ModuleCost {
  readonly name: string
  readonly rows: number
  readonly requests: number
  readonly tookMs: number
  /** '' or why something is missing: unsupported tables, truncated walks, not reached. */
  readonly note: string
  /** False: a walk was cut short, so that there may be more rows. */
  readonly complete: boolean
  /** Tables that limits of ours cut, each with the limit. */
  readonly cut: readonly string[]
}

/** One round of echo as the yes or no that adding a device wants. */
export function pingOutcome(result: PingResult | undefined): PingOutcome {
  if (result === undefined || result.kind === 'unavailable') return { kind: 'unavailable' }
  return result.received > 0 && result.rttAvgMs !== null
    ? { kind: 'answer', rttMs: result.rttAvgMs }
    : { kind: 'silent' }
}
