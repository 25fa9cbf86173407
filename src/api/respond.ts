/** Headers of every JSON answer of v0. Clients in use compare `Content-Type` exactly, so it carries no charset. */
const JSON_HEADERS = new Headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })

/** Headers of every JSON answer of v1 (JSON:API). */
const JSON_API_HEADERS = { 'Content-Type': 'application/vnd.api+json', 'Cache-Control': 'no-cache, private' }

/** A JSON answer of v0. */
export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: JSON_HEADERS })
}

/** A JSON answer of v0 whose text, its octets, or a stream of them, are made already. */
export function jsonText(text: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): Response {
  return new Response(text, { status: 200, headers: JSON_HEADERS })
}

/** A JSON:API answer of v1. */
export function jsonApi(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...JSON_API_HEADERS, ...headers } })
}

/** A picture. */
export function image(bytes: Uint8Array, contentType: string): Response {
  return new Response(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-cache, private' },
  })
}
