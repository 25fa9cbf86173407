import { hostname } from 'node:os'
import type { Settings } from '../config/schema.ts'
import type { Services } from '../core/services.ts'

const TIMEOUT_MS = 5000

/** Response of the server that runs with these settings on this machine. */
export interface ServerAnswer {
  readonly ok: boolean
  readonly text: string
}

/**
 * Where the API of a running process with this database listens, one on this machine first; null: none runs.
 */
export async function runningApi(services: Services): Promise<URL | null> {
  const found = (await services.pollers.nodes()).flatMap(({ living, host, figures: { api } }) =>
    living && typeof api === 'string' && URL.canParse(api) ? [{ host, url: new URL(api) }] : [],
  )
  return (found.find(({ host }) => host === hostname()) ?? found[0])?.url ?? null
}

/** Requests a path that needs no token. `answer` is null if nothing answers; `at` is the HOST:PORT that was tried. */
export async function askServer(
  settings: Settings,
  path: 'healthz' | 'readyz' | 'metrics',
): Promise<{ readonly at: string; readonly answer: ServerAnswer | null }> {
  const at = `${reachable(settings.get('listen'))}:${settings.get('port')}`
  // Without tls.cert here, HTTPS may still be on: the certificate may be a setting stored in the database.
  const schemes = settings.get('tls.cert') === '' ? ['http', 'https'] : ['https']
  return { at, answer: await firstAnswer(schemes.map((scheme) => `${scheme}://${at}/${path}`)) }
}

/** The address at which this machine reaches a server with this `listen` setting. */
function reachable(listen: string): string {
  if (listen === '0.0.0.0' || listen === '*' || listen === '') return '127.0.0.1'
  if (listen === '::') return '[::1]'
  return listen.includes(':') ? `[${listen}]` : listen
}

/**
 * Where a browser finds the pages of a server at this URL, for people. One that listens on all addresses has none of its
 * own to name.
 */
export function signInAt(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  const listen = hostname.replace(/^\[|\]$/g, '')
  const local = reachable(listen)
  return local === hostname
    ? `${url} in a browser`
    : `${protocol}//${local}${port === '' ? '' : `:${port}`} in a browser here; elsewhere with the name or address of this host`
}

async function firstAnswer(urls: readonly string[]): Promise<ServerAnswer | null> {
  for (const url of urls) {
    try {
      // The connection stays on this machine, and the certificate is for the name that other machines use.
      const answer = await fetch(url, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'manual',
        tls: { rejectUnauthorized: false },
      })
      return { ok: answer.ok, text: await answer.text() }
    } catch {
      // no server, or the other scheme
    }
  }
  return null
}
