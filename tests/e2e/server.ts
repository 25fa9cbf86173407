import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded, type EmbeddedServer } from '../../src/postgres/embedded.ts'
import { connect, type Store } from '../../src/store/client.ts'
import { portlight, startServe, temporaryFolder } from '../cli/support.ts'

/** The real server as a process of its own, on a folder that outlives its kills. */
export interface TestServer {
  readonly dataDir: string
  readonly url: string
  readonly token: string
  /** A call of the API with the token; `json` is the parsed body, the one object of a list of one. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; json: Record<string, unknown> }>
  /** A connection to the server's database, made anew after each start. */
  store(): Promise<Store>
  /** What the server has logged since its last start. */
  log(): string
  /** Ends it as given, and starts it again on the same folder. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Process id of the postmaster. */
  postmaster(): number
  stop(): Promise<void>
}

export async function startTestServer(args: readonly string[]): Promise<TestServer> {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const log = join(folder.path, 'log')
  let child = await startServe(dataDir, log, args)
  let database: { server: EmbeddedServer; store: Store } | null = null
  const made = await portlight(['token', 'create', '--user', 'admin', '--data-dir', dataDir])
  const token = made.out.trim()

  async function disconnect(): Promise<void> {
    await database?.store.close(1)
    await database?.server.stop()
    database = null
  }

  return {
    dataDir,
    token,
    get url() {
      return child.url
    },
    async call(method, path, body) {
      const response = await fetch(`${child.url}/api/v0${path}`, {
        method,
        headers: { 'X-Auth-Token': token },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const json: unknown = await response.json()
      return { status: response.status, json: (Array.isArray(json) ? json[0] : json) as Record<string, unknown> }
    },
    async store() {
      if (database === null) {
        const server = await attachEmbedded(dataDir, { log: createLog('silent') })
        database = { server, store: connect(server.url, { max: 2 }) }
      }
      return database.store
    },
    log: () => readFileSync(log, 'utf8'),
    async restart(signal) {
      await disconnect()
      child.process.kill(signal)
      await child.process.exited
      child = await startServe(dataDir, log, args)
    },
    postmaster: () => Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]),
    async stop() {
      await disconnect()
      child.process.kill('SIGTERM')
      await child.process.exited
      folder.remove()
    },
  }
}

/** Waits for something true, `seconds` at most. */
export async function until<T>(
  seconds: number,
  what: string,
  condition: () => Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = await condition()
    if (found !== null && found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`)
    await Bun.sleep(50)
  }
}
