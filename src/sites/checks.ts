/** Why a message of a remote poller was not stored. */
export type RefusalReason =
  /** Not sealed by the poller's key for this place in the stream, or altered. */
  | 'unsealed'
  /** Made by a version whose messages this one cannot read. */
  | 'version'
  /** Not what a poller writes. */
  | 'garbled'
  | 'too_large'
  /** A part of it is missing. */
  | 'incomplete'
  /** Of an earlier start of the poller: two processes use its key. */
  | 'stale'
  /** About a device that the poller does not poll. */
  | 'foreign_device'
  /** The database refused the values. */
  | 'database'

/** A message that is refused. The text names no content. */
export class MessageError extends Error {
  override readonly name = 'MessageError'
  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message)
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An id as the database makes them. */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 2_147_483_647
}

/** Epoch ms between 2000 and 2100. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 946_684_800_000 && value < 4_102_444_800_000
}
