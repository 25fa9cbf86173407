import type { Answer, CallOptions, TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'

/** The request of a row, for a device of its own. */
export interface Request extends CallOptions {
  readonly method: string
  readonly path: string
}

/** One outcome of one operation. */
export interface Row {
  readonly operation: string
  readonly status: number
  readonly name: string
  readonly request: (seeded: Seeded, api: TestApi) => Request | Promise<Request>
  /** Fails by throwing, with `expect`. */
  readonly check?: (answer: Answer, seeded: Seeded, api: TestApi) => void | Promise<void>
}

/** A GET on a path below /api/v0. */
export const get = (path: string, options: CallOptions = {}): Request => ({
  method: 'GET',
  path: `/api/v0${path}`,
  ...options,
})

/** Another method on a path below /api/v0. */
export const send = (method: string, path: string, body?: unknown, options: CallOptions = {}): Request => ({
  method,
  path: `/api/v0${path}`,
  ...(body !== undefined && { body }),
  ...options,
})

/** The message in a response. */
export function message(answer: Answer): unknown {
  const { json } = answer
  const body = Array.isArray(json) ? json[0] : json
  return typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
}

/** A member of the response object. */
export function member(answer: Answer, name: string): unknown {
  const { json } = answer
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined
}
