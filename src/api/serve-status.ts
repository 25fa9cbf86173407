import type { Certificate } from './certificate.ts'
import type { Extras } from './front-door.ts'
import { json } from './respond.ts'

/** Serves probes and metrics only, for a process without the API. Throws if the address is in use. */
export function serveStatus(
  at: { readonly hostname: string; readonly port: number },
  extras: Extras,
  certificate: Certificate | null,
): { readonly hostname: string; readonly port: number; stop(): Promise<void> } {
  const server = Bun.serve({
    hostname: at.hostname,
    port: at.port,
    idleTimeout: 30,
    maxRequestBodySize: 1024,
    ...(certificate !== null && { tls: { cert: certificate.cert, key: certificate.key } }),
    fetch(request) {
      const serve = extras[new URL(request.url).pathname]
      if (serve === undefined)
        return json({ status: 'error', message: 'this process serves no API (setting role)' }, 404)
      return serve()
    },
  })
  return { hostname: server.hostname ?? '', port: server.port ?? 0, stop: () => server.stop(true) }
}
