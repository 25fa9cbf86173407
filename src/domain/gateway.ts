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

export type SnmpVersion = 'v1' | 'v2c' | 'v3'
export type AuthLevel = 'noAuthNoPriv' | 'authNoPriv' | 'authPriv'

/** Where and how to speak SNMP with an agent: the members of the device record that say so. */
export interface SnmpTarget {
  /** IP address, not a name. */
  readonly address: string
  readonly port: number
  readonly transport: 'udp' | 'udp6'
  readonly snmpver: SnmpVersion
  readonly community: string | null
  readonly authlevel: AuthLevel | null
  readonly authname: string | null
  readonly authpass: string | null
  /** MD5, SHA, SHA-224, SHA-256, SHA-384, SHA-512. */
  readonly authalgo: string | null
  readonly cryptopass: string | null
  /** DES, AES (128), AES-192, AES-256 (Blumenthal key extension), AES-192-C, AES-256-C (Reeder, Cisco). */
  readonly cryptoalgo: string | null
  /** Seconds for one try; null: setting snmp.timeout. */
  readonly timeout: number | null
  /** Tries after the first; null: setting snmp.retries. */
  readonly retries: number | null
}

export type ProbeOutcome =
  | { kind: 'answer'; sysDescr: string | null; sysObjectID: string | null; sysName: string | null; os: string; snmpEngineID: string | null }
  | { kind: 'silent' }
  | { kind: 'refused'; reason: string }

export interface RunSummary {
  readonly outcome: 'ok' | 'partial' | 'unreachable' | 'failed'
  readonly tookMs: number
  /** Per module: what it found and cost. */
  readonly modules: readonly { name: string; rows: number; requests: number; tookMs: number; note: string }[]
}
