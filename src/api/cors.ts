import type { Settings } from '../config/schema.ts'

/** LibreNMS's defaults: contract BEHAVIOUR.md 18. */
const METHODS = 'POST, GET, PUT, DELETE, PATCH'
const HEADERS = 'Origin, X-Requested-With, Content-Type, Accept, X-Auth-Token'
const MAX_AGE_S = '86400'

/** The origin that may read the answer when CORS is on; null: none was sent, or it is not allowed. */
export function allowedOrigin(request: Request, settings: Settings): string | null {
  const origin = request.headers.get('origin')
  if (!origin) return null
  const allowed = settings.get('api.cors.origin')
  return allowed.includes('*') ? '*' : allowed.includes(origin) ? origin : null
}

/** Answer to a preflight request. */
export function preflight(origin: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': HEADERS,
      'Access-Control-Max-Age': MAX_AGE_S,
      Vary: 'Origin',
    },
  })
}

/** Lets the origin read the answer. */
export function allowOrigin(response: Response, origin: string): Response {
  response.headers.set('Access-Control-Allow-Origin', origin)
  response.headers.append('Vary', 'Origin')
  return response
}
