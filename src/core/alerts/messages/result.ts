/**
 * Result of an attempt. `countsAgainstTransport`: false when the notification could not be rendered, or the receiver only
 * asked to wait: neither says that the transport does not work.
 */
export type OutboxResult =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'again'
      readonly afterMs: number
      readonly error: string
      readonly countsAgainstTransport: boolean
    }
  | { readonly kind: 'dead'; readonly error: string; readonly countsAgainstTransport: boolean }

/** The result of a notification or of a message by its transport. */
export interface SendingResult {
  readonly transportId: number
  readonly result: OutboxResult
}

const MAX_ERROR = 1000

/** The reason of a failure, as it is stored. */
export const storedError = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, MAX_ERROR)
