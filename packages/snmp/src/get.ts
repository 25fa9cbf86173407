import type { BerWriter } from './ber.ts'
import { type Call, type Caller, callerOid, type Failure, type Source } from './call.ts'
import type { SnmpFailure } from './failure.ts'
import { formatOid } from './oid.ts'
import { type OidList, packOids, startOf } from './oid-list.ts'
import { type ErrorStatus, PDU, type PduView } from './pdu.ts'
import { bulkAnswered, lowerResponse, MESSAGE_OCTETS, unpadded } from './profile.ts'
import type { SnmpValue, Varbind } from './value.ts'

/** Outcome of GET, GETNEXT and GETBULK. `error`: the agent's error-status and error-index (1 is the first varbind). */
export type Answer =
  | { readonly kind: 'answer'; readonly varbinds: readonly Varbind[] }
  | { readonly kind: 'error'; readonly status: ErrorStatus; readonly index: number }
  | Failure

const NO_SUCH_INSTANCE: SnmpValue = { kind: 'noSuchInstance' }

/** Sends one request unchanged; throws SnmpError `invalid` for an invalid OID. */
export function getOnce(
  session: Caller,
  type: number,
  oids: readonly string[],
  nonRepeaters: number,
  maxRepetitions: number,
): Promise<Answer> {
  const encoded = oids.map(callerOid)
  return sendOnce(session, {
    type,
    nonRepeaters,
    maxRepetitions: () => maxRepetitions,
    varbinds: (writer) => {
      for (const oid of encoded.toReversed()) writer.requestVarbind(oid, -1)
    },
  })
}

/** Sends one request and waits for its response. */
export function sendOnce(session: Caller, request: Omit<Call, 'answered' | 'failed'>): Promise<Answer> {
  return new Promise((resolve) => {
    const call: Call = {
      ...request,
      answered: (pdu) =>
        resolve(
          pdu.errorStatus === 0
            ? { kind: 'answer', varbinds: pdu.varbindList() }
            : { kind: 'error', status: pdu.status, index: pdu.errorIndex },
        ),
      failed: resolve,
    }
    const source: Source = {
      next: () => {
        session.finish(source)
        session.send(call)
        return true
      },
      abort: resolve,
    }
    session.run(source)
  })
}

/**
 * GET of any number of OIDs, in requests that fit. The result has one varbind per OID, in order; noSuchName of a v1
 * agent becomes `noSuchInstance`, as in v2c. The outcome is `error` only when the agent refused every OID. Throws
 * SnmpError `invalid` for an invalid OID.
 */
export async function getMany(session: Caller, oids: readonly string[]): Promise<Answer> {
  const encoded = oids.map(callerOid)
  const values: (SnmpValue | undefined)[] = []
  const end = await multiGet(session, packOids(encoded), (position, pdu, i) => {
    values[position] = pdu.value(i)
  })
  if (end.failure !== null) return end.failure
  if (end.error !== null && values.every((value) => value === undefined)) return end.error
  return {
    kind: 'answer',
    varbinds: encoded.map((oid, i) => ({ oid: formatOid(oid), value: values[i] ?? NO_SUCH_INSTANCE })),
  }
}

/** Outcome of a GET of numbers. */
export interface NumbersOutcome {
  /** `partial`: some requests had no response or an error, and their numbers are NaN. */
  readonly kind: 'complete' | 'partial'
  /** The reason, if partial: a request had no response, or the agent refused every OID. */
  readonly failure: SnmpFailure | null
  /** How many numbers were read. */
  readonly read: number
}

/** The number that a text stands for at `now` (epoch milliseconds); NaN: none. */
export type TextReading = (text: string, now: number) => number

/** The reading for whether the agent has the instance: 1, whatever its value is, or 0. NaN: it did not answer. */
export const PRESENCE: TextReading = () => 1

/** Octets of a text that are read; the rest is ignored. */
const MAX_TEXT = 255

/**
 * GET of any number of gauges; the value of OID `i` of the list, which includes the instance, goes to `out[i]`. NaN:
 * the agent has no such instance, or it is not a number. Octet strings that start with a number and Opaque floats count
 * as numbers; `readings` convert the octet strings at their positions, as texts with one character for each octet.
 */
export async function getNumbers(
  session: Caller,
  oids: OidList,
  out: Float64Array,
  readings: ReadonlyMap<number, TextReading> | null = null,
): Promise<NumbersOutcome> {
  out.fill(Number.NaN, 0, oids.ends.length)
  let read = 0
  let given = false
  const put = (position: number, number: number): void => {
    out[position] = number
    if (!Number.isNaN(number)) read++
  }
  const end = await multiGet(
    session,
    oids,
    (position, pdu, i) => {
      given = true
      const reading = readings?.get(position)
      put(position, reading === undefined ? pdu.number(i) : readAs(reading, pdu, i))
    },
    (position) => {
      if (readings?.get(position) === PRESENCE) put(position, 0)
    },
  )
  const { failure, error } = end
  const reason = failure ?? (given || error === null ? null : ({ kind: 'error', status: error.status } as const))
  return { kind: reason === null ? 'complete' : 'partial', failure: reason, read }
}

function readAs(reading: TextReading, pdu: PduView, i: number): number {
  if (reading === PRESENCE) return 1
  const value = pdu.value(i)
  if (value.kind !== 'OctetString') return pdu.number(i)
  return reading(String.fromCharCode(...value.value.subarray(0, MAX_TEXT)), Date.now())
}

interface MultiGetEnd {
  readonly failure: Failure | null
  readonly error: { readonly kind: 'error'; readonly status: ErrorStatus; readonly index: number } | null
}

/** Calls `cell` for every OID that the agent has, and `absent` for every one that it names as absent. */
function multiGet(
  session: Caller,
  oids: OidList,
  cell: (position: number, pdu: PduView, i: number) => void,
  absent: (position: number) => void = () => {},
): Promise<MultiGetEnd> {
  return new Promise((resolve) => {
    if (oids.ends.length === 0) resolve({ failure: null, error: null })
    else session.run(new GetSource(session, oids, { cell, absent }, resolve))
  })
}

/** Size of a varbind besides its OID, octets: three headers and a typical gauge value. */
const VALUE_OCTETS = 14

class GetSource implements Source {
  /** Positions still to be requested, or requested again. */
  private pending: number[]
  private inFlight = 0
  private failure: Failure | null = null
  private error: MultiGetEnd['error'] = null

  constructor(
    private readonly session: Caller,
    private readonly oids: OidList,
    private readonly found: {
      cell(position: number, pdu: PduView, i: number): void
      absent(position: number): void
    },
    private readonly done: (end: MultiGetEnd) => void,
  ) {
    this.pending = Array.from(oids.ends, (_, i) => i)
  }

  next(): boolean {
    if (this.pending.length === 0 || this.failure !== null) return false
    const chunk = this.pending.splice(0, this.fitting())
    this.inFlight++
    const asked = (attempt: number) => Math.max(1, chunk.length >> Math.max(0, attempt - 1))
    this.session.send({
      type: PDU.GetRequest,
      nonRepeaters: 0,
      maxRepetitions: () => 0,
      varbinds: (writer, attempt) => this.write(writer, chunk.slice(0, asked(attempt))),
      answered: (pdu, _octets, attempt) => {
        if (attempt >= 2) this.session.profile.getCap = asked(attempt)
        this.take(chunk, pdu)
        this.settle()
      },
      failed: (failure) => {
        // only a request with a single OID cannot be split further
        if (failure.kind === 'requestTooBig' && chunk.length > 1) this.split(chunk)
        else this.failure = failure
        this.settle()
      },
    })
    return true
  }

  /** How many of the pending OIDs fit in one request. */
  private fitting(): number {
    const { profile, target } = this.session
    let octets = MESSAGE_OCTETS[target.snmpver]
    let count = 0
    for (const position of this.pending) {
      octets += (this.oids.ends[position] as number) - startOf(this.oids, position) + VALUE_OCTETS
      if (count > 0 && (octets > profile.responseOctets || count >= profile.getCap)) break
      count++
    }
    return count
  }

  private write(writer: BerWriter, positions: readonly number[]): void {
    for (let i = positions.length - 1; i >= 0; i--) {
      const position = positions[i] as number
      writer.requestPart(this.oids.octets, startOf(this.oids, position), this.oids.ends[position] as number)
    }
  }

  private take(chunk: number[], pdu: PduView): void {
    const { profile, family } = this.session
    if (pdu.errorStatus === 0) {
      const answered = Math.min(pdu.count, chunk.length)
      for (let i = 0; i < answered; i++) {
        const position = chunk[i] ?? -1
        const found = this.matches(position, pdu, i) || (unpadded(profile, pdu) && this.matches(position, pdu, i))
        if (!found) continue
        if (pdu.absent(i)) this.found.absent(position)
        else this.found.cell(position, pdu, i)
      }
      // a response to a later try may contain less than requested; one without varbinds is not repeated, or it never
      // ends
      if (answered > 0) this.pending.unshift(...chunk.slice(answered))
      bulkAnswered(profile, family)
      return
    }
    if (pdu.status === 'tooBig' && chunk.length > 1) {
      this.split(chunk)
      return
    }
    const at = pdu.errorIndex - 1
    if (pdu.status !== 'noSuchName') this.error = { kind: 'error', status: pdu.status, index: pdu.errorIndex }
    // error-index points at the absent varbind; if it is invalid, all are taken as absent
    if (at < 0 || at >= chunk.length) return
    if (pdu.status === 'noSuchName') this.found.absent(chunk[at] ?? -1)
    this.pending.unshift(...chunk.filter((_, i) => i !== at))
  }

  private split(chunk: number[]): void {
    const { profile } = this.session
    profile.getCap = Math.max(1, chunk.length >> 1)
    lowerResponse(profile, profile.responseOctets / 2)
    this.pending.unshift(...chunk)
  }

  private matches(position: number, pdu: PduView, i: number): boolean {
    const { octets, ends } = this.oids
    const first = startOf(this.oids, position)
    const length = (ends[position] ?? 0) - first
    const start = pdu.oidStart[i] ?? 0
    if (position < 0 || (pdu.oidEnd[i] ?? 0) - start !== length) return false
    for (let k = length - 1; k >= 0; k--) if (octets[first + k] !== pdu.bytes[start + k]) return false
    return true
  }

  private settle(): void {
    this.inFlight--
    if (this.inFlight > 0 || (this.pending.length > 0 && this.failure === null)) return
    this.session.finish(this)
    this.done({ failure: this.failure, error: this.error })
  }

  abort(failure: Failure): void {
    this.failure ??= failure
    this.session.finish(this)
    if (this.inFlight === 0) this.done({ failure: this.failure, error: this.error })
  }
}
