import type { Server } from 'bun'
import type { Services } from '../core/services.ts'
import { mainWork, REQUEST } from '../observe/busy.ts'
import type { Accepting } from '../observe/descriptors.ts'
import type { Trace } from '../observe/trace.ts'
import { createApp, type Web } from './app.ts'
import type { Extras } from './authenticate.ts'
import type { Certificate } from './certificate.ts'
import { openPort } from './port.ts'
import { createRequestTimes } from './request-times.ts'
import { onStall } from './slow-readers.ts'
import { stopping } from './v0/present-error.ts'

/** Seconds without traffic after which a connection is closed. Graphs and long lists never pause for that long. */
const IDLE_S = 120

/** The listening API. */
export interface ApiServer extends Accepting {
  readonly hostname: string
  readonly port: number
  /**
   * Stops accepting connections, closes idle ones, and closes the others after their current answer; further requests
   * on them get 503. Requests not finished after `graceMs`, or when `hurry` is aborted, are aborted: a list then ends
   * without its last chunk. Resolves to the number of aborted requests.
   */
  drain(graceMs: number, hurry?: AbortSignal): Promise<number>
  /** Closes all connections immediately. */
  stop(): Promise<void>
  /**
   * Uses another certificate for new connections; answers in progress are finished. Only for a server that was started
   * with a certificate. Throws if the new certificate is refused, and keeps the old one.
   */
  renew(certificate: Certificate): void
}

/**
 * Starts listening; port 0 picks a free one. `certificate` null: plain HTTP. Throws if the address is in use. The
 * caller must stop the server. Requests wait until `opening` resolves, except those for `extras`; null: none waits.
 */
export function serveApi(
  services: Services,
  at: { readonly hostname: string; readonly port: number },
  extras: Extras = {},
  times = createRequestTimes(),
  web: Web | null = null,
  certificate: Certificate | null = null,
  trace: Trace | null = null,
  opening: Promise<void> | null = null,
): ApiServer {
  let draining = false
  const peer = (request: Request): string => {
    for (const server of open.servers) {
      const found = server.requestIP(request)
      if (found !== null) return found.address
    }
    return ''
  }
  const app = createApp(services, peer, extras, times, web, trace)
  app.compile()
  let waitFor = opening
  void opening?.then(() => {
    waitFor = null
  })
  const answer = (request: Request): Response | Promise<Response> =>
    waitFor === null || Object.hasOwn(extras, new URL(request.url).pathname)
      ? app.fetch(request)
      : waitFor.then(() => app.fetch(request))
  const sent = (server: Server<unknown>, request: Request, response: Response): Response => {
    if (draining) response.headers.set('Connection', 'close')
    if (certificate !== null) secured(response, services.config.get('tls.hsts'))
    onStall(response, () => server.timeout(request, 1))
    return response
  }
  const listen = (port: number, pair: Certificate | null): Server<unknown> =>
    Bun.serve({
      hostname: at.hostname,
      port,
      idleTimeout: IDLE_S,
      // Bun cannot replace the certificate of a running server, so its successor listens on the same port for a moment.
      ...(pair !== null && { tls: { cert: pair.cert, key: pair.key }, reusePort: true }),
      // Bun's own refusal has no body, so src/api/body.ts enforces api.max_body: it answers 413 and stops reading.
      // Unread data stays with the client (400 MB sent to a slow handler cost 5 MB of memory).
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch(request, server) {
        if (draining) return sent(server, request, stopping())
        const finished = mainWork.begin(`${REQUEST}${request.method} ${pathOf(request.url)}`)
        const response = answer(request)
        if (response instanceof Promise) {
          return response.then(
            (r) => {
              finished()
              return sent(server, request, r)
            },
            (error: unknown) => {
              finished()
              throw error
            },
          )
        }
        finished()
        return sent(server, request, response)
      },
    })

  const open = openPort((port) => listen(port, certificate), at.port)
  return {
    hostname: open.hostname,
    port: open.port,
    pause: open.pause,
    resume() {
      if (!draining) open.resume()
    },
    async drain(graceMs, hurry) {
      draining = true
      const left = await Promise.all(open.servers.map((server) => drained(server, graceMs, hurry)))
      return left.reduce((sum, count) => sum + count, 0)
    },
    async stop() {
      await Promise.all(open.servers.map((server) => server.stop(true)))
    },
    renew(next) {
      if (certificate === null) throw new Error('this server was started without a certificate')
      open.replace((port) => listen(port, next))
    },
  }
}

/** Without the query, which may hold a token. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end)
}

/** RFC 6797. */
function secured(response: Response, hstsS: number): void {
  if (hstsS > 0) response.headers.set('Strict-Transport-Security', `max-age=${hstsS}`)
}

async function drained(server: Server<unknown>, graceMs: number, hurry: AbortSignal | undefined): Promise<number> {
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
}
