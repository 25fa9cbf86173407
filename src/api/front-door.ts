import type { Actor } from '../domain/actor.ts'
import { toDomainError } from '../domain/errors.ts'
import type { Services } from '../domain/services.ts'
import { under, V0, V1 } from './areas.ts'
import { members, readBody } from './body.ts'
import { clientAddress } from './client-address.ts'
import { allowedOrigin, allowOrigin, preflight } from './cors.ts'
import { type RequestFacts, setFacts } from './facts.ts'
import { cleanUrl, isReadable, rawPath } from './path.ts'
import { v0Token } from './token.ts'
import { badRequest, presentV0Error, tooLarge, unauthenticated } from './v0/present-error.ts'
import { setClient } from './v1/client.ts'
import { unsupportedMediaType, v1NotFound } from './v1/present-error.ts'

type Next = (request: Request) => Response | Promise<Response>

/**
 * What happens before routing: the URL is cleaned, v0 authenticates (401 comes before 404 and 403, for unknown paths as
 * well), v1 looks at its switch. `peer` gives the address of a connection, '' when it is not known.
 */
export function frontDoor(
  services: Pick<Services, 'auth' | 'config' | 'log'>,
  peer: (request: Request) => string,
  next: Next,
): Next {
  const { config } = services
  // Looked at for every request, so not through the layers of the settings.
  let cors = config.get('api.cors.enabled')
  config.onChange(() => {
    cors = config.get('api.cors.enabled')
  })
  return (received) => {
    const url = cleanUrl(received.url)
    const request = url === received.url ? received : new Request(url, received)
    const path = rawPath(url)
    const origin = cors ? allowedOrigin(received, config) : null
    if (origin !== null) {
      if (received.method === 'OPTIONS') return preflight(origin)
      const answer = enter(services, request, path, () => peer(received), next)
      return answer instanceof Promise ? answer.then((a) => allowOrigin(a, origin)) : allowOrigin(answer, origin)
    }
    return enter(services, request, path, () => peer(received), next)
  }
}

function enter(
  services: Pick<Services, 'auth' | 'config' | 'log'>,
  request: Request,
  path: string,
  peer: () => string,
  next: Next,
): Response | Promise<Response> {
  if (under(path, V0)) return enterV0(services, request, peer, next)
  if (under(path, V1)) return enterV1(services, request, peer, next)
  return next(request)
}

function enterV0(
  services: Pick<Services, 'auth' | 'config' | 'log'>,
  request: Request,
  peer: () => string,
  next: Next,
): Response | Promise<Response> {
  const token = v0Token(request, services.config)
  // The common case needs no promise: the token stands in a header and was seen a moment ago.
  const actor =
    typeof token === 'string' ? services.auth.authenticate(token) : token.then((t) => services.auth.authenticate(t))
  if (!(actor instanceof Promise))
    return actor === null ? unauthenticated() : admit(services, request, actor, peer, next)
  return actor
    .then((found) => (found === null ? unauthenticated() : admit(services, request, found, peer, next)))
    .catch((error: unknown) => presentV0Error(toDomainError(error) ?? error, request, services.log))
}

function admit(
  { config }: Pick<Services, 'config'>,
  request: Request,
  actor: Actor,
  peer: () => string,
  next: Next,
): Response | Promise<Response> {
  if (!isReadable(request.url)) return badRequest()
  const facts: RequestFacts = {
    actor,
    dialect: actor.dialect ?? config.get('api.v0.dialect'),
    settings: config,
    client: () => clientAddress(request, peer(), config),
    bodyQuery: null,
  }
  if (request.body) return admitWithBody(request, facts, next)
  setFacts(request, facts)
  return next(request)
}

async function admitWithBody(request: Request, facts: RequestFacts, next: Next): Promise<Response> {
  const body = await readBody(request, facts.settings.get('api.max_body'))
  if (body.kind === 'too-large') return tooLarge()
  if (body.kind === 'malformed') return badRequest()
  const reads = request.method === 'GET' || request.method === 'HEAD'
  const asQuery = reads && /\bjson\b/.test(request.headers.get('content-type') ?? '')
  setFacts(request, asQuery ? { ...facts, bodyQuery: texts(body.json) } : facts)
  return await next(request)
}

/** Members of a JSON object that can stand for query values. */
function texts(json: unknown): Readonly<Record<string, string>> {
  const scalars = Object.entries(members(json)).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  )
  return Object.fromEntries(scalars.map(([name, value]) => [name, String(value)]))
}

function enterV1(
  services: Pick<Services, 'config'>,
  request: Request,
  peer: () => string,
  next: Next,
): Response | Promise<Response> {
  if (request.body && !/^application\/(vnd\.api\+)?json\b/i.test(request.headers.get('content-type') ?? '')) {
    return unsupportedMediaType()
  }
  if (!services.config.get('api.v1.enabled')) return v1NotFound()
  setClient(request, () => clientAddress(request, peer(), services.config))
  return next(request)
}
