import type { SnmpTarget } from '../snmp/target.ts'

/**
 * What the domain asks of the poller. Implemented by `src/poller`, wired in `src/compose.ts`, replaced by nothing:
 * tests of the API run against the real one.
 */
export interface Gateway {
  /** First address of a name in the family of the transport; null when it does not resolve. Never throws. */
  resolve(hostname: string, family: 4 | 6 | 'any'): Promise<string | null>
  /** ICMP echo; `unavailable` when this host can send none. */
  ping(address: string): Promise<PingOutcome>
  /** One GET of the system group with these credentials. */
  probe(target: SnmpTarget): Promise<ProbeOutcome>
  /** The store has a new, changed or removed device, or a request for discovery (last_discovered null): look now. */
  refresh(deviceId: number): void
  /** Discovers now; resolves when it is stored. */
  discover(deviceId: number): Promise<RunSummary>
  /** Polls now; resolves when it is stored. */
  poll(deviceId: number): Promise<RunSummary>
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
  | { kind: 'silent' }
  | { kind: 'refused'; reason: string }

export interface RunSummary {
  readonly outcome: 'ok' | 'partial' | 'unreachable' | 'failed'
  readonly tookMs: number
  /** Per module: what it found and cost. */
  readonly modules: readonly { name: string; rows: number; requests: number; tookMs: number; note: string }[]
}
