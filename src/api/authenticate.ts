import type { Actor } from '../core/base/actor.ts'
import { type DomainError, toDomainError } from '../core/base/errors.ts'
import type { Services } from '../core/services.ts'
import type { Histogram } from '../observe/histogram.ts'
import type { Trace } from '../observe/trace.ts'
import { readBody } from './body.ts'
import { type ClientAddress, clientAddress } from './client-address.ts'
import { clientOfRequest, isUsable, proxyUser, sessionSecret, setVisitor } from './client-of-request.ts'
import { allowedOrigin, allowOrigin, preflight } from './cors.ts'
import { createDeadlines, DEADLINES, type Deadlines } from './deadline.ts'
import { isReadable, isUnder, type RequestTarget, rawPath, requestTarget, V0, V1 } from './path.ts'
import { operationOf, type RequestContext, setFacts } from './request-context.ts'
import { NO_OPERATION, timed, tracedBy } from './request-times.ts'
import { canonicalBearer, v0Token } from './token.ts'
import { badRequest, bodyOfGet, presentV0Error, tooLarge, tooMany, unauthenticated } from './v0/present-error.ts'
import { v1OperationOf } from './v1/client.ts'
import { presentV1Error, unsupportedMediaType, v1Off } from './v1/present-error.ts'

type Next = (request: Request) => Response | Promise<Response>

/** Answers a request for a page that was not answered in time. */
type Late = (request: Request, error: DomainError) => Response | Promise<Response>

/** Handlers of other paths served next to the API. */
export type Extras = Readonly<Record<string, () => Response | Promise<Response>>>

/**
 * Runs before routing: parses the request target, authenticates v0 requests (401 comes before 404 and 403, even for
 * unknown paths) and checks whether v1 is enabled. `peer` returns the address of a connection, '' if unknown.
 * `v1` answers requests to v1, `next` all others. `times` records how long every request to v0 and v1 took; `trace`
 * records a span for each of them, null: none. Requests not answered by their deadline get 503, pages by `late`.
 */
export function authentication(
  services: Pick<Services, 'auth' | 'sessions' | 'config' | 'log'>,
  peer: (request: Request) => string,
  extras: Extras,
  times: Histogram,
  { next, v1, late }: { readonly next: Next; readonly v1: Next; readonly late: Late },
  trace: Trace | null = null,
  deadlines: Deadlines = DEADLINES,
): Next {
  const time = trace === null ? timed : tracedBy(trace)
  const { config, log } = services
  const within = createDeadlines(deadlines, (request, ms) =>
    log.warn({ method: request.method, path: rawPath(request.url), ms }, 'request not answered in time'),
  )
  const beside = new Map(Object.entries(extras))

  function enter(received: Request, { origin, path, url }: RequestTarget): Response | Promise<Response> {
    const extra = beside.get(path)
    if (extra !== undefined) return extra()
    const request = url === received.url ? received : new Request(url, received)
    const client = () => clientAddress(received, origin, peer(received), config)
    const beganMs = performance.now()
    if (isUnder(path, V0)) {
      const work = () => enterV0(services, request, client, next)
      const answer = within(request, path, work, (error) => presentV0Error(error, request, log))
      return time(times, beganMs, request, operationOf, answer)
    }
    if (isUnder(path, V1)) {
      const work = () => enterV1(services, request, client, v1)
      const answer = within(request, path, work, (error) => presentV1Error(error, request, log))
      return time(times, beganMs, request, v1OperationOf, answer)
    }
    setVisitor(request, client)
    return within(
      request,
      path,
      () => next(request),
      (error) => late(request, error),
    )
  }

  return (received) => {
    const target = requestTarget(received.url, received.headers.get('host'))
    if (target === null) return badRequest()
    const origin = config.get('api.cors.enabled') ? allowedOrigin(received, config) : null
    if (origin === null) return enter(received, target)
    if (received.method === 'OPTIONS') return preflight(origin, config)
    const answer = enter(received, target)
    return answer instanceof Promise
      ? answer.then((a) => allowOrigin(a, origin, config))
      : allowOrigin(answer, origin, config)
  }
}

function enterV0(
  services: Pick<Services, 'auth' | 'config' | 'log'>,
  request: Request,
  client: () => ClientAddress,
  next: Next,
): Response | Promise<Response> {
  const token = v0Token(request, services.config)
  const address = () => client().address
  const refused = () => unauthenticated(services.config.get('api.v0.dialect'))
  // In the common case the token is in a header and cached, which needs no promise.
  const actor =
    typeof token === 'string'
      ? services.auth.authenticate(token, address)
      : token.then((t) => services.auth.authenticate(t, address))
  if (!(actor instanceof Promise)) return actor === null ? refused() : admit(services, request, actor, client, next)
  return actor
    .then((found) => (found === null ? refused() : admit(services, request, found, client, next)))
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
  const facts: RequestContext = {
    actor,
    dialect: actor.dialect ?? config.get('api.v0.dialect'),
    settings: config,
    client,
    operation: NO_OPERATION,
  }
  if (facts.dialect === 'librenms' && mayFilter(request)) return bodyOfGet()
  if (request.body) return admitWithBody(request, facts, next)
  setFacts(request, facts)
  return next(request)
}

/** Octets of the smallest JSON object with a member, `{"a":1}`; clients that send a body with every request send `[]`. */
const MIN_MEMBER_OCTETS = 7

/**
 * Whether a GET has a body that may hold filters. LibreNMS reads them if the body is JSON; Bun passes on no body of a
 * GET, so they would be ignored, and everything would be answered instead of a selection.
 */
function mayFilter({ method, headers }: Request): boolean {
  if (method !== 'GET' || !/\bjson\b/i.test(headers.get('content-type') ?? '')) return false
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) >= MIN_MEMBER_OCTETS
}

async function admitWithBody(request: Request, facts: RequestContext, next: Next): Promise<Response> {
  const body = await readBody(request, facts.settings.get('api.max_body'))
  if (body.kind === 'too-large') return tooLarge()
  if (body.kind === 'too-many') return tooMany()
  if (body.kind === 'malformed') return badRequest()
  setFacts(request, facts)
  return await next(request)
}

/** Our own pages read their data through v1, with a session, even when v1 is disabled for other clients. */
async function enterForPages(
  { sessions, config, log }: Pick<Services, 'sessions' | 'config' | 'log'>,
  request: Request,
  next: Next,
): Promise<Response> {
  const secret = request.headers.has('authorization') ? '' : sessionSecret(request)
  if (secret === '') return v1Off()
  try {
    const session = await sessions.find(secret, clientOfRequest(request).address)
    const isOpen = session?.stage === 'open' && isUsable(session, proxyUser(request, config.get('auth.proxy_header')))
    return isOpen ? await next(request) : v1Off()
  } catch (error) {
    return presentV1Error(error, request, log)
  }
}

function enterV1(
  services: Pick<Services, 'config' | 'sessions' | 'log'>,
  request: Request,
  client: () => ClientAddress,
  next: Next,
): Response | Promise<Response> {
  if (request.body && !/^application\/(vnd\.api\+)?json\b/i.test(request.headers.get('content-type') ?? '')) {
    return unsupportedMediaType()
  }
  setVisitor(request, client)
  if (!services.config.get('api.v1.enabled')) return enterForPages(services, request, next)
  canonicalBearer(request)
  return next(request)
}
