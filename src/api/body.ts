/** A request body. `json` is null if it is empty or not JSON. */
export type RequestBody =
  | { readonly kind: 'read'; readonly json: unknown }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'malformed' }

const EMPTY: RequestBody = { kind: 'read', json: null }

const bodies = new WeakMap<Request, Promise<RequestBody>>()

/** Maximum nesting. Rules of alerts and groups nest about ten levels. */
const MAX_DEPTH = 64

/** Maximum number of items in a list or members in an object. */
export const MAX_ITEMS = 200_000

/**
 * Reads the body as JSON, whatever its content type: clients send curl's default form type. The result is cached for
 * the request. `too-large`: more than `limit` bytes. `too-many`: a list longer than MAX_ITEMS. `malformed`: not complete, not UTF-8,
 * nested too deeply, or containing NUL, which PostgreSQL cannot store.
 */
export function readBody(request: Request, limit: number): Promise<RequestBody> {
  let body = bodies.get(request)
  if (!body) {
    body = read(request, limit)
    bodies.set(request, body)
  }
  return body
}

async function read(request: Request, limit: number): Promise<RequestBody> {
  if (!request.body) return EMPTY
  if (Number(request.headers.get('content-length') ?? 0) > limit) return { kind: 'too-large' }
  // a client that goes away while it sends is no error of ours, and no answer reaches it
  const octets = await limited(request.body, limit).catch(() => undefined)
  if (octets === undefined) return { kind: 'malformed' }
  if (octets === null) return { kind: 'too-large' }
  const text = utf8(octets)
  if (text === null || isDeep(text)) return { kind: 'malformed' }
  if (text.trim() === '') return EMPTY
  const json = parse(text)
  // an item has at least two characters
  if (text.length > 2 * MAX_ITEMS && holdsTooMany(json)) return { kind: 'too-many' }
  return (text.includes('\\u0000') || text.includes('\0')) && holdsNul(json)
    ? { kind: 'malformed' }
    : { kind: 'read', json }
}

/** Reads up to the limit; null if there is more. */
async function limited(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.byteLength
    if (length > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Null if not valid UTF-8. */
function utf8(octets: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return null
  }
}

/** Whether brackets outside strings are nested too deeply. Checked before anything recurses. */
function isDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
    } else if (c === OPEN_LIST || c === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (c === CLOSE_LIST || c === CLOSE_OBJECT) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // not JSON: the operation reports what is missing
  }
}

function holdsTooMany(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const list: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return list.length > MAX_ITEMS || list.some(holdsTooMany)
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (Array.isArray(value)) return value.some(holdsNul)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, member]) => key.includes('\0') || holdsNul(member))
}

/** The members of a JSON object; empty for any other value. */
export function members(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {}
}
