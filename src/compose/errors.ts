/**
 * Serving cannot begin or go on, or did not do what a command asked of it. The message tells the operator what is in the
 * way; the command line shows it without a stack.
 */
export class ServingError extends Error {
  override readonly name = 'ServingError'
}
