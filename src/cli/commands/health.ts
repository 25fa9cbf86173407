import type { Command } from 'commander'
import { CliError } from '../errors.ts'
import { settingsOf } from '../globals.ts'
import { print } from '../output.ts'
import { askServer } from '../running-server.ts'

/** `portlight health`, for supervisors and containers. */
export function registerHealth(program: Command): void {
  program
    .command('health')
    .description('check whether the server with these settings answers: exit code 0 if it does, else 1')
    .option('--ready', 'check whether it is ready: database, schema and pollers')
    .option('--listen <address>', 'address on which the server listens (setting listen)')
    .option('--port <number>', 'TCP port of the server (setting port)')
    .action(async (options: { ready?: boolean; listen?: string; port?: string }, command: Command) => {
      const { listen, port } = options
      const { settings } = settingsOf(command, {
        ...(listen !== undefined && { listen }),
        ...(port !== undefined && { port }),
      })
      const { at, answer } = await askServer(settings, options.ready ? 'readyz' : 'healthz')
      if (answer === null)
        throw new CliError(`no server answers at ${at}; if it was started with --listen or --port, give the same here`)
      const { ok, text } = answer
      if (!ok) throw new CliError(`the server at ${at} is not ready: ${problemsOf(text).join('; ')}`)
      print('ok')
    })
}

/** The problems that `/readyz` returned. */
function problemsOf(text: string): readonly string[] {
  try {
    const answer: unknown = JSON.parse(text)
    const list = typeof answer === 'object' && answer !== null && 'problems' in answer ? answer.problems : null
    return Array.isArray(list) ? list.map(String) : ['it gives no reason']
  } catch {
    return ['another program answers there']
  }
}
