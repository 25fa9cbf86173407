import { signInPace } from './sign-in-pace.ts'

/**
 * `unavailable`: the database cannot serve now (down, restarting, read-only, full). `conflict`: an existing row
 * prevents it. `invalid`: the data is rejected.
 */
export type StoreErrorKind = 'unavailable' | 'conflict' | 'invalid' | 'internal'

/** Errors that the store throws. `retryable`: the same call may succeed later. The driver's error is the `cause`. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    readonly retryable: boolean,
    /** SQLSTATE or the system's error code; null: none. */
    readonly code: string | null,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Thrown by the work of a transaction to undo it, and caught by whoever began it. */
export class Undone extends Error {
  override readonly name = 'Undone'
}

/** SQLSTATE of the transaction that PostgreSQL undid so that others can go on. */
export const DEADLOCK = '40P01'

/** By SQLSTATE, longest prefix first (PostgreSQL, Appendix A). */
const STATES: readonly (readonly [prefix: string, kind: StoreErrorKind, retryable: boolean])[] = [
  ['40001', 'conflict', true], // serialization failure
  [DEADLOCK, 'conflict', true],
  ['55P03', 'unavailable', true], // lock not available
  ['57014', 'unavailable', true], // statement timeout
  ['57P', 'unavailable', true], // shutdown, crash, starting up
  ['25006', 'unavailable', true], // read-only
  ['25P03', 'unavailable', true], // idle in transaction for too long
  ['23505', 'conflict', false],
  ['23503', 'conflict', false],
  ['23P01', 'conflict', false],
  ['08', 'unavailable', true], // connection
  ['53', 'unavailable', true], // disk full, out of memory, too many connections
  ['58', 'unavailable', true], // I/O
  ['3D000', 'unavailable', true], // database does not exist
  ['28', 'unavailable', true], // login rejected
  ['22', 'invalid', false],
  ['23', 'invalid', false],
]

/** Read-only or disk full: reads still work. */
const NO_WRITES = new Set(['25006', '53100'])
const NO_WRITES_TEXT = 'the database takes no writes at the moment: its disk is full, or it is read-only'

/** What to make of errors whose own text does not say what to do, by code. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ...[...NO_WRITES].map((code) => [code, NO_WRITES_TEXT] as const),
  [DEADLOCK, 'others changed the same data at the same time, so this was undone: try again'],
])

/** The public text of an `unavailable` error: an explanation if only writes fail, otherwise the code. */
export function unavailableText(error: StoreError): string {
  return error.code !== null && NO_WRITES.has(error.code) ? NO_WRITES_TEXT : (error.code ?? 'unavailable')
}

/** Codes of the driver and the system that mean "no connection". */
const CONNECTION = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ANSWER_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_SOCKET_CLOSED',
])

/** Converts an error of the driver to a StoreError by its SQLSTATE; what clients throw is one (converted.ts). */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code
    if (typeof code !== 'string') continue
    signInPace.noted(code)
    if (CONNECTION.has(code)) return new StoreError('unavailable', at.message, true, code, { cause: error })
    const found = STATES.find(([prefix]) => code.startsWith(prefix))
    const said = TEXTS.get(code)
    const message = said === undefined ? at.message : `${said} (${at.message})`
    if (found !== undefined) return new StoreError(found[1], message, found[2], code, { cause: error })
    return new StoreError('internal', at.message, false, code, { cause: error })
  }
  return new StoreError('internal', error instanceof Error ? error.message : String(error), false, null, {
    cause: error,
  })
}
