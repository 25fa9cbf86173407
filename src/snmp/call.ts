import { encodeOid } from '../lib/oid.ts'
import type { BerWriter } from './ber.ts'
import { SnmpError } from './errors.ts'
import type { PduView } from './pdu.ts'
import type { AgentProfile } from './profile.ts'
import type { RefusalReason } from './security.ts'
import type { SnmpTarget } from './target.ts'

export interface SessionOptions {
  /** What earlier sessions learned about the agent; changed by this one. Default: a new one. */
  readonly profile?: AgentProfile
  /** contextName of v3. */
  readonly context?: string
  /** Milliseconds for one try; `target.timeout` goes first. Default 1000. */
  readonly timeoutMs?: number
  /** Tries after the first; `target.retries` goes first. Default 5. */
  readonly retries?: number
  /** Upper limit of max-repetitions; 0: found out. */
  readonly maxRepetitions?: number
  /** Upper limit of requests under way to this agent. Default 8. */
  readonly maxWindow?: number
  /** Milliseconds from now after which requests of this session fail as `deadline`. */
  readonly deadlineMs?: number
}

/** Why a request has no response. None of these is thrown. */
export type Failure =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'deadline' }
  /** This host cannot send to that address. */
  | { readonly kind: 'unreachable' }
  /** The agent answered with a Report: credentials, context or clock. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'closed' }
  /** The request does not fit a datagram. */
  | { readonly kind: 'requestTooBig' }

/** One request as its maker sees it. */
export interface Call {
  readonly type: number
  /** non-repeaters. */
  readonly first: number
  /** max-repetitions of a try: the maker may ask for less when earlier tries had no answer. */
  second(attempt: number): number
  varbinds(writer: BerWriter, attempt: number): void
  /** `pdu` is valid during the call only; `octets` is the size of the message. */
  answered(pdu: PduView, octets: number, attempt: number): void
  failed(failure: Failure): void
}

/** Work that consists of many requests. The session asks for the next one whenever its window has room. */
export interface Source {
  /** Sends one more request by `session.send`. False: none can be sent now. */
  next(): boolean
  /** Nothing can be sent any more. */
  abort(failure: Failure): void
}

export interface SessionStats {
  requests: number
  /** Datagrams that had no answer in time. */
  timeouts: number
  varbinds: number
}

/** What the parts of the engine that consist of many requests need of a session. */
export interface Caller {
  readonly target: SnmpTarget
  readonly profile: AgentProfile
  readonly family: 4 | 6
  readonly options: SessionOptions
  readonly stats: Readonly<SessionStats>
  /** Registers work, and starts it. */
  run(source: Source): void
  /** Takes work off, when its last answer is in. */
  finish(source: Source): void
  /** Sends one request. Called by `Source.next`. */
  send(call: Call): void
}

/** Contents octets of an OID given by a caller; throws SnmpError `invalid`. */
export function callerOid(text: string): Uint8Array {
  try {
    return encodeOid(text)
  } catch (cause) {
    throw new SnmpError('invalid', `not an OID: ${text}`, { cause })
  }
}
