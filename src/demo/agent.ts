import type { BerWriter } from '@portlight/snmp/ber.ts'
import { ERROR_STATUS, PDU, type PduView, writePdu } from '@portlight/snmp/pdu.ts'
import type { Instant } from './instant.ts'
import { encodeEmpty, type MibView } from './view.ts'

/** An agent's response to a PDU, before it is wrapped in a message. */
export interface Answer {
  readonly status: (typeof ERROR_STATUS)[number]
  /** error-index: 1 for the first varbind, 0 for none. */
  readonly index: number
  /** Encoded varbinds, in order. */
  readonly varbinds: readonly Uint8Array[]
}

export interface AnswerLimits {
  /** SNMPv1: no exceptions, no GETBULK, no Counter64. */
  readonly v1: boolean
  /** Maximum size of all varbinds in bytes. */
  readonly maxOctets: number
  /** Upper limit of repetitions, regardless of max-repetitions in the request. */
  readonly maxRepetitions: number
}

/** The agent's side of RFC 3416 §4.2 (RFC 1157 for v1). Null: a PDU that agents do not answer. */
export function answerPdu(view: MibView, pdu: PduView, t: Instant, limits: AnswerLimits): Answer | null {
  switch (pdu.type) {
    case PDU.GetRequest:
      return answerEach(pdu, limits, (i) => get(view, pdu, i, t, limits.v1))
    case PDU.GetNextRequest:
      return answerEach(pdu, limits, (i) => {
        const found = next(view, positionBehind(view, pdu, i), t, limits.v1)
        return found === null ? absent(pdu, i, 'endOfMibView', limits.v1) : found.varbind
      })
    case PDU.GetBulkRequest:
      return limits.v1 ? null : bulk(view, pdu, t, limits)
    case PDU.SetRequest:
      return { status: limits.v1 ? 'noSuchName' : 'notWritable', index: 1, varbinds: echo(pdu) }
    default:
      return null
  }
}

/** GET and GETNEXT: responds with all varbinds or tooBig. `one` returns null for noSuchName in v1. */
function answerEach(pdu: PduView, limits: AnswerLimits, one: (i: number) => Uint8Array | null): Answer {
  const varbinds: Uint8Array[] = []
  let octets = 0
  for (let i = 0; i < pdu.count; i++) {
    const varbind = one(i)
    if (varbind === null) return { status: 'noSuchName', index: i + 1, varbinds: echo(pdu) }
    octets += varbind.length
    // RFC 3416 §4.2.1: tooBig has no varbinds; in v1 it has those of the request
    if (octets > limits.maxOctets) return { status: 'tooBig', index: 0, varbinds: limits.v1 ? echo(pdu) : [] }
    varbinds.push(varbind)
  }
  return { status: 'noError', index: 0, varbinds }
}

function get(view: MibView, pdu: PduView, i: number, t: Instant, v1: boolean): Uint8Array | null {
  const start = pdu.oidStart[i] ?? 0
  const end = pdu.oidEnd[i] ?? 0
  const position = view.lowerBound(pdu.bytes, start, end)
  if (view.isAt(position, pdu.bytes, start, end) && !(v1 && view.isCounter64(position))) {
    const varbind = view.varbindAt(position, t)
    if (varbind !== null) return varbind
  }
  const known = view.hasObject(position, pdu.bytes, start, end)
  return absent(pdu, i, known ? 'noSuchInstance' : 'noSuchObject', v1)
}

function absent(pdu: PduView, i: number, kind: 'noSuchObject' | 'noSuchInstance' | 'endOfMibView', v1: boolean) {
  return v1 ? null : encodeEmpty(pdu.oidBytes(i), kind)
}

/** Position of the first instance after the OID of varbind `i`. */
function positionBehind(view: MibView, pdu: PduView, i: number): number {
  const start = pdu.oidStart[i] ?? 0
  const end = pdu.oidEnd[i] ?? 0
  const position = view.lowerBound(pdu.bytes, start, end)
  return view.isAt(position, pdu.bytes, start, end) ? position + 1 : position
}

/** The first instance at or after the position that exists at time `t`. */
function next(view: MibView, from: number, t: Instant, v1: boolean): { position: number; varbind: Uint8Array } | null {
  for (let position = from; position < view.size; position++) {
    if (v1 && view.isCounter64(position)) continue
    const varbind = view.varbindAt(position, t)
    if (varbind !== null) return { position, varbind }
  }
  return null
}

/** GETBULK (RFC 3416 §4.2.3): sends as much as fits, up to the first repetition in which every column has ended. */
function bulk(view: MibView, pdu: PduView, t: Instant, limits: AnswerLimits): Answer {
  const nonRepeaters = Math.min(Math.max(0, pdu.errorStatus), pdu.count)
  const repetitions = Math.min(Math.max(0, pdu.errorIndex), limits.maxRepetitions)
  const varbinds: Uint8Array[] = []
  let octets = 0
  const add = (varbind: Uint8Array): boolean => {
    octets += varbind.length
    if (octets > limits.maxOctets) return false
    varbinds.push(varbind)
    return true
  }
  const cursors = Array.from({ length: pdu.count }, (_, i) => ({
    position: positionBehind(view, pdu, i),
    ended: null as Uint8Array | null,
    last: null as Uint8Array | null,
  }))
  const step = (cursor: (typeof cursors)[number], i: number): Uint8Array => {
    if (cursor.ended !== null) return cursor.ended
    const found = next(view, cursor.position, t, false)
    if (found === null) {
      cursor.ended = encodeEmpty(cursor.last ?? pdu.oidBytes(i), 'endOfMibView')
      return cursor.ended
    }
    cursor.position = found.position + 1
    cursor.last = view.oidAt(found.position)
    return found.varbind
  }
  const done = (): Answer => ({ status: 'noError', index: 0, varbinds })
  for (const [i, cursor] of cursors.slice(0, nonRepeaters).entries()) if (!add(step(cursor, i))) return done()
  const repeaters = cursors.slice(nonRepeaters)
  for (let r = 0; r < repetitions && repeaters.length > 0; r++) {
    for (const [i, cursor] of repeaters.entries()) if (!add(step(cursor, nonRepeaters + i))) return done()
    if (repeaters.every((c) => c.ended !== null)) break
  }
  return done()
}

function echo(pdu: PduView): Uint8Array[] {
  return Array.from({ length: pdu.count }, (_, i) => encodeEmpty(pdu.oidBytes(i), 'Null'))
}

/** Writes the response as a PDU. */
export function writeAnswer(writer: BerWriter, requestId: number, answer: Answer): void {
  const status = ERROR_STATUS.indexOf(answer.status)
  writePdu(writer, PDU.Response, requestId, status, answer.index, (w) => {
    for (const varbind of answer.varbinds.toReversed()) w.raw(varbind)
  })
}
