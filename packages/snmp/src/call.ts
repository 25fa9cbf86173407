import type { BerWriter } from './ber.ts'
import { SnmpError } from './errors.ts'
import type { SnmpFailure } from './failure.ts'
import { encodeOid } from './oid.ts'
import type { PduView } from './pdu.ts'
import type { AgentProfile } from './profile.ts'
import type { SnmpTarget } from './target.ts'

export interface SessionOptions {
  /** What earlier sessions learned about the agent; updated by this one. Default: a new profile. */
  readonly profile?: AgentProfile
  /** contextName of v3. */
  readonly context?: string
  /** Milliseconds for one try; overridden by `target.timeout`. Default 1000. */
  readonly timeoutMs?: number
  /** Tries after the first; overridden by `target.retries`. Default 5. */
  readonly retries?: number
  /** Upper limit of max-repetitions; 0: learned from the agent. */
  readonly maxRepetitions?: number
  /** Upper limit of pending requests to this agent. Default 8. */
  readonly maxWindow?: number
  /** See `Exchange.owner`. */
  readonly owner?: number
  /** Milliseconds from now after which requests of this session fail as `deadline`. */
  readonly deadlineMs?: number
}

/** The reason a request has no response. None of these is thrown. */
export type Failure = Extract<
  SnmpFailure,
  { readonly kind: 'timeout' | 'otherSource' | 'deadline' | 'unreachable' | 'refused' | 'closed' | 'requestTooBig' }
>

/** One request as seen by its caller. */
export interface Call {
  readonly type: number
  /** non-repeaters. */
  readonly nonRepeaters: number
  /** max-repetitions for a try; may be lower after tries without a response. */
  maxRepetitions(attempt: number): number
  varbinds(writer: BerWriter, attempt: number): void
  /** `pdu` is valid only during the call; `octets` is the size of the message. */
  answered(pdu: PduView, octets: number, attempt: number): void
  failed(failure: Failure): void
}

/** Work that takes many requests. The session asks for the next one whenever its window has room. */
export interface Source {
  /** Sends one more request with `session.send`. False: none can be sent now. */
  next(): boolean
  /** No more requests can be sent. */
  abort(failure: Failure): void
}

export interface SessionStats {
  requests: number
  /** Responses, including those with an error-status. Reports do not count. */
  responses: number
  /** Datagrams without a response in time. */
  timeouts: number
  varbinds: number
}

/** The part of a session that work of many requests uses. */
export interface Caller {
  readonly target: SnmpTarget
  readonly profile: AgentProfile
  readonly family: 4 | 6
  readonly options: SessionOptions
  readonly stats: Readonly<SessionStats>
  /** Registers work and starts it. */
  run(source: Source): void
  /** Removes work after its last response. */
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
