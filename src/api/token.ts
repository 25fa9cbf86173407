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
  const bearer = bearerToken(request)
  if (bearer !== '') return bearer
  const basic = /^Basic\s+(\S+)/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (basic === undefined) return ''
  const pair = Buffer.from(basic, 'base64').toString('utf8')
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : ''
}

/** The bearer token of a request, '' when there is none. */
export function bearerToken(request: Request): string {
  return /^Bearer\s+(\S+)/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
}
