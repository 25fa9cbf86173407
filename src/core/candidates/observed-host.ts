import type { SnmpFailure } from '@portlight/snmp/failure.ts'

/** How a host came to be asked: addresses of a network that was scanned, or what a known device says of its neighbours. */
export type SourceKind =
  | 'scan'
  | 'lldp'
  | 'cdp'
  | 'fdp'
  | 'edp'
  | 'arp'
  | 'nd'
  | 'ospf'
  | 'ospfv3'
  | 'bgp'
  | 'isis'
  | 'fdb'

/** Where and by whom a host was seen. */
export interface Source {
  readonly kind: SourceKind
  /** null: not a scan. */
  readonly scanId: number | null
  /** The known device that reports it; null: a scan. */
  readonly deviceId: number | null
  /** The port of that device; null: unknown. */
  readonly portId: number | null
  /** The neighbour's own name for itself, its port and its platform or description, as reported; null: not reported. */
  readonly remoteName: string | null
  readonly remotePort: string | null
  readonly remotePlatform: string | null
  readonly remoteDescription: string | null
}

/** An address to ask. */
export interface ProbeTarget {
  readonly address: string
  /** Poller group whose poller asks; 0: the default group, asked from here. */
  readonly pollerGroup: number
  readonly source: Source
}

/** What tells one device from another. Everything is as the agent says it, bounded in length and number. */
export interface HostIdentity {
  readonly sysName: string | null
  readonly sysDescr: string | null
  /** Dotted decimal without a leading dot. */
  readonly sysObjectId: string | null
  /** snmpEngineID as lower-case hex digits; null: unknown. */
  readonly engineId: string | null
  /** entPhysicalSerialNum of the chassis (of a stack: of each member); empty: unknown. */
  readonly serials: readonly string[]
  /** dot1dBaseBridgeAddress or the chassis id of lldpLocChassisId, 12 lower-case hex digits; null: unknown. */
  readonly baseMac: string | null
  /** Distinct ifPhysAddress, 12 lower-case hex digits, without zeros, broadcast and group addresses. */
  readonly macs: readonly string[]
  /** Addresses of its interfaces (IP-MIB), without loopback and link-local ones. */
  readonly addresses: readonly string[]
  /** Operating system as discovery would name it; 'generic': unknown. */
  readonly os: string
  readonly hardware: string | null
  /** ifNumber; null: unknown. */
  readonly ports: number | null
}

/** The credentials that worked. */
export interface AcceptedCredentials {
  readonly version: 'v1' | 'v2c' | 'v3'
  /** Position in setting snmp.community or snmp.v3, from 0. The secret itself stays in the settings. */
  readonly index: number
  /** UDP port of the agent. */
  readonly port: number
}

/** Result of asking a host. */
export interface ObservedHost {
  readonly target: ProbeTarget
  /** Round trip in milliseconds; null: no echo reply, or none was asked for. */
  readonly pingMs: number | null
  /** null: SNMP did not answer, or refused every set of credentials. */
  readonly snmp: { readonly credentials: AcceptedCredentials; readonly identity: HostIdentity } | null
  /** Why there is no `snmp`; null: there is, or SNMP was silent. */
  readonly failure: SnmpFailure | null
}

/**
 * What became of a host.
 * - `found`: a new candidate, or a known candidate under this address
 * - `added`: added as a device at once, by a rule or by the autodiscovery settings
 * - `known`: a device that is monitored already (`deviceId`)
 * - `ignored`: a candidate that is ignored by hand or by a rule
 * - `excluded`: outside setting nets, or inside autodiscovery.nets-exclude; not asked
 * - `ping`: answers ping, but not SNMP: most such hosts of a network are nobody's business, so it is no candidate
 *   (setting autodiscovery.ping_fallback)
 * - `silent`: neither ping nor SNMP answered
 */
export type HostState = 'found' | 'added' | 'known' | 'ignored' | 'excluded' | 'ping' | 'silent'

export interface RecordedHost {
  readonly address: string
  readonly state: HostState
  /** Its name as it would be or is shown; null: unknown. */
  readonly name: string | null
  readonly sysObjectId: string | null
  readonly candidateId: number | null
  readonly deviceId: number | null
  /** A sentence: why it is in this state, and what to do next where something is missing. */
  readonly why: string
}
