import type { Dialect } from '../../core/base/actor.ts'
import { DomainError, LostRace, toDomainError } from '../../core/base/errors.ts'
import type { Log } from '../../observe/log.ts'
import { logBeyondBudget } from '../beyond-budget.ts'
import { MAX_ITEMS } from '../body.ts'
import { rawPath } from '../path.ts'
import { dialectOf } from '../request-context.ts'
import { json, LATER } from '../respond.ts'
import { STATUSES } from './statuses.ts'

const error = (status: number, message: unknown, headers?: Readonly<Record<string, string>>) =>
  json({ status: 'error', message }, status, headers)

/** An error of authentication or of a gate: only the message, in dialect `librenms` also the status. */
function bare(status: number, message: string, dialect: Dialect): Response {
  return dialect === 'librenms' ? error(status, message) : json({ message }, status)
}

/** Missing, unknown or disabled token, or disabled user. */
export const unauthenticated = (dialect: Dialect) => bare(401, 'Unauthenticated.', dialect)
/** Unknown path or method. */
export const unknownRoute = () => error(404, "This API route doesn't exist.")
/** A malformed path, query or body. */
export const badRequest = () => error(400, 'Malformed request')
/** A body above setting api.max_body. */
export const tooLarge = () => error(413, 'Request body is too large')
/** A GET with a body, which could hold filters. */
export const bodyOfGet = () => error(400, 'The body of a GET request is not read: send its members as query parameters')
/** A list in a body is too long. */
export const tooMany = () => error(400, `A list in the request has more than ${MAX_ITEMS} items`)
/** The server is shutting down. */
export const stopping = () => error(503, 'The server is being stopped', LATER)
/** An unexpected error. */
const serverError = () => json({ message: 'Server Error' }, 500)

/** The user's roles do not pass the gate of the operation. */
export class GateClosed extends Error {
  override readonly name = 'GateClosed'
}

/** A refusal to which LibreNMS answers only `Server Error`. Dialect `documented` gives the reason. */
export class Unexplained extends Error {
  override readonly name = 'Unexplained'
  constructor(readonly refusal: DomainError) {
    super(refusal.message, { cause: refusal })
  }
}

/** The answer to an error thrown by a v0 operation. Unexpected errors are logged, and their details are not shown. */
export function presentV0Error(thrown: unknown, request: Request, log: Log): Response {
  const dialect = dialectOf(request)
  if (thrown instanceof GateClosed) return bare(403, 'This action is unauthorized.', dialect)
  if (thrown instanceof Unexplained && dialect === 'librenms') return serverError()
  const known = toDomainError(thrown instanceof Unexplained ? thrown.refusal : thrown)
  if (known === null) {
    log.error({ err: thrown, method: request.method, path: rawPath(request.url) }, 'request failed')
    return serverError()
  }
  if (known.code === 'unauthenticated') return unauthenticated(dialect)
  if (known.code === 'throttled') return tooManyAttempts(known)
  if (known.fields !== null) return error(422, known.fields)
  if (known instanceof LostRace) {
    log.warn({ err: known.cause, method: request.method, path: rawPath(request.url) }, 'request lost a race')
  }
  logBeyondBudget(known, request, log)
  return error(STATUSES[known.code][dialect], known.message, known.code === 'unavailable' ? LATER : undefined)
}

/** Too many wrong tokens are already waiting for an answer. Below that limit, a wrong token gets 401. */
function tooManyAttempts({ message, retryAfterS }: DomainError): Response {
  return json({ message }, 429, { 'Retry-After': String(retryAfterS ?? 1) })
}

/** Whether an error means that an object does not exist. */
export function isNotFound(thrown: unknown): boolean {
  return thrown instanceof DomainError && thrown.code === 'not_found'
}
