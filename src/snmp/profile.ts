import type { EngineState } from './usm/engine.ts'

/**
 * What was learned about one agent. The caller keeps it between sessions, so a poll starts where the last one ended; it is
 * plain data and may be lost at any time. Created by `newProfile`, changed only by the engine.
 */
export interface AgentProfile {
  /** Window: pending requests allowed to the agent; a fraction counts towards the next one. */
  window: number
  /** Limit of the window: half of the window at which a request was last lost. */
  ceiling: number
  /** Responses since the ceiling changed, and the number needed to raise it. */
  clean: number
  cleanNeeded: number
  /** Counts how often the window shrank: requests lost together shrink it once. */
  epoch: number
  /** Smoothed round-trip time and its variation, milliseconds (RFC 6298 §2); 0: none measured. */
  rttMs: number
  rttVarMs: number
  /** Octets of the largest response to request. */
  responseOctets: number
  /** Maximum repetitions that the agent returns in one response. */
  repetitionCap: number
  /** Maximum varbinds that the agent accepts in one GET. */
  getCap: number
  /** Octets of one cell (varbind) of the port columns, on average. */
  cellOctets: number
  /** Bulk answers since one of the limits above was lowered. */
  bulkClean: number
  /** SNMPv3: the authoritative engine, once discovered. */
  engine: EngineState | null
  /** Known limits of this type of agent; see `applyQuirks`. */
  quirks: AgentQuirks
}

/** Requests that an agent must not be sent, whatever it answers. */
export interface AgentQuirks {
  /** False: use GETNEXT instead of GETBULK. */
  readonly bulk: boolean
  /** Limit of max-repetitions; 0: learned from the agent. */
  readonly maxRepetitions: number
  /** Limit of varbinds in a GET; 0: learned from the agent. */
  readonly maxVarbinds: number
  /** OIDs below which nothing may be walked; walkers have to check it. */
  readonly badTables: readonly string[]
}

export const NO_QUIRKS: AgentQuirks = { bulk: true, maxRepetitions: 0, maxVarbinds: 0, badTables: [] }

/** Applies the quirks; learned limits stay within them. */
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

/** An Ethernet frame of 1,500 octets without its IP and UDP headers; IPv6 has 20 octets less. */
const UNFRAGMENTED = { 4: 1472, 6: 1452 } as const

/** Every agent accepts messages of this size (RFC 3417 §3.2.1). */
export const MIN_RESPONSE_OCTETS = 484

/** Octets of a message besides its varbinds, the usual maximum. */
export const MESSAGE_OCTETS = { v1: 60, v2c: 60, v3: 170 } as const

const START_WINDOW = 2
const MAX_GET = 64
/** A pause shorter than this does not trigger an early repetition. */
const MIN_EARLY_MS = 200
const NO_CAP = 1000
const CLEAN_NEEDED = 16
const MAX_CLEAN_NEEDED = 1024
/** Responses after which a lowered limit is raised a little. */
const BULK_CLEAN_NEEDED = 256

/** An empty profile; `family` is that of the agent's address. */
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
    engine: null,
    quirks: NO_QUIRKS,
  }
}

/**
 * A response to a first try. The window grows by one for each window of responses. The ceiling is raised after many clean
 * responses, and after more and more of them if raising it lost a request again (an agent that handles one at a time).
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

/** A request sent in `epoch` had no response in time: the window falls to one, its ceiling to half. */
export function windowLost(profile: AgentProfile, epoch: number): void {
  if (epoch !== profile.epoch) return
  profile.epoch++
  // losing the only pending request is not caused by the window
  if (profile.window < 2) profile.cleanNeeded = Math.max(CLEAN_NEEDED, profile.cleanNeeded / 2)
  else {
    profile.ceiling = Math.max(1, Math.floor(profile.window / 2))
    profile.cleanNeeded = Math.min(MAX_CLEAN_NEEDED, profile.cleanNeeded * 2)
  }
  profile.window = 1
  profile.clean = 0
}

/** The round-trip time of a request that was sent once. */
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
 * Milliseconds after which a first try is repeated before its timeout, because the agent is known to be faster: a lost
 * datagram then costs this instead of a timeout. Infinity: never.
 */
export function earlyRepeatMs(profile: AgentProfile, timeoutMs: number): number {
  if (profile.rttMs === 0) return Number.POSITIVE_INFINITY
  const ms = Math.max(MIN_EARLY_MS, 2 * profile.rttMs + 4 * profile.rttVarMs)
  return ms < timeoutMs * 0.75 ? ms : Number.POSITIVE_INFINITY
}

/** Lowers the size of responses, after a tooBig or a request that was answered only when smaller. */
export function lowerResponse(profile: AgentProfile, octets: number): void {
  profile.responseOctets = Math.max(MIN_RESPONSE_OCTETS, Math.min(profile.responseOctets, Math.floor(octets)))
  profile.bulkClean = 0
}

/**
 * The agent returned `got` of `asked` repetitions in `octets` octets although it has more. Near the requested size, size
 * was the limit; otherwise the agent caps repetitions.
 */
export function learnCut(profile: AgentProfile, got: number, octets: number): void {
  const perRepetition = octets / Math.max(1, got)
  if (octets + 1.5 * perRepetition >= profile.responseOctets) lowerResponse(profile, octets + perRepetition / 4)
  else profile.repetitionCap = Math.max(1, got)
  profile.bulkClean = 0
}

/** A complete bulk response. Lowered limits are raised from time to time, because an agent may be replaced. */
export function bulkAnswered(profile: AgentProfile, family: 4 | 6): void {
  if (++profile.bulkClean < BULK_CLEAN_NEEDED) return
  profile.bulkClean = 0
  profile.responseOctets = Math.min(UNFRAGMENTED[family], Math.ceil(profile.responseOctets * 1.2))
  if (profile.repetitionCap < NO_CAP) profile.repetitionCap = Math.min(NO_CAP, profile.repetitionCap * 2)
  profile.getCap = Math.min(mostVarbinds(profile), profile.getCap * 2)
}
