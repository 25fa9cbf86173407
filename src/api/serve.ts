import type { Server } from 'bun'
import type { Services } from '../domain/services.ts'
import { createApp } from './app.ts'

/** Seconds without traffic after which a connection is closed. Graphs and long lists are well below. */
const IDLE_S = 120

/** What is served beside the API, by path. */
export type Extras = Readonly<Record<string, () => Response>>

/** Listens; port 0 takes a free one. Throws when the address is taken. Stopping the server is the caller's. */
export function serveApi(
  services: Services,
  at: { readonly hostname: string; readonly port: number },
  extras: Extras = {},
): Server<unknown> {
  let server: Server<unknown> | undefined
  const app = createApp(services, (request) => server?.requestIP(request)?.address ?? '').compile()
  server = Bun.serve({
    hostname: at.hostname,
    port: at.port,
    idleTimeout: IDLE_S,
    // Bun would answer without a body. Ours is 413 above api.max_body (src/api/body.ts), and reads no further; what nobody
    // reads waits with the client (400 MB sent to a slow handler: 5 MB more memory).
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: extras,
    fetch: app.fetch,
  })
  return server
}
