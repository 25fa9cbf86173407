import { DomainError, type DomainErrorCode, toDomainError } from '../../domain/errors.ts'
import type { Log } from '../../observe/log.ts'
import { rawPath } from '../path.ts'
import { json } from '../respond.ts'

/** HTTP status of each code in v0, which knows neither 409 nor 405: a conflict is a 500 there. */
const STATUS: Readonly<Record<DomainErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 500,
  failed: 500,
  unavailable: 503,
}

const error = (status: number, message: unknown) => json({ status: 'error', message }, status)

/** No token, an unknown or disabled one, or a disabled user. */
export const unauthenticated = () => json({ message: 'Unauthenticated.' }, 401)
/** Unknown path, or a method that a path does not have. */
export const unknownRoute = () => error(404, "This API route doesn't exist.")
/** A path, query or body that cannot be read. */
export const badRequest = () => error(400, 'Malformed request')
/** A body above setting api.max_body. */
export const tooLarge = () => error(413, 'Request body is too large')
const SERVER_ERROR = 'Server Error'
/** Something went wrong that nobody foresaw. */
export const serverError = () => json({ message: SERVER_ERROR }, 500)

/** The roles do not pass the gate of the operation. */
export class GateClosed extends Error {
  override readonly name = 'GateClosed'
}

/** The answer to whatever a v0 operation threw. Only what nobody foresaw is logged, and nothing of it is shown. */
export function presentV0Error(thrown: unknown, request: Request, log: Log): Response {
  if (thrown instanceof GateClosed) return json({ message: 'This action is unauthorized.' }, 403)
  const known = toDomainError(thrown)
  if (known === null) {
    log.error({ err: thrown, method: request.method, path: rawPath(request.url) }, 'request failed')
    return serverError()
  }
  if (known.code === 'unauthenticated') return unauthenticated()
  if (known.code === 'unavailable') return error(503, `Error connecting to database: ${known.message}`)
  if (known.fields !== null) return error(422, known.fields)
  // Where clients know the words of an accident for what is refused, they know them without a status.
  if (known.code === 'failed' && known.message === SERVER_ERROR) return serverError()
  return error(STATUS[known.code], known.message)
}

/** Whether an error says that an object is not there. */
export function isNotFound(thrown: unknown): boolean {
  return thrown instanceof DomainError && thrown.code === 'not_found'
}
