import { type Command, CommanderError } from 'commander'
import { ConfigError } from '../config/errors.ts'
import { DomainError } from '../core/base/errors.ts'
import { nearestOf } from '../lib/nearest.ts'
import type { LoadComposition } from './app.ts'
import { CliError } from './errors.ts'
import { interruptionCode } from './interruption.ts'
import { inCommandStyle, nextStep, refusalText } from './message-style.ts'
import { say } from './output.ts'
import { buildProgram } from './program.ts'
import { commandNamed } from './usage-errors.ts'

/** Parses the arguments and runs the command. Resolves to the exit code; errors are printed on stderr. */
export async function run(argv: readonly string[], load: LoadComposition): Promise<number> {
  const [first] = argv
  return await runProgram(buildProgram(load), first === '--version' || first === '-V' ? ['version'] : argv)
}

/** Parses the arguments by a command tree and runs the command, as `run` does. */
export async function runProgram(program: Command, args: readonly string[]): Promise<number> {
  throwInsteadOfExit(program)
  try {
    if (args.length === 0) program.help({ error: true })
    if (args[0] === 'help') helpWith(program, args.slice(1))
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return report(error)
  }
}

/** `help device add`: the help of the command that the words name. Always throws CommanderError. */
function helpWith(program: Command, words: readonly string[]): never {
  const { command, rest } = commandNamed(
    program,
    words.filter((word) => !word.startsWith('-') && word !== 'help'),
  )
  const [unknown] = rest
  // what is behind a command without further ones is its arguments
  if (unknown === undefined || command.commands.length === 0) return command.help()
  const near = nearestOf(
    unknown,
    command.commands.map((child) => child.name()),
  )
  return command.error(`error: unknown command '${unknown}'${near === null ? '' : `\n(Did you mean ${near}?)`}`)
}

function throwInsteadOfExit(command: ReturnType<typeof buildProgram>): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}

/** Errors whose message is meant for the operator. Any other error is a bug and is shown with its stack. */
const OPERATOR_ERRORS = new Set([
  'BackupError',
  'DomainError',
  'StoreError',
  'EmbeddedPostgresError',
  'ServingError',
  'SnmpError',
  'SecretKeyError',
])

function report(error: unknown): number {
  const interrupted = interruptionCode()
  if (interrupted !== null) return interrupted
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2 // commander has printed its message
  if (error instanceof ConfigError) {
    for (const line of error.message.split('\n')) say(`portlight: ${line}`)
    return error.problems.every((problem) => problem.source === 'command line') ? 2 : 1
  }
  if (error instanceof CliError) {
    say(`portlight: ${withNextStep(error.message)}`)
    return error.exitCode
  }
  if (error instanceof Error && OPERATOR_ERRORS.has(error.name)) {
    // what is refused may quote what a device says
    const message = error instanceof DomainError ? refusalText(error) : inCommandStyle(error.message)
    say(`portlight: ${withNextStep(message)}`)
    return 1
  }
  const known = systemMessage(error)
  if (known !== null) {
    say(`portlight: ${known}`)
    return 1
  }
  say(`portlight: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

function withNextStep(message: string): string {
  const next = nextStep(message)
  return next === null ? message : `${message}: ${next}`
}

/** Messages for system errors that the operator can fix. */
function systemMessage(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  switch (code) {
    case 'EADDRINUSE':
      return 'the address is in use by another program: choose another --port'
    case 'EADDRNOTAVAIL':
      return 'this machine does not have the --listen address'
    case 'EACCES':
    case 'EPERM':
    case 'ENOSPC':
    case 'EROFS':
    case 'ENAMETOOLONG':
    case 'EISDIR':
    case 'ENOTDIR':
    case 'ELOOP':
      return error instanceof Error ? error.message : null
    default:
      return null
  }
}
