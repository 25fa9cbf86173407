import type { Command } from 'commander'
import { CliError } from '../errors.ts'
import { settingsOf } from '../globals.ts'
import { print } from '../output.ts'

const TIMEOUT_MS = 5000

/** `portlight health`, for supervisors and containers. */
export function registerHealth(program: Command): void {
  program
    .command('health')
    .description('ask the running server with these settings whether it answers: exit code 0 if it does, else 1')
    .option('--ready', 'whether it can do its work: database, schema and pollers')
    .action(async (options: { ready?: boolean }, command: Command) => {
      const { settings } = settingsOf(command)
      const at = `${reachable(settings.get('listen'))}:${settings.get('port')}`
      // The certificate may also be a stored setting, which only the database knows.
      const schemes = settings.get('tls.cert') === '' ? ['http', 'https'] : ['https']
      const answer = await firstAnswer(
        schemes.map((scheme) => `${scheme}://${at}/${options.ready ? 'readyz' : 'healthz'}`),
      )
      if (answer === null) throw new CliError(`no server answers at ${at}`)
      const { ok, text } = answer
      if (!ok) throw new CliError(`the server at ${at} is not ready: ${problemsOf(text).join('; ')}`)
      print('ok')
    })
}

/** The address of this machine that a server listening there is reached at. */
function reachable(listen: string): string {
  if (listen === '0.0.0.0' || listen === '*' || listen === '') return '127.0.0.1'
  if (listen === '::') return '[::1]'
  return listen.includes(':') ? `[${listen}]` : listen
}

async function firstAnswer(urls: readonly string[]): Promise<{ readonly ok: boolean; readonly text: string } | null> {
  for (const url of urls) {
    try {
      // It asks itself, and its certificate is for the name that others use.
      const answer = await fetch(url, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'manual',
        tls: { rejectUnauthorized: false },
      })
      return { ok: answer.ok, text: await answer.text() }
    } catch {
      // not there, or the other scheme
    }
  }
  return null
}

/** Sentences of `/readyz`. */
function problemsOf(text: string): readonly string[] {
  try {
    const answer: unknown = JSON.parse(text)
    const list = typeof answer === 'object' && answer !== null && 'problems' in answer ? answer.problems : null
    return Array.isArray(list) ? list.map(String) : ['it says no more']
  } catch {
    return ['something else answers there']
  }
}
