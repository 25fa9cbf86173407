import { toDomainError } from '../../core/base/errors.ts'
import type { Log } from '../../observe/log.ts'
import { rawPath } from '../path.ts'
import { jsonApi, LATER } from '../respond.ts'

const errors = (status: number, title: string, detail?: string, headers?: Readonly<Record<string, string>>) =>
  jsonApi({ errors: [{ status: String(status), title, ...(detail !== undefined && { detail }) }] }, status, headers)

/** Unknown path, or v1 is disabled. */
export const v1NotFound = () => errors(404, 'Not Found', 'The requested resource could not be found.')
/** Every path while setting api.v1.enabled is off, for those who are not our own pages. */
export const v1Off = () => errors(404, 'Not Found', 'API v1 is off: turn it on with setting api.v1.enabled')
/** A body above setting api.max_body. */
export const bodyTooLarge = () =>
  errors(413, 'Content Too Large', 'The body is larger than setting api.max_body allows.')
/** A body that is neither JSON nor JSON:API. */
export const unsupportedMediaType = () => errors(415, 'Unsupported Media Type')
/** No valid bearer token. The only refusal without an `errors` list. */
export const v1Unauthenticated = () => jsonApi({ message: 'Unauthenticated.' }, 401)
/** The database is unavailable. Does not reveal the cause. */
export const unavailable = () => errors(503, 'Service Unavailable', 'A required service is unavailable.', LATER)
/** The request limit of the route is exceeded. */
export const tooManyRequests = (retryAfterS: number) =>
  errors(429, 'Too Many Requests', 'Too many requests. Please try again later.', { 'Retry-After': String(retryAfterS) })

/** The answer to an error thrown by a v1 operation. Does not reveal the cause. */
export function presentV1Error(thrown: unknown, request: Request, log: Log): Response {
  const known = toDomainError(thrown)
  if (known?.code === 'unavailable') return unavailable()
  if (known?.code === 'throttled') return tooManyRequests(known.retryAfterS ?? 1)
  if (known?.code === 'unauthenticated') return v1Unauthenticated()
  if (known?.code === 'not_found') return v1NotFound()
  if (known?.code === 'invalid') return errors(400, 'Bad Request', known.message)
  if (known?.code === 'conflict') return errors(409, 'Conflict', known.message)
  if (known?.code === 'forbidden') {
    return errors(403, 'Forbidden', 'You do not have the necessary permissions to access this resource.')
  }
  // the client went away while it was sending the body
  if (thrown instanceof Error && thrown.name === 'AbortError' && request.signal.aborted)
    return errors(400, 'Bad Request', 'The request is incomplete.')
  log.error({ err: thrown, method: request.method, path: rawPath(request.url) }, 'request failed')
  return jsonApi({ message: 'Server Error' }, 500)
}
