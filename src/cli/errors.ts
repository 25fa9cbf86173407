/** Exit codes: 0 done, 1 it did not work, 2 the command line makes no sense. */
export type ExitCode = 1 | 2

/** Ends a command with a message for the person at the terminal. */
export class CliError extends Error {
  override readonly name = 'CliError'

  constructor(
    message: string,
    readonly exitCode: ExitCode = 1,
  ) {
    super(message)
  }
}

/** The command line makes no sense. */
export const usage = (message: string) => new CliError(message, 2)
