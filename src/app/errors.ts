/**
 * The server cannot start or continue, or did not complete a command's request. The message explains the problem to the
 * operator; the command line shows it without a stack.
 */
export class ServingError extends Error {
  override readonly name = 'ServingError'
}
