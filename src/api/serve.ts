import type { Server } from 'bun'
import type { Services } from '../domain/services.ts'
import { createApp, type Web } from './app.ts'
import type { Extras } from './front-door.ts'
import { hangUpWith } from './paced.ts'
import { createRequestTimes } from './request-times.ts'
import { stopping } from './v0/present-error.ts'

/** Seconds without traffic after which a connection is closed. Graphs and long lists take far less. */
const IDLE_S = 120

/** The listening API. */
export interface ApiServer {
  readonly hostname: string
  readonly port: number
  /**
   * Accepts no more connections, closes idle ones, and closes the others after the current answer; further requests on
   * them get 503. Requests not finished after `graceMs`, or when `hurry` is aborted, are aborted: a list then ends without
   * its last chunk. Resolves to the number of aborted requests.
   */
  drain(graceMs: number, hurry?: AbortSignal): Promise<number>
  /** Closes all connections immediately. */
  stop(): Promise<void>
}

/** Starts to listen; port 0 takes a free one. Throws if the address is in use. The caller must stop the server. */
export function serveApi(
  services: Services,
  at: { readonly hostname: string; readonly port: number },
  extras: Extras = {},
  times = createRequestTimes(),
  web: Web | null = null,
): ApiServer {
  let draining = false
  let server: Server<unknown> | undefined
  const app = createApp(services, (request) => server?.requestIP(request)?.address ?? '', extras, times, web).compile()
  const answer = (request: Request): Response | Promise<Response> => app.fetch(request)
  const sent = (request: Request, response: Response): Response => {
    if (draining) response.headers.set('Connection', 'close')
    hangUpWith(response, () => server?.timeout(request, 1))
    return response
  }
  server = Bun.serve({
    hostname: at.hostname,
    port: at.port,
    idleTimeout: IDLE_S,
    // Bun would answer without a body. src/api/body.ts answers 413 above api.max_body and stops reading; unread data stays
    // with the client (400 MB sent to a slow handler cost 5 MB of memory).
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch(request) {
      if (draining) return sent(request, stopping())
      const response = answer(request)
      return response instanceof Promise ? response.then((r) => sent(request, r)) : sent(request, response)
    },
  })
  return listening(server, () => {
    draining = true
  })
}

function listening(server: Server<unknown>, beginDrain: () => void): ApiServer {
  return {
    hostname: server.hostname ?? '',
    port: server.port ?? 0,
    async drain(graceMs, hurry) {
      beginDrain()
      const { promise: timeUp, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, hurry?.aborted === true ? 0 : graceMs)
      const hasten = () => resolve()
      hurry?.addEventListener('abort', hasten, { once: true })
      await Promise.race([server.stop(false), timeUp])
      clearTimeout(timer)
      hurry?.removeEventListener('abort', hasten)
      const left = server.pendingRequests
      await server.stop(true)
      return left
    },
    stop: () => server.stop(true),
  }
}
