import { toStoreError, unavailableText } from '../database/errors.ts'

/**
 * Why a request was refused. `invalid`: the request is invalid. `unusable`: it was tried, but the data sent cannot be
 * used. `not_found`: the named object does not exist. `absent`: it was tried, but there was nothing to work on (no such
 * id, no stored data). `conflict`: a name, address or id is in use. `silent`: a device did not answer. `unavailable`:
 * the database is unavailable. `throttled`: too many wrong tokens or passwords. `unusable` and `absent` differ from
 * `invalid` and `not_found` only in the statuses of dialect `librenms` (src/api/v0/statuses.ts). Documented in
 * docs/reference/errors.md.
 */
export type DomainErrorCode =
  | 'invalid'
  | 'unusable'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'absent'
  | 'conflict'
  | 'silent'
  | 'unavailable'
  | 'throttled'

/**
 * A refusal. `message` is shown to clients; `cause` is only logged. `fields` has messages for the invalid inputs of a
 * form.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  constructor(
    readonly code: DomainErrorCode,
    message: string,
    options: {
      cause?: unknown
      fields?: Readonly<Record<string, readonly string[]>>
      retryAfterS?: number
      deviceId?: number | null
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.fields = options.fields ?? null
    this.retryAfterS = options.retryAfterS ?? null
    this.deviceId = options.deviceId ?? null
  }
  readonly fields: Readonly<Record<string, readonly string[]>> | null
  /** Seconds to wait before another attempt; null: waiting does not help. */
  readonly retryAfterS: number | null
  /** The monitored device that stands in the way, which the actor may see; null: none. */
  readonly deviceId: number | null
}

/** Services check references and names first, so a constraint fails only when another request came in between. */
export class LostRace extends DomainError {
  constructor(cause: unknown) {
    super('unavailable', 'Another request changed the same data at the same time, try again', { cause })
  }
}

export const invalid = (message: string) => new DomainError('invalid', message)
export const notFound = (message: string) => new DomainError('not_found', message)
export const forbidden = (message: string) => new DomainError('forbidden', message)
export const conflict = (message: string, cause?: unknown) => new DomainError('conflict', message, { cause })
export const throttled = (retryAfterS: number) => new DomainError('throttled', 'Too Many Attempts.', { retryAfterS })
export const unusable = (message: string, cause?: unknown) => new DomainError('unusable', message, { cause })
export const absent = (message: string, cause?: unknown) => new DomainError('absent', message, { cause })
export const silent = (message: string) => new DomainError('silent', message)

/**
 * Converts an error to a DomainError. Store errors that occur because the database is unavailable or read-only, or
 * because another request changed the same rows, become `unavailable`, since the same request may succeed later. Null:
 * an unexpected error, to be logged and answered as such.
 */
export function toDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error
  const stored = toStoreError(error)
  if (stored.kind === 'conflict') return new LostRace(error)
  if (stored.kind !== 'unavailable') return null
  const text = unavailableText(stored)
  // the text is an error code, or an explanation if the database only rejects writes
  const message = /^\w+$/.test(text) ? `Error connecting to database: ${text}` : text
  return new DomainError('unavailable', message, { cause: error })
}
