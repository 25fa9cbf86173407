import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTokenService } from '../../src/core/access/tokens/service.ts'
import { connect, type Store } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded, type EmbeddedServer } from '../../src/postgres/embedded.ts'
import { startServe, temporaryFolder } from '../cli/support.ts'
import { copyMigrated } from '../support/database.ts'

/** The real server as a separate process, on a data folder that is kept when it is killed. */
export interface TestServer {
  readonly dataDir: string
  readonly url: string
  readonly token: string
  /** Calls the API with the token; `json` is the parsed body, or the only object of a list of one. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; json: Record<string, unknown> }>
  /** A connection to the server's database, renewed after each start. */
  store(): Promise<Store>
  /** The server's log since its last start. */
  log(): string
  /** Ends the server with a signal and starts it again on the same folder. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Process id of the postmaster. */
  postmaster(): number
  stop(): Promise<void>
}

/**
 * `database`: a server to use instead of the embedded one; `postmaster` and kills do not affect it. `through`: a command
 * that runs the program.
 */
export async function startTestServer(
  settings: readonly string[],
  database: { readonly url: string } | null = null,
  through: readonly string[] = [],
): Promise<TestServer> {
  const at = database === null ? [] : ['--database-url', database.url]
  const args = [...settings, ...at]
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const log = join(folder.path, 'log')
  if (database === null) {
    mkdirSync(dataDir, { mode: 0o755 })
    await copyMigrated(dataDir)
  }
  let child = await startServe(dataDir, log, args, through)
  let connected: { server: EmbeddedServer | null; store: Store } | null = null

  async function openStore(): Promise<Store> {
    if (connected === null) {
      const server = database === null ? await attachEmbedded(dataDir, { log: createLog('silent') }) : null
      connected = { server, store: connect(database?.url ?? server?.url ?? '', { max: 2 }) }
    }
    return connected.store
  }

  async function disconnect(): Promise<void> {
    await connected?.store.close(1)
    await connected?.server?.stop()
    connected = null
  }

  // in this process, because a command takes half a second
  const tokens = createTokenService({ store: await openStore(), changed: () => undefined })
  const { token } = await tokens.create({ username: 'admin', description: '', dialect: null })
  await disconnect()

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
    store: openStore,
    log: () => readFileSync(log, 'utf8'),
    async restart(signal) {
      await disconnect()
      child.process.kill(signal)
      await child.process.exited
      child = await startServe(dataDir, log, args, through)
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

/** On a machine that does other things as well, everything takes several times as long. */
const BUSY = 4

/**
 * Waits for a condition that an idle machine meets within `seconds`; returns its value. Throws after four times as long,
 * so that load alone fails no test.
 */
export async function until<T>(
  seconds: number,
  what: string,
  condition: () => Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000 * BUSY
  for (;;) {
    const found = await condition()
    if (found !== null && found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`not within ${seconds * BUSY} s: ${what}`)
    await Bun.sleep(50)
  }
}
