import { existsSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { createSettings } from '../../../src/config/settings.ts'
import { type Checker, createChecker } from '../../../src/core/checks/run/checker.ts'
import { createCheckPool } from '../../../src/core/checks/run/pool.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { createLog } from '../../../src/observe/log.ts'

/** Where Debian installs the plugins. */
export const PLUGINS = '/usr/lib/nagios/plugins'

/** Whether the Monitoring Plugins are installed; warns if they are not. */
export function hasPlugins(): boolean {
  const found = existsSync(`${PLUGINS}/check_tcp`)
  if (!found) console.warn(`SKIPPED: ${PLUGINS}/check_tcp is missing; install monitoring-plugins-basic`)
  return found
}

export interface Listening {
  readonly port: number
  close(): void
}

/** A TCP server on loopback, with TLS if it has a certificate. */
export async function serveTcp(
  talk: (socket: Socket) => void,
  tls: { readonly key: string; readonly cert: string } | null = null,
  port = 0,
): Promise<Listening> {
  const sockets = new Set<Socket>()
  const accept = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    talk(socket)
  }
  const server: Server = tls === null ? createServer(accept) : createTlsServer(tls, accept)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    port: address.port,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Starts TLS on an accepted connection, as a server does after STARTTLS. */
export function secured(socket: Socket, tls: { readonly key: string; readonly cert: string }): TLSSocket {
  const made = new TLSSocket(socket, { isServer: true, ...tls })
  made.on('error', () => undefined)
  return made
}

/** A certificate for CN=test, valid for this many days; null: openssl is missing. */
export function certificate(days: number): { readonly key: string; readonly cert: string } | null {
  const openssl = Bun.which('openssl')
  if (openssl === null) {
    console.warn('SKIPPED: openssl is missing')
    return null
  }
  const made = Bun.spawnSync([
    ...[openssl, 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', '-', '-out', '-', '-days', String(days), '-subj', '/CN=test'],
  ])
  const text = made.stdout.toString()
  const part = (name: string) => new RegExp(`-----BEGIN ${name}-----[^-]*-----END ${name}-----\n`).exec(text)?.[0] ?? ''
  return { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') }
}

export interface RunningChecker {
  readonly checker: Checker
  /** What was stored about which devices, in order. */
  readonly written: { readonly devices: readonly number[]; readonly what: readonly string[] }[]
  stop(): Promise<void>
}

/** A checker on a database, with its own thread. */
export async function startChecker(
  store: Store,
  flags: Readonly<Record<string, string>> = {},
): Promise<RunningChecker> {
  const log = createLog('silent')
  const written: RunningChecker['written'] = []
  const checker = createChecker({
    store,
    settings: createSettings({ flags }),
    log,
    pool: createCheckPool(log),
    written: (devices, what) => written.push({ devices, what }),
    tickMs: 20,
  })
  checker.start()
  await checker.reloaded()
  return { checker, written, stop: () => checker.stop(2000) }
}
