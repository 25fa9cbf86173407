import type { Settings } from '../config/schema.ts'

/** The origin that may read the answer if CORS is enabled; null if none was sent or it is not allowed. */
export function allowedOrigin(request: Request, settings: Settings): string | null {
  const origin = request.headers.get('origin')
  if (!origin) return null
  const allowed = settings.get('api.cors.origin')
  return allowed.includes('*') ? '*' : allowed.includes(origin) ? origin : null
}

/** Answer to a preflight request. Source: Fetch standard, CORS protocol. */
export function preflight(origin: string, settings: Settings): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': settings.get('api.cors.allowmethods').join(', '),
      'Access-Control-Allow-Headers': settings.get('api.cors.allowheaders').join(', '),
      'Access-Control-Max-Age': String(settings.get('api.cors.maxage')),
      ...credentials(origin, settings),
      Vary: 'Origin',
    },
  })
}

/** Lets the origin read the answer. */
export function allowOrigin(response: Response, origin: string, settings: Settings): Response {
  response.headers.set('Access-Control-Allow-Origin', origin)
  response.headers.append('Vary', 'Origin')
  const exposed = settings.get('api.cors.exposeheaders')
  if (exposed.length > 0) response.headers.set('Access-Control-Expose-Headers', exposed.join(', '))
  for (const [name, value] of Object.entries(credentials(origin, settings))) response.headers.set(name, value)
  return response
}

/** Credentials are allowed only for origins listed by name, because browsers refuse them for `*`. */
function credentials(origin: string, settings: Settings): Readonly<Record<string, string>> {
  return origin !== '*' && settings.get('api.cors.allowcredentials')
    ? { 'Access-Control-Allow-Credentials': 'true' }
    : {}
}
