import type { Actor } from '../domain/actor.ts'
import { toDomainError } from '../domain/errors.ts'
import type { Services } from '../domain/services.ts'
import { under, V0, V1 } from './areas.ts'
import { readBody } from './body.ts'
import { type ClientAddress, clientAddress } from './client-address.ts'
import { allowedOrigin, allowOrigin, preflight } from './cors.ts'
import { type RequestFacts, setFacts } from './facts.ts'
import { cleanUrl, isReadable, rawPath } from './path.ts'
import { canonicalBearer, v0Token } from './token.ts'
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
      if (received.method === 'OPTIONS') return preflight(origin, config)
      const answer = enter(services, request, path, () => clientAddress(received, peer(received), config), next)
      return answer instanceof Promise
        ? answer.then((a) => allowOrigin(a, origin, config))
        : allowOrigin(answer, origin, config)
    }
    return enter(services, request, path, () => clientAddress(received, peer(received), config), next)
  }
}

function enter(
  services: Pick<Services, 'auth' | 'config' | 'log'>,
  request: Request,
  path: string,
  client: () => ClientAddress,
  next: Next,
): Response | Promise<Response> {
  if (under(path, V0)) return enterV0(services, request, client, next)
  if (under(path, V1)) return enterV1(services, request, client, next)
  return next(request)
}

function enterV0(
  services: Pick<Services, 'auth' | 'config' | 'log'>,
  request: Request,
  client: () => ClientAddress,
  next: Next,
): Response | Promise<Response> {
  const token = v0Token(request, services.config)
  const address = () => client().address
  // The common case needs no promise: the token stands in a header and was seen a moment ago.
  const actor =
    typeof token === 'string'
      ? services.auth.authenticate(token, address)
      : token.then((t) => services.auth.authenticate(t, address))
  if (!(actor instanceof Promise))
    return actor === null ? unauthenticated() : admit(services, request, actor, client, next)
  return actor
    .then((found) => (found === null ? unauthenticated() : admit(services, request, found, client, next)))
    .catch((error: unknown) => presentV0Error(toDomainError(error) ?? error, request, services.log))
}

function admit(
  { config }: Pick<Services, 'config'>,
  request: Request,
  actor: Actor,
  client: () => ClientAddress,
  next: Next,
): Response | Promise<Response> {
  if (!isReadable(request.url)) return badRequest()
  const facts: RequestFacts = {
    actor,
    dialect: actor.dialect ?? config.get('api.v0.dialect'),
    settings: config,
    client,
  }
  if (request.body) return admitWithBody(request, facts, next)
  setFacts(request, facts)
  return next(request)
}

async function admitWithBody(request: Request, facts: RequestFacts, next: Next): Promise<Response> {
  const body = await readBody(request, facts.settings.get('api.max_body'))
  if (body.kind === 'too-large') return tooLarge()
  if (body.kind === 'malformed') return badRequest()
  setFacts(request, facts)
  return await next(request)
}

function enterV1(
  services: Pick<Services, 'config'>,
  request: Request,
  client: () => ClientAddress,
  next: Next,
): Response | Promise<Response> {
  if (request.body && !/^application\/(vnd\.api\+)?json\b/i.test(request.headers.get('content-type') ?? '')) {
    return unsupportedMediaType()
  }
  if (!services.config.get('api.v1.enabled')) return v1NotFound()
  canonicalBearer(request)
  setClient(request, client)
  return next(request)
}
