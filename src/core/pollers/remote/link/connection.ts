import { readFileSync } from 'node:fs'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import type { Settings } from '../../../../config/schema.ts'
import type { Log } from '../../../../observe/log.ts'

/** Invalid NATS settings. The text names files but never contains anything from them. */
export class NatsSettingsError extends Error {
  override readonly name = 'NatsSettingsError'
}

/** Pause between tries to connect, ms. */
const RECONNECT_MS = 2000
const PING_MS = 10_000

/**
 * Connection options for the servers in `nats.url`. Reads the files of the settings, so that a missing one is reported
 * at startup. Throws NatsSettingsError.
 */
export function natsOptions(settings: Pick<Settings, 'get'>, name: string): NodeConnectionOptions {
  const servers = settings.get('nats.url').map((url) => serverOf(url))
  if (servers.length === 0) throw new NatsSettingsError('nats.url: no NATS server is set')
  const [ca, cert, key] = (['nats.ca', 'nats.cert', 'nats.cert_key'] as const).map((setting) =>
    contentOf(setting, settings.get(setting)),
  )
  if ((cert === undefined) !== (key === undefined))
    throw new NatsSettingsError('nats.cert and nats.cert_key: set both or neither')
  const tls = servers.some((server) => server.tls) || ca !== undefined || cert !== undefined
  if (tls && servers.some((server) => !server.tls))
    throw new NatsSettingsError('nats.url: with TLS every server must be given as tls://HOST:PORT')
  const credentials = contentOf('nats.credentials', settings.get('nats.credentials'))
  return {
    name,
    servers: servers.map((server) => server.host),
    // Only the servers in the settings are tried, not those that a server advertises.
    ignoreClusterUpdates: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    timeout: 10_000,
    ...(credentials !== undefined && { authenticator: authenticatorOf(credentials) }),
    // null: no TLS even if the server offers it
    tls: tls ? { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key: key ?? '' }) } : null,
  }
}

function serverOf(url: string): { readonly host: string; readonly tls: boolean } {
  const match = /^(nats|tls):\/\/([^/@\s]+)\/?$/.exec(url)
  // the URL is not quoted because it may contain a password
  if (match === null)
    throw new NatsSettingsError(
      'nats.url: expected nats://HOST:PORT or tls://HOST:PORT; user and password belong in the file named by nats.credentials',
    )
  return { host: match[2] ?? '', tls: match[1] === 'tls' }
}

function contentOf(setting: string, path: string): string | undefined {
  if (path === '') return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'cannot be read'
    throw new NatsSettingsError(`${setting}: file ${path}: ${code}`)
  }
}

function authenticatorOf(content: string): Authenticator {
  if (content.includes('BEGIN NATS USER JWT')) return credsAuthenticator(new TextEncoder().encode(content))
  const line = content.trim()
  if (/^SU[A-Z2-7]{56}$/.test(line)) return nkeyAuthenticator(new TextEncoder().encode(line))
  const colon = line.indexOf(':')
  if (colon <= 0 || line.includes('\n'))
    throw new NatsSettingsError(
      'nats.credentials: the file must be a .creds file, the seed of an nkey, or a line USER:PASSWORD',
    )
  return usernamePasswordAuthenticator(line.slice(0, colon), line.slice(colon + 1))
}

/** A connection that reconnects until it is closed. */
export interface Nats {
  readonly connection: NatsConnection
  readonly up: () => boolean
  /** Calls the listener after each reconnection. */
  onReconnect(listener: () => void): void
  close(): Promise<void>
}

/**
 * Connects, retrying until it succeeds; only the first failure is logged. Null: `signal` was aborted. Throws
 * NatsSettingsError.
 */
export async function openNats(options: NodeConnectionOptions, log: Log, signal: AbortSignal): Promise<Nats | null> {
  const connection = await firstConnection(options, log, signal)
  if (connection === null) return null
  let up = true
  const listeners = new Set<() => void>()
  log.info({ server: connection.getServer() }, 'connected to NATS')
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        up = false
        log.warn('lost the connection to NATS; reconnecting')
      } else if (status.type === 'reconnect') {
        up = true
        log.info({ server: connection.getServer() }, 'reconnected to NATS')
        for (const listener of listeners) listener()
      } else if (status.type === 'error') log.warn({ reason: status.error.message }, 'NATS reported an error')
    }
    up = false
  })()
  return {
    connection,
    up: () => up,
    onReconnect: (listener) => void listeners.add(listener),
    async close() {
      await connection.close()
    },
  }
}

async function firstConnection(
  options: NodeConnectionOptions,
  log: Log,
  signal: AbortSignal,
): Promise<NatsConnection | null> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      const connection = await connect(options)
      if (!signal.aborted) return connection
      await connection.close()
    } catch (error) {
      if (tries === 0)
        log.error({ reason: reasonOf(error), servers: options.servers }, 'cannot connect to NATS; trying again')
      await Bun.sleep(RECONNECT_MS)
    }
  }
  return null
}

/** The message of an error and of the cause that it wraps. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
