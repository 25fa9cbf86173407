import type { Actor } from '../../core/base/actor.ts'
import { forbidden, invalid } from '../../core/base/errors.ts'
import type { Services } from '../../core/services.ts'
import { clientOfRequest, isOwnOrigin, isUsable, proxyUser, sessionSecret, viewedUser } from '../client-of-request.ts'
import { hasReadablePath, isReadable } from '../path.ts'
import { NO_OPERATION } from '../request-times.ts'

const operations = new WeakMap<Request, string>()

/** Client address of a v1 request; '' if unknown. */
export function clientOf(request: Request): string {
  return clientOfRequest(request).address
}

/** Stores the operationId of a v1 request. */
export function setV1Operation(request: Request, id: string): void {
  operations.set(request, id)
}

/** operationId of a v1 request; NO_OPERATION if it was answered before it was routed. */
export function v1OperationOf(request: Request): string {
  return operations.get(request) ?? NO_OPERATION
}

/**
 * Like `v1Actor`, but for an answer that is streamed: returns a function that looks up the client again on each call.
 * The calls do not count as activity, so that a page left open does not keep its session alive.
 */
export function v1Identity(
  { auth, sessions, config }: Pick<Services, 'auth' | 'sessions' | 'config'>,
  bearer: string | undefined,
  request: Request,
): () => Promise<Actor | null> {
  const address = clientOf(request)
  const secret = request.headers.has('authorization') ? '' : sessionSecret(request)
  if (secret === '') return async () => await auth.authenticate(bearer ?? '', () => address)
  const named = proxyUser(request, config.get('auth.proxy_header'))
  return async () => {
    const session = await sessions.find(secret, address, false)
    if (session?.stage !== 'open' || !isUsable(session, named)) return null
    return await sessions.seenAs(session, viewedUser(request))
  }
}

/** Requests that change nothing. */
const SAFE = new Set(['GET', 'HEAD'])

type Access = Pick<Services, 'auth' | 'sessions' | 'config'>

/**
 * Who makes a v1 request: the owner of the bearer token or, without an Authorization header, the user of the session
 * cookie. With a session, changes also need the header X-CSRF-Token and our own origin. null: not authenticated. Throws
 * `forbidden`, and `invalid` for a query with NUL, which no text in the database can have, or that is no UTF-8.
 */
export async function v1Actor(access: Access, bearer: string | undefined, request: Request): Promise<Actor | null> {
  const actor = await callerOf(access, bearer, request)
  if (actor !== null && hasReadablePath(request.url) && !isReadable(request.url))
    throw invalid('The query has a NUL or is not UTF-8')
  return actor
}

async function callerOf(
  { auth, sessions, config }: Access,
  bearer: string | undefined,
  request: Request,
): Promise<Actor | null> {
  const secret = request.headers.has('authorization') ? '' : sessionSecret(request)
  if (secret === '') {
    const actor = await auth.authenticate(bearer ?? '', () => clientOf(request))
    if (actor?.readOnly === true && !SAFE.has(request.method)) throw forbidden('The token is for reading')
    return actor
  }
  const session = await sessions.find(secret, clientOf(request))
  if (session?.stage !== 'open' || !isUsable(session, proxyUser(request, config.get('auth.proxy_header')))) return null
  const actor = await sessions.seenAs(session, viewedUser(request))
  if (SAFE.has(request.method)) return actor
  if (actor !== session.actor) throw forbidden('You are viewing the pages as another user: nothing can be changed')
  return isOwnOrigin(request) && request.headers.get('x-csrf-token') === session.csrf ? session.actor : null
}
