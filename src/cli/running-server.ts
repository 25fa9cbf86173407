import type { Settings } from '../config/schema.ts'

const TIMEOUT_MS = 5000

/** Answer of the server that runs with these settings on this machine. */
export interface ServerAnswer {
  readonly ok: boolean
  readonly text: string
}

/** Asks it for a path that needs no token. `answer` null: none answers. `at`: HOST:PORT that was asked. */
export async function askServer(
  settings: Settings,
  path: 'healthz' | 'readyz' | 'metrics',
): Promise<{ readonly at: string; readonly answer: ServerAnswer | null }> {
  const at = `${reachable(settings.get('listen'))}:${settings.get('port')}`
  // The certificate may also be a stored setting, which only the database knows.
  const schemes = settings.get('tls.cert') === '' ? ['http', 'https'] : ['https']
  return { at, answer: await firstAnswer(schemes.map((scheme) => `${scheme}://${at}/${path}`)) }
}

/** The address of this machine that a server listening there is reached at. */
function reachable(listen: string): string {
  if (listen === '0.0.0.0' || listen === '*' || listen === '') return '127.0.0.1'
  if (listen === '::') return '[::1]'
  return listen.includes(':') ? `[${listen}]` : listen
}

async function firstAnswer(urls: readonly string[]): Promise<ServerAnswer | null> {
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
