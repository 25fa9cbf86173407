/** Exit codes: 0 success, 1 failure, 2 invalid command line. */
export type ExitCode = 1 | 2

/** Ends a command with a message to the user. */
export class CliError extends Error {
  override readonly name = 'CliError'

  constructor(
    message: string,
    readonly exitCode: ExitCode = 1,
  ) {
    super(message)
  }
}

/** An invalid command line. */
export const usage = (message: string) => new CliError(message, 2)
