import { ERROR_STATUS, type ErrorStatus } from './pdu.ts'
import type { RefusalReason } from './security.ts'

/**
 * The reason something was not read from a device, as shown in the event log and by `device explain`. With some kinds
 * the agent did answer, but not with the requested objects (see `isAnswer`).
 */
export type SnmpFailure =
  /** No response after the last retry. */
  | { readonly kind: 'timeout' }
  /** Replies came from another address or port than the request was sent to (`from`), and were not accepted. */
  | { readonly kind: 'otherSource'; readonly from: string }
  /** The deadline of the poll or discovery passed before a response arrived. */
  | { readonly kind: 'deadline' }
  /** This host cannot send to the address: no route, or no socket for its address family. */
  | { readonly kind: 'unreachable' }
  /** The agent answered with a Report (RFC 3414 §3.2): user, password, security level, clock or context. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** The agent answered with an error-status (RFC 3416 §3). `tooBig`: even to a request for a single object. */
  | { readonly kind: 'error'; readonly status: ErrorStatus }
  /** The agent answered with an OID that does not follow the requested one, so the walk would never end. */
  | { readonly kind: 'notIncreasing' }
  /** The agent answered with so few objects per response that reading was stopped. */
  | { readonly kind: 'limit' }
  /** The request does not fit in a datagram. */
  | { readonly kind: 'requestTooBig' }
  /** The transport was closed: the program is stopping. */
  | { readonly kind: 'closed' }
  /** Portlight lost the request: a bug, which is logged. */
  | { readonly kind: 'lost' }
  /** A response stalled a worker: the device is not polled until then (ISO 8601, UTC). */
  | { readonly kind: 'stalled'; readonly until: string }
  /** No session can be opened with the stored address or credentials. `message` contains no secret. */
  | { readonly kind: 'invalid'; readonly message: string }
  /** The hostname has no address in the address family of the device's transport. */
  | { readonly kind: 'unresolved'; readonly hostname: string }

/** True if the agent answered, so SNMP is up. A refusal (Report) does not count: nothing can be read. */
export function isAnswer({ kind }: SnmpFailure): boolean {
  return kind === 'error' || kind === 'notIncreasing' || kind === 'limit'
}

/** True for failures of the same kind and detail, or when both are null. */
export function isSameFailure(a: SnmpFailure | null, b: SnmpFailure | null): boolean {
  if (a === null || b === null) return a === b
  return a.kind === b.kind && detailOf(a) === detailOf(b)
}

/** What distinguishes failures of one kind: error-status, refusal, time, message or hostname; '' for other kinds. */
export function detailOf(failure: SnmpFailure): string {
  switch (failure.kind) {
    case 'error':
      return failure.status
    case 'refused':
      return failure.reason
    case 'stalled':
      return failure.until
    case 'otherSource':
      return failure.from
    case 'invalid':
      return failure.message
    case 'unresolved':
      return failure.hostname
    default:
      return ''
  }
}

/** The failure with a stored kind and detail; null: this version does not know the kind. */
export function failureFrom(kind: string, detail: string): SnmpFailure | null {
  switch (kind) {
    case 'timeout':
    case 'deadline':
    case 'unreachable':
    case 'notIncreasing':
    case 'limit':
    case 'requestTooBig':
    case 'closed':
    case 'lost':
      return { kind }
    case 'refused':
      return { kind, reason: isRefusal(detail) ? detail : 'unknownReport' }
    case 'error':
      return { kind, status: ERROR_STATUS.find((status) => status === detail) ?? 'unknownStatus' }
    case 'stalled':
      return { kind, until: detail }
    case 'otherSource':
      return { kind, from: detail }
    case 'invalid':
      return { kind, message: detail }
    case 'unresolved':
      return { kind, hostname: detail }
    default:
      return null
  }
}

/** The counters that Reports carry, and what each means to the operator. */
const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  unsupportedSecLevel: 'the agent does not support the security level for this user (usmStatsUnsupportedSecLevels)',
  notInTimeWindow: 'the agent rejects every request as outside its time window (usmStatsNotInTimeWindows)',
  unknownUserName: 'the agent does not know the user (usmStatsUnknownUserNames)',
  unknownEngineID: 'the agent rejects its own engine ID (usmStatsUnknownEngineIDs)',
  wrongDigest: 'the agent rejects the authentication password or algorithm (usmStatsWrongDigests)',
  decryptionError: 'the agent rejects the privacy password or algorithm (usmStatsDecryptionErrors)',
  unknownContext: 'the agent does not know the context (snmpUnknownContexts)',
  unavailableContext: 'the context is not available (snmpUnavailableContexts)',
  unknownReport: 'the agent refuses the request with an unknown Report',
}

function isRefusal(text: string): text is RefusalReason {
  return Object.hasOwn(REFUSALS, text)
}

/** Text of a failure for events, `device explain` and the log; contains no secret. */
export function failureText(failure: SnmpFailure): string {
  switch (failure.kind) {
    case 'timeout':
      return 'no answer (timeout)'
    case 'otherSource':
      return `answers come from ${failure.from} instead of where the request was sent, so they are not accepted: let the agent answer from the address and port that it is asked at, add the device under the address that it answers from, or accept answers from anywhere for this device (snmp_any_source, --any-source)`
    case 'deadline':
      return 'no answer before the deadline'
    case 'unreachable':
      return 'this host cannot send to the address (unreachable)'
    case 'refused':
      return REFUSALS[failure.reason]
    case 'error':
      return failure.status === 'tooBig'
        ? 'the agent answers that the response would be too big, even for a single object (tooBig)'
        : `the agent answers with error-status ${failure.status}`
    case 'notIncreasing':
      return 'the agent answers with OIDs that do not increase'
    case 'limit':
      return 'the agent returns too few objects per response, so reading was stopped (limit)'
    case 'requestTooBig':
      return 'the request does not fit in a datagram'
    case 'closed':
      return 'the program is stopping'
    case 'lost':
      return 'Portlight lost the request; see its log'
    case 'stalled':
      return `a response from this device stalled a worker; it is not polled until ${failure.until.slice(0, 19)}Z`
    case 'invalid':
      return `no session can be opened: ${failure.message}`
    case 'unresolved':
      return `the name ${failure.hostname} does not resolve`
    default:
      throw new Error(`unknown failure: ${JSON.stringify(failure satisfies never)}`)
  }
}
