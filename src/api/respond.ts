import { pacedPieces, pacedResponse } from './slow-readers.ts'

/** Headers of every JSON answer of v0. Existing clients compare `Content-Type` exactly, so it has no charset. */
const JSON_HEADERS = new Headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })

/** Headers of every JSON answer of v1 (JSON:API). */
const JSON_API_HEADERS = { 'Content-Type': 'application/vnd.api+json', 'Cache-Control': 'no-cache, private' }

/** A JSON answer of v0. */
export function json(body: unknown, status = 200, headers?: Readonly<Record<string, string>>): Response {
  const sent = headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }
  return new Response(JSON.stringify(body), { status, headers: sent })
}

/** Of answers with status 503: after how many seconds the same request may succeed (RFC 9110, section 10.2.3). */
export const LATER = { 'Retry-After': '5' } as const

/** Bytes above which an answer is sent in parts, so that a slow client does not keep all of it in memory. */
const LONG = 4_194_304
const PART = 262_144

/** A JSON answer of v0 from existing text or a stream. */
export function jsonText(text: string | ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  const init = { status: 200, headers: JSON_HEADERS }
  return text instanceof ReadableStream ? pacedResponse(text, init) : new Response(text, init)
}

/** The encoded text of an answer that is sent many times. */
type KeptAnswer = Blob | readonly Uint8Array<ArrayBuffer>[]

/** Encodes an answer for reuse. All responses share the bytes of a Blob; an array would be copied for each of them. */
function kept(texts: readonly string[]): KeptAnswer {
  const encoder = new TextEncoder()
  const pieces = texts.map((text) => encoder.encode(text))
  const octets = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
  return octets > LONG ? pieces.flatMap(parts) : new Blob(pieces)
}

/** Bytes in parts of at most PART, without a copy. */
function parts(octets: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  return Array.from({ length: Math.ceil(octets.byteLength / PART) }, (_, i) =>
    octets.subarray(i * PART, (i + 1) * PART),
  )
}

/** A JSON answer of v0 from `kept`. */
function keptJson(answer: KeptAnswer): Response {
  const init = { status: 200, headers: JSON_HEADERS }
  return answer instanceof Blob ? new Response(answer, init) : pacedResponse(pacedPieces(answer), init)
}

/** Encoded answers, by the object they were encoded from. */
const answers = new WeakMap<object, KeptAnswer>()

/**
 * A JSON answer of v0 that is encoded once for all requests that got the same object from a shared read. `texts` gives
 * its text in parts, and is called only for the first of them.
 */
export function sharedParts(of: object, texts: () => readonly string[]): Response {
  let answer = answers.get(of)
  if (answer === undefined) {
    answer = kept(texts())
    answers.set(of, answer)
  }
  return keptJson(answer)
}

/** A JSON:API answer of v1. */
export function jsonApi(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...JSON_API_HEADERS, ...headers } })
}

/** Comma-separated values (RFC 4180). */
export function csv(text: string): Response {
  return new Response(text, {
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Cache-Control': 'no-cache, private' },
  })
}

/** An image. */
export function image(bytes: Uint8Array, contentType: string): Response {
  return new Response(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-cache, private' },
  })
}
