import { appendFileSync, chmodSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS } from '../../db/migrations.ts'
import { client, connect, type Store } from '../../src/core/database/client.ts'
import { currentSchema, migrate } from '../../src/core/schema/migrate.ts'
import { createLog } from '../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/postgres/embedded.ts'
import { readPidFile } from '../../src/postgres/postmaster.ts'
import { eventually } from './eventually.ts'
import { copySeed } from './seed.ts'

export interface TestDatabase {
  readonly store: Store
  readonly url: string
  /** Closes the store's connections and removes the database. */
  drop(): Promise<void>
}

const log = createLog('silent')

/** The servers that tests of the store run on: `embedded`, and others as the environment names them. */
export function testServers(): { name: string; url: string | null }[] {
  const given = ['TEST_DATABASE_URL', 'TEST_TIMESCALE_URL'].flatMap((name) => {
    const url = process.env[name]
    if (url === undefined) console.warn(`${name} is not set: the store is not tested on such a server`)
    return url === undefined ? [] : [{ name, url }]
  })
  return [{ name: 'embedded', url: null }, ...given]
}

/**
 * A fresh migrated database: on `server`, or on an embedded server that is started once per test process and stopped
 * with it. Call `drop` at the end.
 */
export async function testDatabase(server: string | null = null): Promise<TestDatabase> {
  const base = server ?? (await embedded())
  const name = `test_${process.pid}_${Bun.randomUUIDv7().replaceAll('-', '').slice(0, 20)}`
  const url = withDatabase(base, name)
  await copyDatabase(base, name, await (server === null ? embeddedTemplate(base) : givenTemplate(base)))
  // a copy has no settings of the database, and this one decides which packed rows are read
  if (server !== null) await admin(base, `alter database ${name} set constraint_exclusion = on`)
  const store = connect(url, { max: 4 })
  return {
    store,
    url,
    async drop() {
      await store.close()
      await admin(base, `drop database ${name} with (force)`)
    },
  }
}

/** An empty database, not migrated. */
export async function emptyDatabase(server: string | null = null): Promise<{ url: string; drop(): Promise<void> }> {
  const base = server ?? (await embedded())
  const name = `test_${process.pid}_${Bun.randomUUIDv7().replaceAll('-', '').slice(0, 20)}`
  await admin(base, `create database ${name}`)
  return { url: withDatabase(base, name), drop: () => admin(base, `drop database ${name} with (force)`) }
}

let server: Promise<string> | undefined
let template: Promise<string> | undefined

function embedded(): Promise<string> {
  server ??= startTestServer().then((s) => s.url)
  return server
}

const TEMPLATE = 'template_of_tests'

function embeddedTemplate(base: string): Promise<string> {
  template ??= (async () => {
    if (!(await isThere(base, TEMPLATE))) await makeTemplate(base)
    return TEMPLATE
  })()
  return template
}

async function makeTemplate(base: string): Promise<void> {
  await admin(base, `create database ${TEMPLATE}`)
  await migrate(withDatabase(base, TEMPLATE), log)
}

const givenTemplates = new Map<string, Promise<string>>()
const GIVEN_TEMPLATE = 'portlight_template_'
/** Lock of a server while a process looks after its templates. */
const TEMPLATES = 0x74657374 // "test"

/** The template on a server that the environment names: made by the first process of a day that has this schema. */
function givenTemplate(base: string): Promise<string> {
  const known = givenTemplates.get(base)
  if (known !== undefined) return known
  const making = prepareTemplate(base)
  givenTemplates.set(base, making)
  return making
}

/**
 * Partitions are made for the days after a migration, so templates are used for a day, and removed after that.
 * TimescaleDB's workers hold on to every database that has it, unless it is marked as a template.
 */
async function prepareTemplate(base: string): Promise<string> {
  const { migration, series } = currentSchema('apache')
  const schema = Bun.hash(`${series} ${migration} ${MIGRATIONS.map(({ text }) => text).join()}`).toString(36)
  const name = `${GIVEN_TEMPLATE}${new Date().toISOString().slice(0, 10).replaceAll('-', '')}_${schema}`
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  const sql = client(base, 1)
  try {
    await sql`select pg_advisory_lock(${TEMPLATES})`
    const found = await sql<{ name: string; complete: boolean }[]>`
      select datname::text as name, datistemplate as complete from pg_database where starts_with(datname, ${GIVEN_TEMPLATE})`
    if (found.some((one) => one.name === name && one.complete)) return name
    const old = found.filter((one) => one.name === name || one.name < `${GIVEN_TEMPLATE}${yesterday}`)
    for (const one of old) {
      await sql.unsafe(`alter database ${one.name} is_template false`)
      await sql.unsafe(`drop database ${one.name} with (force)`)
    }
    await sql.unsafe(`create database ${name}`)
    await migrate(withDatabase(base, name), log)
    await sql.unsafe(`alter database ${name} is_template true`)
    return name
  } finally {
    await sql.end()
  }
}

/** Makes a database from a template. Waits for sessions that still use it, such as the last of TimescaleDB's workers. */
async function copyDatabase(base: string, name: string, from: string): Promise<void> {
  await eventually(async () => {
    try {
      await admin(base, `create database ${name} template ${from} strategy file_copy`)
      return true
    } catch (error) {
      if ((error as { code?: unknown }).code !== IN_USE) throw error
      return null
    }
  })
}

/** SQLSTATE object_in_use. */
const IN_USE = '55006'

async function isThere(base: string, database: string): Promise<boolean> {
  const sql = client(base, 1)
  try {
    return (await sql`select from pg_database where datname = ${database}`).length > 0
  } finally {
    await sql.end()
  }
}

/** Fills the data folder with a server whose database has our schema but no row, made once in a run. */
export async function copyMigrated(folder: string): Promise<void> {
  await copySeed('migrated', folder, async (fresh) => {
    const made = await startEmbedded({ dataDir: fresh, log })
    await migrate(made.url, log)
    await made.stop()
    setBuffers(fresh)
  })
}

/** Fills the data folder with a server that has the template, made once in a run. */
export async function copyServer(folder: string): Promise<void> {
  await copySeed('server', folder, async (fresh) => {
    const made = await startEmbedded({ dataDir: fresh, log })
    await makeTemplate(made.url)
    await made.stop()
    setBuffers(fresh)
  })
}

/**
 * An eighth of the machine's memory, which a server takes by itself, costs each start a quarter of a second of CPU time,
 * and each table that is dropped a look at all of it.
 */
function setBuffers(dataDir: string): void {
  appendFileSync(join(dataDir, 'postgres', 'data', 'postgresql.conf'), 'shared_buffers = 128MB\n')
}

async function startTestServer(): Promise<EmbeddedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-test-'))
  chmodSync(folder, 0o755)
  await copyServer(folder)
  const started = await startEmbedded({ dataDir: folder, log })
  await setForTests(started.url)
  const pid = readPidFile(join(folder, 'postgres', 'data'))?.pid
  // The test runner fires no exit event, and kills its children after each file. This grandchild notices when the
  // server
  // is gone, or (by the end of a pipe that we hold open) when we are, and cleans up.
  const pipe = join(folder, 'alive')
  Bun.spawnSync(['mkfifo', pipe])
  openSync(pipe, 'r+')
  const watch = `
    cat "$1/alive" >/dev/null & reader=$!
    ( while [ -d /proc/${pid}/cwd/ ] && [ -d /proc/$reader ]; do sleep 0.5; done
      [ -d /proc/${pid}/cwd/ ] && kill -QUIT ${pid}
      while [ -d /proc/${pid}/cwd/ ]; do sleep 0.1; done
      kill $reader
      rm -rf "$1" ) &`
  Bun.spawnSync(['sh', '-c', watch, 'sh', folder], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  return started
}

/** Databases that live for a few seconds need neither autovacuum, which would take much of that time, nor to survive a crash. */
const FOR_TESTS = ['autovacuum', 'fsync', 'full_page_writes', 'synchronous_commit', 'wal_compression']

async function setForTests(url: string): Promise<void> {
  const sql = client(url, 1)
  try {
    for (const name of FOR_TESTS) await sql.unsafe(`alter system set ${name} = off`)
    await sql`select pg_reload_conf()`
  } finally {
    await sql.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

async function admin(url: string, statement: string): Promise<void> {
  const sql = client(url, 1)
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
