import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'

/**
 * What services have pollers do. `src/core/pollers/gateway.ts` has the owner of a device do it, in this process or in
 * another; a poller by itself (`src/poller`) does everything here.
 */
export interface Gateway {
  /** First address of a name in the family of the transport; null when it does not resolve. Never throws. */
  resolve(hostname: string, family: 4 | 6 | 'any'): Promise<string | null>
  /** Pings an address; `unavailable` if this host cannot send pings. */
  ping(address: string): Promise<PingOutcome>
  /** One GET of objects of the system group with these credentials. */
  probe(target: SnmpTarget): Promise<ProbeOutcome>
  /** Reads what identifies an agent, within limits; null: it did not answer. Never throws for what it sends. */
  identify(target: SnmpTarget): Promise<AgentIdentity | null>
  /** Call when a device was added, changed or deleted, or its discovery was requested (last_discovered null). */
  refresh(deviceId: number): void
  /** Discovers now; resolves when the result is stored. */
  discover(deviceId: number): Promise<RunSummary>
  /** Polls now; resolves when the result is stored. */
  poll(deviceId: number): Promise<RunSummary>
  /** Has the poller that owns a device contact it; null: this process can contact it itself. Throws StoreError. */
  contact(deviceId: number): Promise<ContactElsewhere | null>
}

/** Result of contacting a device. */
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
  /** The contact, or the reason there is none as a sentence. */
  readonly result: Contact | string
}

export type PingOutcome = { kind: 'answer'; rttMs: number } | { kind: 'silent' } | { kind: 'unavailable' }

export type { AuthLevel, SnmpTarget, SnmpVersion } from '@portlight/snmp/target.ts'

export type ProbeOutcome =
  | {
      kind: 'answer'
      sysDescr: string | null
      sysObjectID: string | null
      sysName: string | null
      os: string
      snmpEngineID: string | null
    }
  /** There are no values; the agent may still have answered (see `isAnswer`). */
  | { kind: 'failed'; failure: SnmpFailure }

/** What an agent says that tells it from others, bounded in length and number. Empty and null: unknown. */
export interface AgentIdentity {
  readonly sysName: string | null
  /** snmpEngineID as lower-case hex digits. */
  readonly engineId: string | null
  /** entPhysicalSerialNum of the chassis: of a stack, of each member. */
  readonly serials: readonly string[]
  /** dot1dBaseBridgeAddress, or lldpLocChassisId that is a MAC address; 12 lower-case hex digits. */
  readonly baseMac: string | null
  /** Distinct ifPhysAddress, 12 lower-case hex digits. */
  readonly macs: readonly string[]
  /** Addresses of its interfaces (IP-MIB). */
  readonly addresses: readonly string[]
}

export interface RunSummary {
  readonly outcome: 'ok' | 'partial' | 'unreachable' | 'failed'
  readonly tookMs: number
  /** The reason data is missing; null: complete, or explained in the notes of the modules. */
  readonly failure: SnmpFailure | null
  /** Result and cost per module. */
  readonly modules: readonly { name: string; rows: number; requests: number; tookMs: number; note: string }[]
}
