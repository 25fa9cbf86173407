import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { client } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/postgres/embedded.ts'
import { readPidFile } from '../../src/postgres/postmaster.ts'
import { type Served, startServe, temporaryFolder } from '../cli/support.ts'
import { until } from './server.ts'

setDefaultTimeout(180_000)

// The server as a separate process, on a database server that the test stops and starts.
const folder = temporaryFolder()
const log = createLog('silent')
const dataDir = join(folder.path, 'database')
let database: EmbeddedServer | null = null
let served: Served | null = null

afterAll(async () => {
  served?.process.kill('SIGTERM')
  await served?.process.exited
  await database?.stop()
  folder.remove()
})

async function probe(path: '/healthz' | '/readyz'): Promise<{ status: number; json: unknown }> {
  const answer = await fetch(`${served?.url}${path}`)
  return { status: answer.status, json: await answer.json() }
}

const OK = { status: 200, json: { status: 'ok' } }
const notReady = (...problems: string[]) => ({ status: 503, json: { status: 'unavailable', problems } })

/** Waits until `/readyz` has this status; returns its response. */
const readyz = (status: number) =>
  until(60, `/readyz is ${status}`, async () => {
    const answer = await probe('/readyz')
    return answer.status === status && answer
  })

test('ready; not ready while the database is stopped, and healthy all the time; ready again', async () => {
  database = await startEmbedded({ dataDir, log })
  const { url } = database
  served = await startServe(join(folder.path, 'data'), join(folder.path, 'log'), ['--set', `database_url=${url}`])
  expect(await readyz(200)).toEqual(OK)
  expect(await probe('/healthz')).toEqual(OK)

  await database.stop()
  expect(await readyz(503)).toEqual(notReady('The database does not answer.'))
  expect(await probe('/healthz')).toEqual(OK)

  database = await startEmbedded({ dataDir, log })
  expect(database.url).toBe(url)
  expect(await readyz(200)).toEqual(OK)
})

test('not ready on a database migrated by another version', async () => {
  const sql = client(database?.url ?? '', 1)
  try {
    const [newest] = await sql<{ number: number }[]>`select max(number)::int as number from schema_migrations`
    await sql`insert into schema_migrations (number, name, checksum) values (9999, 'of-tomorrow', '')`
    expect(await readyz(503)).toEqual(
      notReady(`The database schema is at migration 9999, this program needs ${newest?.number}.`),
    )
    await sql`delete from schema_migrations where number = 9999`
    expect(await readyz(200)).toEqual(OK)
    await sql`alter table schema_series rename to schema_gone`
    expect(await readyz(503)).toEqual(notReady('The database lacks the schema of this program.'))
    await sql`alter table schema_gone rename to schema_series`
    expect(await readyz(200)).toEqual(OK)
  } finally {
    await sql.end({ timeout: 1 })
  }
})

test.if(existsSync('/proc/self/task'))(
  'a database that accepts connections but never answers is not ready',
  async () => {
    const postmaster = readPidFile(join(dataDir, 'postgres', 'data'))?.pid ?? 0
    // the postmaster is stopped first, so that backends neither start nor end while they are listed
    process.kill(postmaster, 'SIGSTOP')
    const backends = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number)
    try {
      for (const pid of backends) process.kill(pid, 'SIGSTOP')
      expect(await readyz(503)).toEqual(notReady('The database does not answer.'))
      expect(await probe('/healthz')).toEqual(OK)
    } finally {
      for (const pid of [...backends, postmaster]) process.kill(pid, 'SIGCONT')
    }
    expect(await readyz(200)).toEqual(OK)
  },
)
