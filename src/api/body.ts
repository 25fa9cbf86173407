/** What came in the body. `json` is null for an empty or unparsable one. */
export type RequestBody =
  | { readonly kind: 'read'; readonly json: unknown }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'malformed' }

const EMPTY: RequestBody = { kind: 'read', json: null }

const bodies = new WeakMap<Request, Promise<RequestBody>>()

/** Brackets within brackets that a body may have. Rules of alerts and groups nest some ten deep. */
const MOST_DEPTH = 64

/**
 * The body as JSON, whatever its content type says: clients send curl's default form type. Read once per request,
 * however often it is asked for. `too-large`: more than `limit` octets. `malformed`: no UTF-8, deeper than anything that
 * is meant, or text with NUL, which PostgreSQL cannot store.
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
  const octets = await limited(request.body, limit)
  if (octets === null) return { kind: 'too-large' }
  const text = utf8(octets)
  if (text === null || isDeep(text)) return { kind: 'malformed' }
  if (text.trim() === '') return EMPTY
  const json = parse(text)
  return (text.includes('\\u0000') || text.includes('\0')) && holdsNul(json)
    ? { kind: 'malformed' }
    : { kind: 'read', json }
}

/** null: longer than the limit. Reading stops there. */
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

/** null: it is none. */
function utf8(octets: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return null
  }
}

/** Whether brackets stand too deep, those within strings not counted. Looked at before anything recurses into it. */
function isDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
    } else if (c === OPEN_LIST || c === OPEN_OBJECT) {
      if (++depth > MOST_DEPTH) return true
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
    return null // not JSON: the operation says what it misses
  }
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (Array.isArray(value)) return value.some(holdsNul)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, member]) => key.includes('\0') || holdsNul(member))
}

/** The members of a JSON object; none for anything else. */
export function members(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {}
}
