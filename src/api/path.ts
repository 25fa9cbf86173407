/** Prefix of API v0. */
export const V0 = '/api/v0'
/** Prefix of API v1. */
export const V1 = '/api/v1'

/** Whether the path is the prefix or below it. */
export function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/')
}

/** Where the path of an absolute URL starts, and where it ends: at the query or at the end of the URL. */
function bounds(url: string): { start: number; end: number } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return { start, end: query === -1 ? url.length : query }
}

/** The path of a URL as sent: still encoded, without the query. */
export function rawPath(url: string): string {
  const { start, end } = bounds(url)
  return url.slice(start, end)
}

/** The query of a URL as sent, without the question mark; '' if there is none. */
export function rawQuery(url: string): string {
  const { end } = bounds(url)
  return url.slice(end + 1)
}

/** Elysia looks for the path from the 11th character of the URL on, so it would miss the one in `http://nms/ping`. */
const MIN_ORIGIN_OCTETS = 11

/** Origin for requests without a host (HTTP/1.0), and for the router if the host is too short for it. */
const NO_HOST = 'http://localhost'

/** The target of a request. Authentication and routing must use the same one. */
export interface RequestTarget {
  /** `scheme://host:port` of the request, ignoring proxies. */
  readonly origin: string
  /** Without dot segments, repeated slashes and final slash; still encoded. */
  readonly path: string
  /** Origin, path and query for the router and the handlers. */
  readonly url: string
}

/**
 * The target of a request from its URL and its Host header (null: absent). Returns null if malformed.
 *
 * Bun passes `http://host/path` with dot segments resolved, but the unchanged request target if the Host header is
 * missing or invalid. Source: RFC 9112, sections 3.2 and 3.2.2.
 */
export function requestTarget(url: string, host: string | null): RequestTarget | null {
  if (host !== null && host !== lastHost && host !== '') {
    if (!isHost(host)) return null
    lastHost = host
  }
  const whole = url.startsWith('/') ? withOrigin(url) : url
  if (whole === null || whole.includes('#')) return null
  const { start, end } = bounds(whole)
  if (start === -1) return null
  const origin = whole.slice(0, start)
  const raw = whole.slice(start, end)
  const dirty = raw.includes('//') || (raw.length > 1 && raw.endsWith('/'))
  const path = dirty ? raw.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1') : raw
  if (!dirty && start >= MIN_ORIGIN_OCTETS) return { origin, path, url: whole }
  return { origin, path, url: (start >= MIN_ORIGIN_OCTETS ? origin : NO_HOST) + path + whole.slice(end) }
}

/** Turns a request target without an origin into a URL. */
function withOrigin(target: string): string | null {
  const url = URL.parse(NO_HOST + target)
  return url === null || url.origin !== NO_HOST ? null : url.href
}

/** The last valid host; most requests name the same one, so it need not be checked again. */
let lastHost = ''

const HOST = /^(?:[A-Za-z0-9._~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{0,5}))?$/

/**
 * A host and port, as in a Host header (RFC 9110, section 7.2): a name, an IPv4 address, or an IPv6 address in
 * brackets.
 */
export function isHost(text: string): boolean {
  const match = HOST.exec(text)
  return match !== null && Number(match[1] ?? 0) <= 65_535
}

/** Whether path and query can be decoded: no NUL, valid UTF-8. A stray percent sign is allowed only in the query. */
export function isReadable(url: string): boolean {
  if (!url.includes('%')) return true
  if (!hasReadablePath(url)) return false
  const query = rawQuery(url).replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25')
  const text = decoded(query)
  return text !== null && !text.includes('\0')
}

/** Whether the path can be decoded: no NUL, valid UTF-8. */
export function hasReadablePath(url: string): boolean {
  const path = rawPath(url)
  return !path.includes('%') || decoded(path)?.includes('\0') === false
}

/** Percent-decodes; null if the result is not UTF-8. `+` is kept. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Form-decodes: `+` is a space. Null if the result is not UTF-8. */
export function formDecoded(text: string): string | null {
  return decoded(text.replaceAll('+', ' '))
}
