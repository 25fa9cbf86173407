import { toStoreError } from '../store/errors.ts'

/**
 * Why something was refused. `invalid`: what was asked makes no sense. `conflict`: it contradicts what is stored.
 * `failed`: it was tried and did not work. `unavailable`: the database is away. Pages: docs/reference/errors.md.
 */
export type DomainErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'failed'
  | 'unavailable'

/** A refusal. `message` is public; the `cause` is for the log alone. `fields` names the offending inputs of a form. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  constructor(
    readonly code: DomainErrorCode,
    message: string,
    options: { cause?: unknown; fields?: Readonly<Record<string, readonly string[]>> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.fields = options.fields ?? null
  }
  readonly fields: Readonly<Record<string, readonly string[]>> | null
}

export const invalid = (message: string) => new DomainError('invalid', message)
export const notFound = (message: string) => new DomainError('not_found', message)
export const forbidden = (message: string) => new DomainError('forbidden', message)
export const conflict = (message: string) => new DomainError('conflict', message)
export const failed = (message: string, cause?: unknown) => new DomainError('failed', message, { cause })

/**
 * Any error as a DomainError. What the store throws when the database is away becomes `unavailable`, with the code of
 * the cause as its message; null: something nobody foresaw, to be logged and answered as such.
 */
export function toDomainError(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error
  const stored = toStoreError(error)
  if (stored.kind === 'unavailable')
    return new DomainError('unavailable', stored.code ?? 'unavailable', { cause: error })
  return null
}
