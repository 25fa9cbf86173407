/**
 * Result of an attempt. `told`: what it says about the transport; absent: nothing, as when a notification cannot be
 * rendered, or the receiver only asked to wait.
 */
export type OutboxResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again'; readonly afterMs: number; readonly error: string; readonly isPathFault: boolean }
  | { readonly kind: 'dead'; readonly error: string; readonly isPathFault: boolean }

/** The result of a notification or of a message by its transport. */
export interface SendingResult {
  readonly transportId: number
  readonly result: OutboxResult
}
