import { bearer } from '@elysiajs/bearer'
import type { Settings } from '../config/schema.ts'
import { members, readBody } from './body.ts'
import { rawQuery } from './path.ts'

/**
 * The token of a v0 request, '' if there is none. The first non-empty one of these is used, even if it is wrong and a
 * later one valid: X-Auth-Token, query api_token, body member api_token, bearer, password of HTTP Basic.
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

/** The bearer token of a request, '' if there is none. */
function bearerToken(request: Request): string {
  return /^Bearer\s+(\S+)/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}

/**
 * A query parameter that cannot occur, because no URL decodes to half a surrogate pair. The plugin always reads a token
 * from the query (RFC 6750, section 2.3), but v1 accepts tokens only in the Authorization header.
 */
const NO_MEMBER = '\ud800'

/**
 * Adds `bearer` to the context of later routes: the token in the Authorization header, or undefined. Only for v1: v0
 * authenticates before routing, even for unknown paths, and plugins have not run by then.
 */
export const bearerPlugin = () => bearer({ extract: { query: NO_MEMBER } })

/** Normalises the Authorization header for the plugin: RFC 9110, section 11.1 allows any case and several spaces. */
export function canonicalBearer(request: Request): void {
  const given = request.headers.get('authorization')
  if (given === null) return
  const token = bearerToken(request)
  if (token === '') request.headers.delete('authorization')
  else if (given !== `Bearer ${token}`) request.headers.set('authorization', `Bearer ${token}`)
}
