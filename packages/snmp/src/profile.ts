import type { ErrorStatus, PduView } from './pdu.ts'
import type { EngineState } from './usm/engine.ts'

/**
 * What was learned about one agent. The caller keeps it between sessions, so a poll starts where the last one ended; it
 * is plain data and may be lost at any time. Created by `newProfile`, changed only by the engine.
 */
export interface AgentProfile {
  /** Pending requests allowed to the agent; a fraction counts towards the next one. */
  window: number
  /** Limit of the window: half its size when a request was last lost. */
  ceiling: number
  /** Responses since the ceiling changed, and the number needed to raise it. */
  clean: number
  cleanNeeded: number
  /** Counts how often the window shrank, so that requests lost together shrink it only once. */
  epoch: number
  /** Smoothed round-trip time and its variation, milliseconds (RFC 6298 §2); 0: none measured. */
  rttMs: number
  rttVarMs: number
  /** Size of the largest response to ask for, octets. */
  responseOctets: number
  /** Maximum repetitions that the agent returns in one response. */
  repetitionCap: number
  /** Maximum varbinds that the agent accepts in one GET. */
  getCap: number
  /** Average size of one cell (varbind) of the port columns, octets. */
  cellOctets: number
  /** Complete bulk responses since one of the limits above was lowered. */
  bulkClean: number
  /** The agent pads sub-identifiers; see `PduView.unpad`. */
  padded: boolean
  /** The agent's OIDs do not always increase, so its tables are walked as a whole and polled with GET. */
  unordered: boolean
  /** The agent has answered GETBULK with objects. */
  bulkWorks: boolean
  /** Times since then that GETNEXT read what GETBULK did not. */
  bulkFailures: number
  /** Not null: GETNEXT is used, because of what the agent does with GETBULK. */
  bulkRefused: BulkRefusal | null
  /** GETNEXT had no response either, so it is not tried again before the agent answers something. */
  nextSilent: boolean
  /** SNMPv3: the authoritative engine, once discovered. */
  engine: EngineState | null
  /** Known limits of this type of agent; see `applyQuirks`. */
  quirks: AgentQuirks
}

/** What an agent does with GETBULK although it answers GETNEXT; `empty`: a response without objects. */
export type BulkRefusal = 'timeout' | 'empty' | ErrorStatus

/** Requests that must not be sent to an agent, even if it answers them. */
export interface AgentQuirks {
  /** False: use GETNEXT instead of GETBULK. */
  readonly bulk: boolean
  /** Limit of max-repetitions; 0: learned from the agent. */
  readonly maxRepetitions: number
  /** Limit of varbinds in a GET; 0: learned from the agent. */
  readonly maxVarbinds: number
  /** OIDs below which nothing may be walked; callers that walk have to check it. */
  readonly badTables: readonly string[]
}

export const NO_QUIRKS: AgentQuirks = { bulk: true, maxRepetitions: 0, maxVarbinds: 0, badTables: [] }

/** Sets the quirks and lowers learned limits to them. */
export function applyQuirks(profile: AgentProfile, quirks: AgentQuirks): void {
  profile.quirks = quirks
  profile.getCap = Math.min(profile.getCap, mostVarbinds(profile))
}

/** max-repetitions for the next GETBULK. */
export function maxRepetitionsOf({ repetitionCap, quirks }: AgentProfile): number {
  return quirks.maxRepetitions > 0 ? Math.min(repetitionCap, quirks.maxRepetitions) : repetitionCap
}

function mostVarbinds({ quirks }: AgentProfile): number {
  return quirks.maxVarbinds > 0 ? Math.min(MAX_GET, quirks.maxVarbinds) : MAX_GET
}

/** The Ethernet MTU of 1,500 octets less the IP and UDP headers; IPv6 leaves 20 octets less. */
const UNFRAGMENTED = { 4: 1472, 6: 1452 } as const

/** Every agent accepts messages of this size (RFC 3417 §3.2.1). */
export const MIN_RESPONSE_OCTETS = 484

/** The usual maximum size of a message besides its varbinds, octets. */
export const MESSAGE_OCTETS = { v1: 60, v2c: 60, v3: 170 } as const

const START_WINDOW = 2
const MAX_GET = 64
/** No request is retransmitted earlier than this, milliseconds. */
const MIN_EARLY_MS = 200
const NO_CAP = 1000
const CLEAN_NEEDED = 16
const MAX_CLEAN_NEEDED = 1024
/** Responses after which a lowered limit is raised a little. */
const BULK_CLEAN_NEEDED = 256

/** An empty profile; `family` is the agent's address family. */
export function newProfile(family: 4 | 6 = 4): AgentProfile {
  return {
    window: START_WINDOW,
    ceiling: NO_CAP,
    clean: 0,
    cleanNeeded: CLEAN_NEEDED,
    epoch: 0,
    rttMs: 0,
    rttVarMs: 0,
    responseOctets: UNFRAGMENTED[family],
    repetitionCap: NO_CAP,
    getCap: MAX_GET,
    cellOctets: 0,
    bulkClean: 0,
    padded: false,
    unordered: false,
    bulkWorks: false,
    bulkFailures: 0,
    bulkRefused: null,
    nextSilent: false,
    engine: null,
    quirks: NO_QUIRKS,
  }
}

/**
 * Records a response to a first try. The window grows by one per window of responses. The ceiling is raised after many
 * responses without loss, and after ever more of them if a request is lost each time (an agent that handles one at a
 * time).
 */
export function windowAnswered(profile: AgentProfile, maxWindow: number): void {
  const limit = Math.min(profile.ceiling, maxWindow)
  if (profile.window < limit) profile.window = Math.min(limit, profile.window + 1 / profile.window)
  profile.clean++
  if (profile.ceiling < maxWindow && profile.clean >= profile.cleanNeeded) {
    profile.ceiling++
    profile.clean = 0
  }
}

/** Records that a request sent in `epoch` had no response in time: the window falls to one, its ceiling to half. */
export function windowLost(profile: AgentProfile, epoch: number): void {
  if (epoch !== profile.epoch) return
  profile.epoch++
  // the window does not cause the loss of the only pending request
  if (profile.window < 2) profile.cleanNeeded = Math.max(CLEAN_NEEDED, profile.cleanNeeded / 2)
  else {
    profile.ceiling = Math.max(1, Math.floor(profile.window / 2))
    profile.cleanNeeded = Math.min(MAX_CLEAN_NEEDED, profile.cleanNeeded * 2)
  }
  profile.window = 1
  profile.clean = 0
}

/** Records the round-trip time of a request that was sent only once. */
export function rttMeasured(profile: AgentProfile, ms: number): void {
  if (profile.rttMs === 0) {
    profile.rttMs = ms
    profile.rttVarMs = ms / 2
    return
  }
  profile.rttVarMs += (Math.abs(ms - profile.rttMs) - profile.rttVarMs) / 4
  profile.rttMs += (ms - profile.rttMs) / 8
}

/**
 * Milliseconds after which a first try is retransmitted before its timeout, because the agent is known to answer
 * sooner; a lost datagram then costs this instead of a timeout. Infinity: never.
 */
export function earlyRepeatMs(profile: AgentProfile, timeoutMs: number): number {
  if (profile.rttMs === 0) return Number.POSITIVE_INFINITY
  const ms = Math.max(MIN_EARLY_MS, 2 * profile.rttMs + 4 * profile.rttVarMs)
  return ms < timeoutMs * 0.75 ? ms : Number.POSITIVE_INFINITY
}

/** Lowers the response size to ask for, after tooBig or after a request that was answered only when smaller. */
export function lowerResponse(profile: AgentProfile, octets: number): void {
  profile.responseOctets = Math.max(MIN_RESPONSE_OCTETS, Math.min(profile.responseOctets, Math.floor(octets)))
  profile.bulkClean = 0
}

/**
 * Records that the agent returned only `got` repetitions, in `octets` octets, although it has more. If that is near the
 * response size asked for, size was the limit; otherwise the agent limits repetitions.
 */
export function learnCut(profile: AgentProfile, got: number, octets: number): void {
  const perRepetition = octets / Math.max(1, got)
  if (octets + 1.5 * perRepetition >= profile.responseOctets) lowerResponse(profile, octets + perRepetition / 4)
  else profile.repetitionCap = Math.max(1, got)
  profile.bulkClean = 0
}

/** Records a complete bulk response. Lowered limits are raised from time to time, because an agent may be replaced. */
export function bulkAnswered(profile: AgentProfile, family: 4 | 6): void {
  if (++profile.bulkClean < BULK_CLEAN_NEEDED) return
  profile.bulkClean = 0
  profile.responseOctets = Math.min(UNFRAGMENTED[family], Math.ceil(profile.responseOctets * 1.2))
  if (profile.repetitionCap < NO_CAP) profile.repetitionCap = Math.min(NO_CAP, profile.repetitionCap * 2)
  profile.getCap = Math.min(mostVarbinds(profile), profile.getCap * 2)
}

/** Removes padding from the OIDs of a response that does not have the one that was asked for; true if there was any. */
export function unpadded(profile: AgentProfile, pdu: PduView): boolean {
  if (profile.padded || !pdu.unpad()) return false
  profile.padded = true
  return true
}
