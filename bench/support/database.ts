import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Store } from '../../src/core/database/client.ts'
import { migrate } from '../../src/core/schema/migrate.ts'
import { createLog } from '../../src/observe/log.ts'
import { startEmbedded } from '../../src/postgres/embedded.ts'
import { dataFolder } from './folder.ts'

/** Runs a measurement on a new embedded database, with at most `max` connections. */
export async function withDatabase<T>(max: number, work: (store: Store, url: string) => Promise<T>): Promise<T> {
  const folder = dataFolder()
  const log = createLog('silent')
  const server = await startEmbedded({ dataDir: join(folder, 'data'), log })
  try {
    await migrate(server.url, log)
    const store = connect(server.url, { max })
    try {
      return await work(store, server.url)
    } finally {
      await store.close()
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
