import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded, type EmbeddedServer } from '../../src/postgres/embedded.ts'
import { connect, type Store } from '../../src/store/client.ts'
import { portlight, projectDir } from '../cli/support.ts'

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

const START_MS = 60_000

export async function startTestServer(args: readonly string[]): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-e2e-'))
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  let child = await spawn(dataDir, folder, args)
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
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    async restart(signal) {
      await disconnect()
      child.process.kill(signal)
      await child.process.exited
      child = await spawn(dataDir, folder, args)
    },
    postmaster: () => Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]),
    async stop() {
      await disconnect()
      child.process.kill('SIGTERM')
      await child.process.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function spawn(dataDir: string, folder: string, args: readonly string[]) {
  const main = join(projectDir, 'src', 'main.ts')
  const command = [process.execPath, '--no-env-file', main, 'serve', '--port', '0', '--data-dir', dataDir, ...args]
  const process_ = Bun.spawn(command, {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: Bun.file(join(folder, 'log')),
  })
  const reader = process_.stdout.getReader()
  const late = setTimeout(() => void reader.cancel(), START_MS)
  let text = ''
  while (!text.includes('Use it:')) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the server said only: ${text} ${readFileSync(join(folder, 'log'), 'utf8')}`)
    text += new TextDecoder().decode(value)
  }
  clearTimeout(late)
  reader.releaseLock()
  return { process: process_, url: /http:\/\/\S+/.exec(text)?.[0] ?? '' }
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
