import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../src/observe/log.ts'
import { attachEmbedded } from '../src/postgres/embedded.ts'
import { connect, type Store } from '../src/store/client.ts'

/** The real server as a process of its own, on a fresh data folder. */
export interface BenchServer {
  readonly url: string
  readonly pid: number
  /** A token of the user admin. */
  readonly token: string
  /** Connections to the server's database. */
  readonly store: Store
  /** What the server has logged so far, a line each. */
  log(): string[]
  stop(): Promise<void>
}

const project = join(import.meta.dir, '..')

/** Starts `serve` with these arguments; resolves when it answers. */
export async function startServer(args: readonly string[]): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portlight-bench-'))
  chmodSync(dataDir, 0o755)
  const log = join(dataDir, 'log')
  const main = [process.execPath, join(project, 'src/main.ts')]
  const child = Bun.spawn([...main, 'serve', '--data-dir', dataDir, '--port', '0', ...args], {
    cwd: project,
    stdout: 'pipe',
    stderr: Bun.file(log),
  })
  const url = await readyUrl(child.stdout)
  const made = Bun.spawnSync(
    [...main, 'token', 'create', '--user', 'admin', '--description', 'bench', '--data-dir', dataDir],
    { cwd: project },
  )
  const database = await attachEmbedded(dataDir, { log: createLog('silent') })
  const store = connect(database.url, { max: 8 })
  return {
    url,
    pid: child.pid,
    token: made.stdout.toString().trim(),
    store,
    log: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    async stop() {
      await store.close()
      await database.stop()
      child.kill('SIGTERM')
      await child.exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function readyUrl(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk)
    const found = /http:\/\/[\w.:[\]]+/.exec(text)
    if (found !== null && text.includes('Make a token')) return found[0]
  }
  throw new Error(`the server did not start: ${text}`)
}
