/** Why a message of a remote poller was not stored. */
export type RefusalReason =
  /** Not sealed with the poller's key for this position in the stream, or altered. */
  | 'unsealed'
  /** From a version whose messages this one cannot read. */
  | 'version'
  /** Malformed. */
  | 'garbled'
  | 'too_large'
  /** A part of it is missing. */
  | 'incomplete'
  /** From an earlier epoch of the poller: two processes use its key. */
  | 'stale'
  /** About a device that the poller does not poll. */
  | 'foreign_device'
  /** The database refused the values. */
  | 'database'

/** Why a message is refused. The text contains nothing from the message. */
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

/** Epoch ms between 2000 and 2100. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 946_684_800_000 && value < 4_102_444_800_000
}
