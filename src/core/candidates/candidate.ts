import type { HostState, Source } from './observed-host.ts'

/** State of a candidate. `new`: somebody has to decide; `added`: it is a device now. */
export type CandidateState = 'new' | 'ignored' | 'added'

/** A device that answers or was heard of, and is not monitored. */
export interface Candidate {
  readonly id: number
  readonly state: CandidateState
  /** sysName, else the name its neighbours give it, else its address. */
  readonly name: string
  /** The address it would be added by; null: neighbours name it without an address. */
  readonly address: string | null
  /** All addresses at which it answered. */
  readonly addresses: readonly string[]
  readonly pollerGroup: number
  readonly sysDescr: string | null
  readonly sysObjectId: string | null
  readonly os: string
  readonly hardware: string | null
  /** Manufacturer by its MAC address in ARP tables, if SNMP has not identified it; null: unknown. */
  readonly vendor: string | null
  readonly ports: number | null
  readonly sources: readonly SeenBy[]
  /** The credentials that worked, in words without secrets ("community 2 of the settings, v2c"); null: none. */
  readonly credentials: string | null
  readonly firstSeen: Date
  readonly lastSeen: Date
  /** Why it was not added: a sentence. */
  readonly why: string
  /** A monitored device that it probably is, under another address ("moved"); null: none. */
  readonly movedFrom: number | null
  readonly deviceId: number | null
}

/** A source with the names that a person reads. */
export interface SeenBy extends Source {
  readonly device: string | null
  readonly port: string | null
  readonly lastSeen: Date
}

/** How a candidate is added. Undefined: as the settings say. */
export interface AcceptOptions {
  /** `dns`: reverse name, `sysname`: sysName with setting mydomain, `address`. */
  readonly nameBy?: 'dns' | 'sysname' | 'address' | undefined
  readonly hostname?: string | undefined
  readonly pollerGroup?: number | undefined
  readonly location?: string | undefined
  readonly deviceGroups?: readonly number[] | undefined
  /** Add by ping alone where SNMP does not answer. */
  readonly pingOnly?: boolean | undefined
}

/** A rule that decides about candidates by itself; the first that fits counts. Undefined parts fit everything. */
export interface CandidateRule {
  readonly id: number
  readonly position: number
  readonly action: 'accept' | 'ignore'
  readonly network?: string | undefined
  readonly os?: string | undefined
  /** Linear patterns, PHP's delimiters accepted. */
  readonly sysName?: string | undefined
  readonly platform?: string | undefined
  readonly protocol?: string | undefined
}

/** A neighbour that is not monitored, on the topology: drawn faintly, with Add. */
export interface UnmonitoredNeighbour {
  readonly candidateId: number | null
  readonly name: string
  readonly platform: string | null
  /** Links of monitored devices to it. */
  readonly links: readonly { readonly deviceId: number; readonly portId: number | null; readonly port: string | null }[]
}

/** Result for one of several candidates that were accepted. */
export interface Accepted {
  readonly candidateId: number
  readonly deviceId: number | null
  readonly state: HostState
  /** Why it could not be added; null: it was. */
  readonly problem: string | null
}
