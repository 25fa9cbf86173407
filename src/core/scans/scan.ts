import type { ObservedHost, ProbeTarget, Source } from '../candidates/observed-host.ts'

/** State of a scan. `waiting`: not begun; `stopped`: by hand or with the server, goes on where it was when resumed. */
export type ScanState = 'waiting' | 'running' | 'stopped' | 'done' | 'failed'

/** What a scan has met so far, in addresses. */
export interface ScanCounts {
  /** All addresses of its networks that may be asked. */
  readonly total: number
  readonly done: number
  /** Addresses left out by autodiscovery.nets-exclude, or outside nets. */
  readonly excluded: number
  readonly answeredPing: number
  readonly answeredSnmp: number
  /** Answered with an SNMP error or a refusal of the credentials, by its text. */
  readonly refused: Readonly<Record<string, number>>
  readonly silent: number
  readonly found: number
  readonly added: number
  readonly known: number
  readonly ignored: number
}

export interface Scan {
  readonly id: number
  /** CIDR. */
  readonly networks: readonly string[]
  readonly pollerGroup: number
  readonly state: ScanState
  /** Datagrams per second at most. */
  readonly rate: number
  readonly counts: ScanCounts
  readonly startedBy: string
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  /** Estimated seconds until the end; null: not running, or unknown. */
  readonly restS: number | null
  /** Why it failed, or why it found nothing and what to check; null: nothing to say. */
  readonly why: string | null
}

/** How hosts are asked. */
export interface AskOptions {
  /** Datagrams per second at most; undefined: setting autodiscovery.rate. */
  readonly rate?: number | undefined
  /** False: no echo requests. */
  readonly ping?: boolean | undefined
  /** False: echo requests only. */
  readonly snmp?: boolean | undefined
}

/** Addresses to ask, which may be found while others are asked. */
export type ProbeTargets = Iterable<ProbeTarget> | AsyncIterable<ProbeTarget>

export function targetIterator(targets: ProbeTargets): Iterator<ProbeTarget> | AsyncIterator<ProbeTarget> {
  return Symbol.asyncIterator in targets ? targets[Symbol.asyncIterator]() : targets[Symbol.iterator]()
}

/** Where the addresses of a scan come from. Null: a scan that is stored elsewhere. */
export function scanSource(scanId: number | null): Source {
  const none = { remoteName: null, remotePort: null, remotePlatform: null, remoteDescription: null }
  return { kind: 'scan', scanId, deviceId: null, portId: null, ...none }
}

/** Whether a host answered nothing at all. */
export function isSilent({ pingMs, snmp, failure }: Omit<ObservedHost, 'target'>): boolean {
  return pingMs === null && snmp === null && failure === null
}

/**
 * Asks hosts by ping and SNMP at a bounded rate, in any order; addresses outside of the own networks are never asked and
 * do not appear. All have the same poller group: those of a remote poller are asked at its site. Ends when all were asked
 * or the signal is aborted. Never throws for what a host does, but an Error with a clause for users when the site cannot
 * be reached or cannot scan; nothing is known then about hosts without a result. Each result has the target object that it was given.
 */
export type AskHosts = (targets: ProbeTargets, signal: AbortSignal, options?: AskOptions) => AsyncIterable<ObservedHost>
