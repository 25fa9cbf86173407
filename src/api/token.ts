import { bearer } from '@elysiajs/bearer'
import type { Settings } from '../config/schema.ts'
import { members, readBody } from './body.ts'
import { rawQuery } from './path.ts'

/**
 * The token of a v0 request, '' when there is none. The first that is present and not empty counts, even if it is wrong
 * and a later one would do: X-Auth-Token, query api_token, body member api_token, bearer, password of HTTP Basic.
 */
export function v0Token(request: Request, settings: Settings): string | Promise<string> {
  const header = request.headers.get('x-auth-token')
  if (header) return header
  const query = request.url.includes('api_token') ? new URLSearchParams(rawQuery(request.url)).get('api_token') : null
  if (query) return query
  return request.body ? fromBody(request, settings) : fromAuthorization(request)
}

async function fromBody(request: Request, settings: Settings): Promise<string> {
  const body = await readBody(request, settings.get('api.max_body'))
  const token = body.kind === 'read' ? members(body.json)['api_token'] : undefined
  return typeof token === 'string' && token !== '' ? token : fromAuthorization(request)
}

function fromAuthorization(request: Request): string {
  const token = bearerToken(request)
  if (token !== '') return token
  const basic = /^Basic\s+(\S+)/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (basic === undefined) return ''
  const pair = Buffer.from(basic, 'base64').toString('utf8')
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : ''
}

/** The bearer token of a request, '' when there is none. */
function bearerToken(request: Request): string {
  return /^Bearer\s+(\S+)/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}

/**
 * No request has a member of this name: no octets of a URL decode to half of a surrogate pair. The plugin always looks
 * for one (RFC 6750, section 2.3), and v1 takes tokens from the Authorization header alone.
 */
const NO_MEMBER = '\ud800'

/**
 * Gives the routes after it `bearer`, the token of the Authorization header, or undefined. v1 only: v0 refuses a request
 * before it is routed, unknown paths included, and a plugin begins to work after that.
 */
export const bearerPlugin = () => bearer({ extract: { query: NO_MEMBER } })

/** Writes the Authorization header the one way that the plugin knows: other cases and spaces are as good (RFC 9110, section 11.1). */
export function canonicalBearer(request: Request): void {
  const given = request.headers.get('authorization')
  if (given === null) return
  const token = bearerToken(request)
  if (token === '') request.headers.delete('authorization')
  else if (given !== `Bearer ${token}`) request.headers.set('authorization', `Bearer ${token}`)
}
