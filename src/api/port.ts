import type { Server } from 'bun'

/**
 * The servers on one port. The first of them listens; others only finish the requests they have, after a change of
 * certificate or when there were too many connections.
 */
export interface Port {
  readonly hostname: string
  readonly port: number
  readonly servers: readonly Server<unknown>[]
  /** Listens anew with another certificate, and lets the requests in progress finish. */
  replace(listen: Listen): void
  /** Stops listening, closes idle connections at once, and all others after a moment. */
  pause(): void
  /** Listens again. Throws if that is not possible yet. */
  resume(): void
}

/** Starts a server on a port. */
export type Listen = (port: number) => Server<unknown>

/** Time for requests in progress while there are too many connections, ms. */
const PAUSE_GRACE_MS = 1000

export function openPort(first: Listen, wanted: number): Port {
  let listen = first
  let servers: readonly Server<unknown>[] = [listen(wanted)]
  const { hostname = '', port = 0 } = servers[0] ?? {}
  let paused = false

  function retire(server: Server<unknown>, closed: Promise<void>): void {
    void closed.then(() => {
      servers = servers.filter((other) => other !== server)
    })
  }

  return {
    hostname,
    port,
    get servers() {
      return servers
    },
    replace(next) {
      listen = next
      if (paused) return
      const old = servers[0]
      servers = [listen(port), ...servers]
      if (old !== undefined) retire(old, old.stop(false))
    },
    pause() {
      paused = true
      for (const server of servers) {
        void server.stop(false)
        // those that have sent no request yet do not count as idle
        setTimeout(() => retire(server, server.stop(true)), PAUSE_GRACE_MS)
      }
    },
    resume() {
      servers = [listen(port), ...servers]
      paused = false
    },
  }
}
