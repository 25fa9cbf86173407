import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Store } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded } from '../../src/postgres/embedded.ts'
import { portlight, startServe, temporaryFolder } from '../../tests/cli/support.ts'

/** The real server in a separate process, on a new data folder. */
export interface BenchServer {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** A token of the user admin. */
  readonly token: string
  /** Of the user admin. */
  readonly password: string
  /** Connections to the server's database. */
  readonly store: Store
  /** Log lines of the server so far. */
  log(): string[]
  stop(): Promise<void>
}

/** Starts `serve` with these arguments; resolves once it answers. */
export async function startServer(args: readonly string[]): Promise<BenchServer> {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const log = join(folder.path, 'log')
  const { process: child, url, greeting } = await startServe(dataDir, log, args)
  const made = await portlight(['token', 'create', '--user', 'admin', '--description', 'bench', '--data-dir', dataDir])
  const database = await attachEmbedded(dataDir, { log: createLog('silent') })
  const store = connect(database.url, { max: 8 })
  return {
    url,
    pid: child.pid,
    dataDir,
    token: made.out.trim(),
    password: /password (\S+)/.exec(greeting)?.[1] ?? '',
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
      folder.remove()
    },
  }
}
