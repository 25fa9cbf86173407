import { connect, createServer, type Socket } from 'node:net'

/** A TCP address in front of one of several database servers, as a virtual address or a proxy is. */
export interface DatabaseRelay {
  readonly url: string
  /** New connections go to this server from now on, and those that exist are cut. */
  to(url: string): void
  /** Cuts the connections that exist. */
  cut(): void
  stop(): void
}

/** Starts a relay on loopback to a server that listens on a unix socket. */
export async function databaseRelay(first: string): Promise<DatabaseRelay> {
  let target = socketOf(first)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one)
          other.destroy()
        })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `postgres://portlight@127.0.0.1:${port}/portlight`,
    to(url) {
      target = socketOf(url)
      cut()
    },
    cut,
    stop() {
      cut()
      server.close()
    },
  }
}

function socketOf(url: string): string {
  const { searchParams, port } = new URL(url)
  return `${searchParams.get('host') ?? ''}/.s.PGSQL.${port || '5432'}`
}
