import type { SnmpTarget } from '@portlight/snmp/target.ts'
import type { AcceptedCredentials, ObservedHost } from '../core/candidates/observed-host.ts'
import type { AgentPorts } from '../core/scans/network-options.ts'

/** A set of credentials of the settings. */
export interface Trial {
  readonly version: AcceptedCredentials['version']
  /** Position in snmp.community or snmp.v3, from 0. */
  readonly index: number
  readonly credentials: Omit<SnmpTarget, 'address' | 'port' | 'transport' | 'timeout' | 'retries'>
}

/** How the hosts of a job are asked. */
export interface JobOptions extends AgentPorts {
  /** Datagrams a second at most. */
  readonly rate: number
  readonly ping: boolean
  /** In the order of setting snmp.version; none: ping only. */
  readonly trials: readonly Trial[]
  /** Milliseconds to wait for an SNMP response, and for an echo reply. */
  readonly timeoutMs: number
  readonly pingTimeoutMs: number
  /** Nothing is ever sent to an address outside of `own` or inside of `exclude` (CIDR). */
  readonly own: readonly string[]
  readonly exclude: readonly string[]
}

/** What a host answered. */
export type HostAnswer = Omit<ObservedHost, 'target'>

/** The answer of a host that answered nothing. */
export const SILENT: HostAnswer = { pingMs: null, snmp: null, failure: null }

export type ToScanner =
  | { readonly kind: 'begin'; readonly job: number; readonly options: JobOptions }
  /** `ids` are the caller's numbers of the addresses. */
  | {
      readonly kind: 'hosts'
      readonly job: number
      readonly ids: readonly number[]
      readonly addresses: readonly string[]
    }
  | { readonly kind: 'end'; readonly job: number }

export type FromScanner =
  | { readonly kind: 'ready'; readonly problem: string | null }
  /** `silent`: numbers of those that did not answer; `outside`: of those that must not be asked. */
  | {
      readonly kind: 'hosts'
      readonly job: number
      readonly answered: readonly (HostAnswer & { readonly id: number })[]
      readonly silent: readonly number[]
      readonly outside: readonly number[]
    }
