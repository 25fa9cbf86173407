/** What came in the body. `json` is null for an empty or unparsable one. */
export type RequestBody =
  | { readonly kind: 'read'; readonly json: unknown }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'malformed' }

const EMPTY: RequestBody = { kind: 'read', json: null }

const bodies = new WeakMap<Request, Promise<RequestBody>>()

/**
 * The body as JSON, whatever its content type says: clients send curl's default form type. Read once per request,
 * however often it is asked for. `too-large`: more than `limit` octets. `malformed`: text with NUL, which PostgreSQL
 * cannot store.
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
  const text = await limitedText(request.body, limit)
  if (text === null) return { kind: 'too-large' }
  if (text.trim() === '') return EMPTY
  const json = parse(text)
  return (text.includes('\\u0000') || text.includes('\0')) && holdsNul(json)
    ? { kind: 'malformed' }
    : { kind: 'read', json }
}

/** null: longer than the limit. Reading stops there. */
async function limitedText(stream: ReadableStream<Uint8Array>, limit: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.byteLength
    if (length > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

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
