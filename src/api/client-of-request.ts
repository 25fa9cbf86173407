import type { ClientAddress } from './client-address.ts'

const visitors = new WeakMap<Request, () => ClientAddress>()

/** Stores the client address of a request to v1 or the pages. */
export function setVisitor(request: Request, client: () => ClientAddress): void {
  visitors.set(request, client)
}

/** Client of a request; unknown if the request did not pass the front door. */
export function clientOfRequest(request: Request): ClientAddress {
  return visitors.get(request)?.() ?? { address: '', origin: new URL(request.url).origin, proxied: false }
}

const MAX_NAME = 255

/** The user that a trusted proxy names in the header of setting auth.proxy_header; '' if there is none. */
export function proxyUser(request: Request, header: string): string {
  if (header === '' || !/^[\w-]+$/.test(header) || !clientOfRequest(request).proxied) return ''
  return (request.headers.get(header) ?? '').slice(0, MAX_NAME)
}

/**
 * Whether a session may be used for a request: one that an authenticating proxy has opened only through this proxy, as
 * long as it names the same user; another one only if the proxy does not name someone else.
 */
export function isUsable(
  session: { readonly method: string; readonly actor: { readonly username: string } },
  named: string,
) {
  if (named === '') return session.method !== 'proxy'
  return session.actor.username.toLowerCase() === named.toLowerCase()
}

/** Session cookies. The one for TLS cannot be set by another host or over plain HTTP (RFC 6265bis, section 4.1.3). */
const SECURE_COOKIE = '__Host-portlight'
const PLAIN_COOKIE = 'portlight'

/** Name of the session cookie for a client at this origin. */
export const sessionCookie = (origin: string): string => (origin.startsWith('https:') ? SECURE_COOKIE : PLAIN_COOKIE)

/** Name of the cookie for a sign-in in progress at an identity provider. */
export const flowCookie = (origin: string): string => `${sessionCookie(origin)}-oidc`

/** Name of the cookie with the id of the user as whom an administrator views the pages. */
export const viewCookie = (origin: string): string => `${sessionCookie(origin)}-view-as`

/** The cookie with which the browser views the pages as a user until it is closed; null: as oneself again. */
export function viewAsCookie(request: Request, userId: number | null): string {
  const { origin } = clientOfRequest(request)
  return setViewCookie(origin, userId)
}

/** The same for a known origin. */
export function setViewCookie(origin: string, userId: number | null): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  const age = userId === null ? '; Max-Age=0' : ''
  return `${viewCookie(origin)}=${userId ?? ''}; Path=/; HttpOnly; SameSite=Lax${age}${secure}`
}

/** Id of the user as whom the pages are viewed; null: as oneself. Counts only for administrators. */
export function viewedUser(request: Request): number | null {
  const value = cookie(request.headers.get('cookie') ?? '', viewCookie(clientOfRequest(request).origin))
  return /^\d{1,9}$/.test(value) ? Number(value) : null
}

/** The secret of the session that a request belongs to; '' if there is none. */
export function sessionSecret(request: Request): string {
  const header = request.headers.get('cookie')
  return header === null ? '' : cookie(header, sessionCookie(clientOfRequest(request).origin))
}

/** Value of a cookie (RFC 6265, section 5.4); '' if absent. */
export function cookie(header: string, name: string): string {
  for (const pair of header.slice(0, 8192).split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}

/**
 * Whether a change comes from one of our own pages. Browsers send Origin with every POST; requests with neither Origin
 * nor Sec-Fetch-Site are refused. Compares only hosts, because a proxy that terminates TLS may not report the scheme.
 */
export function isOwnOrigin(request: Request): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return request.headers.get('sec-fetch-site') === 'same-origin'
  const own = new URL(clientOfRequest(request).origin)
  return URL.parse(origin)?.host === own.host
}
