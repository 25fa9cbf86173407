/** Position of the path in an absolute URL, and of the query (or the end). */
function bounds(url: string): { start: number; end: number } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return { start, end: query === -1 ? url.length : query }
}

/** The path of a request's URL as it was sent: still encoded, without the query. */
export function rawPath(url: string): string {
  const { start, end } = bounds(url)
  return url.slice(start, end)
}

/** The query of a request's URL as it was sent, without the question mark; '' when there is none. */
export function rawQuery(url: string): string {
  const { end } = bounds(url)
  return url.slice(end + 1)
}

/** Elysia looks for the path from the 11th octet of the URL on: `http://nms/ping` has none to it. */
const SHORTEST_ORIGIN = 11

/**
 * The URL as the router reads it: repeated slashes made one, no final slash, and another host in place of one that is
 * too short for it; the same text when nothing of this was needed. A redirect would lose the body, so this happens in
 * place.
 */
export function cleanUrl(url: string): string {
  const { start, end } = bounds(url)
  const path = url.slice(start, end)
  const dirty = path.includes('//') || (path.length > 1 && path.endsWith('/'))
  if (!dirty && start >= SHORTEST_ORIGIN) return url
  const clean = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return (start >= SHORTEST_ORIGIN ? url.slice(0, start) : 'http://localhost') + clean + url.slice(end)
}

/** Whether path and query can be read: no NUL, no broken UTF-8. A stray percent sign is let through in the query alone. */
export function isReadable(url: string): boolean {
  if (!url.includes('%')) return true
  const path = decoded(rawPath(url))
  if (path === null || path.includes('\0')) return false
  const query = rawQuery(url).replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25')
  const text = decoded(query)
  return text !== null && !text.includes('\0')
}

/** Percent-decoded; null when that gives no UTF-8. `+` stays. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Form-decoded: `+` is a space. null when it gives no UTF-8. */
export function formDecoded(text: string): string | null {
  return decoded(text.replaceAll('+', ' '))
}
