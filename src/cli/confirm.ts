import { isatty } from 'node:tty'
import type { Command } from 'commander'
import { CliError, usage } from './errors.ts'
import { say } from './output.ts'

/** Options of a command that deletes something permanently. */
export interface ConfirmOptions {
  readonly yes?: boolean
}

/** Adds the option that skips the question. */
export function addYes(command: Command): Command {
  return command.option('-y, --yes', 'do not ask for confirmation; required without a terminal')
}

const STDIN = 0
const STDERR = 2

/**
 * Asks on the terminal whether to do `what`, unless --yes is given. Throws CliError if the answer is no, or, with exit
 * code 2, if there is neither a terminal nor --yes.
 */
export async function confirm(what: string, { yes }: ConfirmOptions): Promise<void> {
  if (yes === true) return
  if (!isTerminal()) throw usage(`to ${what}, repeat the command with --yes`)
  say(`${what[0]?.toUpperCase()}${what.slice(1)}? [y/N]`)
  if (!/^\s*y(es)?\s*$/i.test(await answer())) throw new CliError('nothing was changed')
}

/** Whether a question can be asked: stdin and stderr are a terminal. */
export const isTerminal = (): boolean => isatty(STDIN) && isatty(STDERR)

/** Reads the first line typed. */
export async function answer(): Promise<string> {
  for await (const line of console) return line
  return ''
}
