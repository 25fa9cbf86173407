import { CommanderError } from 'commander'
import { ConfigError } from '../config/errors.ts'
import type { LoadComposition } from './composition.ts'
import { CliError } from './errors.ts'
import { say } from './output.ts'
import { buildProgram } from './program.ts'

/** Parses the arguments and runs the command. Resolves to the exit code; errors are told on stderr. */
export async function run(argv: readonly string[], load: LoadComposition): Promise<number> {
  const program = buildProgram(load)
  throwInsteadOfExit(program)
  const [first] = argv
  const args = first === '--version' || first === '-V' ? ['version'] : argv
  try {
    if (args.length === 0) program.help({ error: true })
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return report(error)
  }
}

function throwInsteadOfExit(command: ReturnType<typeof buildProgram>): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}

/** Errors of the domain, the store, the database server and of serving have messages for the operator; anything else is a defect and shows its stack. */
const SPEAKING = new Set(['DomainError', 'StoreError', 'EmbeddedPostgresError', 'ServingError', 'SnmpError'])

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2 // it has printed its message
  if (error instanceof ConfigError) {
    for (const line of error.message.split('\n')) say(`portlight: ${line}`)
    return error.problems.every((problem) => problem.source === 'command line') ? 2 : 1
  }
  if (error instanceof CliError) {
    say(`portlight: ${error.message}`)
    return error.exitCode
  }
  if (error instanceof Error && SPEAKING.has(error.name)) {
    say(`portlight: ${error.message}`)
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

/** Refusals of the operating system that the operator can do something about. */
function systemMessage(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  switch (code) {
    case 'EADDRINUSE':
      return 'the address is in use by another program: choose another --port'
    case 'EADDRNOTAVAIL':
      return 'this machine does not have the address given as --listen'
    case 'EACCES':
    case 'EPERM':
    case 'ENOSPC':
    case 'EROFS':
      return error instanceof Error ? error.message : null
    default:
      return null
  }
}
