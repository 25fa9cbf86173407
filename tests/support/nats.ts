import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** Debian's nats-server; null: not installed. */
export function findNats(): string | null {
  return Bun.which('nats-server') ?? Bun.which('nats-server', { PATH: '/usr/sbin:/usr/local/sbin' })
}

/** A real nats-server on loopback, ended by its process id. */
export interface NatsServer {
  readonly port: number
  start(): Promise<void>
  /** Ends it; its store stays. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Forgets everything that it stored. */
  wipe(): void
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer()
  server.listen(0, '127.0.0.1', () => {
    const at = server.address()
    server.close(() => resolve(typeof at === 'object' && at !== null ? at.port : 0))
  })
  return await promise
}

/** Starts a server with this configuration, which follows the line that sets where it listens. */
export async function startNats(
  program: string,
  folder: string,
  config: (store: string) => string,
): Promise<NatsServer> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const store = join(folder, 'store')
  const file = join(folder, 'nats-server.conf')
  writeFileSync(file, `listen: 127.0.0.1:${port}\n${config(store)}`)
  let child: Bun.Subprocess | null = null
  const server: NatsServer = {
    port,
    async start() {
      child = Bun.spawn([program, '-c', file, '-l', join(folder, 'log')], { stdout: 'ignore', stderr: 'ignore' })
      const deadline = Date.now() + 20_000
      while (!(await answers(port))) {
        if (child.exitCode !== null || Date.now() > deadline)
          throw new Error(`nats-server did not start: ${await Bun.file(join(folder, 'log')).text()}`)
        await Bun.sleep(50)
      }
    },
    async stop(signal = 'SIGTERM') {
      child?.kill(signal)
      await child?.exited
      child = null
    },
    wipe: () => rmSync(store, { recursive: true, force: true }),
  }
  await server.start()
  return server
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = dial(port, '127.0.0.1')
  socket.once('data', () => {
    socket.destroy()
    resolve(true)
  })
  socket.once('error', () => resolve(false))
  return promise
}

/** A TCP link that can be cut: connections end and none is accepted until it is mended. */
export interface Link {
  readonly port: number
  cut(): void
  mend(): void
  stop(): void
}

export async function startLink(to: () => number): Promise<Link> {
  const sockets = new Set<Socket>()
  let whole = true
  const server: Server = createServer((near) => {
    if (!whole) {
      near.destroy()
      return
    }
    const far = dial(to(), '127.0.0.1')
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => into.destroy())
      from.on('close', () => {
        sockets.delete(from)
        into.destroy()
      })
      from.pipe(into)
    }
  })
  const { promise, resolve } = Promise.withResolvers<number>()
  server.listen(0, '127.0.0.1', () => {
    const at = server.address()
    resolve(typeof at === 'object' && at !== null ? at.port : 0)
  })
  const port = await promise
  return {
    port,
    cut() {
      whole = false
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      whole = true
    },
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
