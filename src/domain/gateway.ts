import type { SnmpFailure } from '../snmp/failure.ts'
import type { SnmpTarget } from '../snmp/target.ts'

/**
 * What the domain needs of the poller. Implemented by `src/poller` and wired in `src/compose.ts`. Tests of the API use
 * the real one.
 */
export interface Gateway {
  /** First address of a name in the family of the transport; null when it does not resolve. Never throws. */
  resolve(hostname: string, family: 4 | 6 | 'any'): Promise<string | null>
  /** ICMP echo; `unavailable` if this host cannot send any. */
  ping(address: string): Promise<PingOutcome>
  /** One GET of the system group with these credentials. */
  probe(target: SnmpTarget): Promise<ProbeOutcome>
  /** A device was added, changed or deleted, or its discovery was requested (last_discovered null): check now. */
  refresh(deviceId: number): void
  /** Discovers now; resolves when the result is stored. */
  discover(deviceId: number): Promise<RunSummary>
  /** Polls now; resolves when the result is stored. */
  poll(deviceId: number): Promise<RunSummary>
  /** Tries a device from the poller that has it; null: this process can try it itself. Throws StoreError. */
  contact(deviceId: number): Promise<ContactElsewhere | null>
}

/** What trying a device now has shown. */
export interface Contact {
  /** null: its name does not resolve, so there is no ping and no probe. */
  readonly address: string | null
  readonly ping: PingOutcome | null
  /** null: SNMP is off for the device. */
  readonly probe: ProbeOutcome | null
}

/** A contact made by another poller. */
export interface ContactElsewhere {
  /** Name of the poller. */
  readonly by: string
  /** A sentence: why there is none. */
  readonly result: Contact | string
}

export type PingOutcome = { kind: 'answer'; rttMs: number } | { kind: 'silent' } | { kind: 'unavailable' }

export type { AuthLevel, SnmpTarget, SnmpVersion } from '../snmp/target.ts'

export type ProbeOutcome =
  | {
      kind: 'answer'
      sysDescr: string | null
      sysObjectID: string | null
      sysName: string | null
      os: string
      snmpEngineID: string | null
    }
  /** Why there are no values; the agent may still have answered (`isAnswer`). */
  | { kind: 'failed'; failure: SnmpFailure }

export interface RunSummary {
  readonly outcome: 'ok' | 'partial' | 'unreachable' | 'failed'
  readonly tookMs: number
  /** Why data is missing; null: complete, or explained in the notes of the modules. */
  readonly failure: SnmpFailure | null
  /** Result and cost per module. */
  readonly modules: readonly { name: string; rows: number; requests: number; tookMs: number; note: string }[]
}
