import type { Accepting } from '../observe/descriptors.ts'
import type { Extras } from './authenticate.ts'
import type { Certificate } from './certificate.ts'
import { openPort } from './port.ts'
import { json } from './respond.ts'

/**
 * Serves probes and metrics only, for a process without the API; `missing` answers everything else. Throws if the
 * address is in use.
 */
export function serveStatus(
  at: { readonly hostname: string; readonly port: number },
  extras: Extras,
  certificate: Certificate | null,
  missing: () => Response = noApi,
): Accepting & { readonly hostname: string; readonly port: number; stop(): Promise<void> } {
  const listen = (port: number) =>
    Bun.serve({
      hostname: at.hostname,
      port,
      idleTimeout: 30,
      maxRequestBodySize: 1024,
      ...(certificate !== null && { tls: { cert: certificate.cert, key: certificate.key } }),
      fetch(request) {
        const serve = extras[new URL(request.url).pathname]
        return serve === undefined ? missing() : serve()
      },
    })
  const open = openPort(listen, at.port)
  let stopped = false
  return {
    hostname: open.hostname,
    port: open.port,
    pause: open.pause,
    resume() {
      if (!stopped) open.resume()
    },
    async stop() {
      stopped = true
      await Promise.all(open.servers.map((server) => server.stop(true)))
    },
  }
}

const noApi = () => json({ status: 'error', message: 'this process serves no API (setting role)' }, 404)
