import type { Server } from 'bun'
import type { Services } from '../domain/services.ts'
import { createApp } from './app.ts'

/** Octets of head room above api.max_body, so that our own 413 is the one that is sent. */
const HEAD_ROOM = 65_536
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
    maxRequestBodySize: services.config.get('api.max_body') + HEAD_ROOM,
    routes: extras,
    fetch: app.fetch,
  })
  return server
}
