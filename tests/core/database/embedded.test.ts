import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '../../../src/core/database/client.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { createLog } from '../../../src/observe/log.ts'
import { installedBinaries } from '../../../src/postgres/binaries.ts'
import { attachEmbedded, type EmbeddedServer, startEmbedded } from '../../../src/postgres/embedded.ts'
import { readPidFile, serverProcesses, until } from '../../../src/postgres/postmaster.ts'

const log = createLog('silent')
setDefaultTimeout(60_000)
const folders: string[] = []
const running = new Set<EmbeddedServer>()
afterEach(async () => {
  for (const server of running) await server.stop()
  running.clear()
  for (const folder of folders.splice(0)) {
    for (const pid of serverProcesses(join(folder, 'postgres', 'data'))) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-pg-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}
const pgdata = (folder: string): string => join(folder, 'postgres', 'data')
const postmaster = (folder: string): number => readPidFile(pgdata(folder))?.pid ?? 0

async function start(folder: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir: folder, log })
  running.add(server)
  return server
}
async function stop(server: EmbeddedServer): Promise<void> {
  running.delete(server)
  await server.stop()
}
async function query<T>(url: string, text: string): Promise<T[]> {
  const sql = client(url, 1)
  try {
    return (await sql.unsafe(text)) as unknown as T[]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

test('starts on an empty folder, keeps its data across a restart, and leaves no process', async () => {
  const folder = dataDir()
  const first = await start(folder)
  await query(first.url, 'create table kept as select 42 as answer')
  await stop(first)
  expect(serverProcesses(pgdata(folder))).toEqual([])
  const second = await start(folder)
  expect([...(await query(second.url, 'select answer from kept'))]).toEqual([{ answer: 42 }])
})

test('the server runs as an unprivileged user and only that user can reach its socket', async () => {
  const folder = dataDir()
  await start(folder)
  const status = readFileSync(`/proc/${postmaster(folder)}/status`, 'utf8')
  expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0')
  const socket = Bun.spawnSync(['stat', '-c', '%a', join(folder, 'postgres'), join(folder, 'postgres', 'run')])
  expect(socket.stdout.toString().trim().split('\n')).toEqual(['700', '700'])
})

test('a folder is served once: a second server is refused, a command connects', async () => {
  const folder = dataDir()
  const server = await start(folder)
  await expect(startEmbedded({ dataDir: folder, log })).rejects.toThrow(/already serves/)
  const command = await attachEmbedded(folder, { log })
  expect([command.how, command.url]).toEqual(['joined', server.url])
  await command.stop()
  expect([...(await query(server.url, 'select 1 as one'))]).toEqual([{ one: 1 }])
})

test('a command without a server starts one, and the last command stops it', async () => {
  const folder = dataDir()
  const first = await attachEmbedded(folder, { log })
  const second = await attachEmbedded(folder, { log })
  expect([first.how, second.how]).toEqual(['started', 'joined'])
  await first.stop()
  expect([...(await query(second.url, 'select 1 as one'))]).toEqual([{ one: 1 }])
  await second.stop()
  expect(serverProcesses(pgdata(folder))).toEqual([])
})

test('two commands started at the same time share one server', async () => {
  const folder = dataDir()
  const both = await Promise.all([attachEmbedded(folder, { log }), attachEmbedded(folder, { log })])
  expect(both.map((s) => s.how).toSorted()).toEqual(['joined', 'started'])
  for (const server of both) await server.stop()
})

test('a killed postmaster is restarted, and no acknowledged row is lost', async () => {
  const folder = dataDir()
  const server = await start(folder)
  await query(server.url, 'create table rows (i int)')
  let acknowledged = 0
  const sql = client(server.url, 1)
  const killed = (async () => {
    for (; ; acknowledged++) await sql`insert into rows values (${acknowledged})`
  })().catch(() => undefined)
  expect(await until(() => acknowledged > 50, 20_000)).toBe(true)
  const old = postmaster(folder)
  process.kill(old, 'SIGKILL')
  await killed
  await sql.end({ timeout: 0 })
  expect(await until(() => readPidFile(pgdata(folder))?.ready === true && postmaster(folder) !== old, 30_000)).toBe(
    true,
  )
  const [row] = await query<{ n: number }>(server.url, 'select count(*) as n from rows')
  expect(row?.n).toBeGreaterThanOrEqual(acknowledged)
})

/** Starts a process that serves the folder until it is killed; resolves when the server is ready. */
async function servingProcess(folder: string, account?: { uid: number; gid: number }) {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(join(import.meta.dir, '../../../src/postgres/embedded.ts'))})
    const { createLog } = await import(${JSON.stringify(join(import.meta.dir, '../../../src/observe/log.ts'))})
    const server = await startEmbedded({ dataDir: ${JSON.stringify(folder)}, log: createLog('silent') })
    process.on('SIGTERM', () => server.stop().then(() => process.exit(0)))
    console.log(server.url)
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, '-e', script], {
    stdout: 'pipe',
    stderr: 'inherit',
    cwd: '/',
    env: { HOME: '/tmp', PATH: '/usr/bin:/bin' },
    ...account,
  })
  for await (const chunk of child.stdout) return { child, url: new TextDecoder().decode(chunk).trim() }
  throw new Error('the serving process ended before its server was ready')
}

test('a server left behind by a killed process is replaced by the next one', async () => {
  const folder = dataDir()
  const { child, url } = await servingProcess(folder)
  await query(url, 'create table kept as select 1 as one')
  const orphan = postmaster(folder)
  child.kill('SIGKILL')
  await child.exited
  expect(serverProcesses(pgdata(folder))).toContain(orphan)
  const server = await start(folder)
  expect(postmaster(folder)).not.toBe(orphan)
  expect(serverProcesses(pgdata(folder))).not.toContain(orphan)
  expect([...(await query(server.url, 'select one from kept'))]).toEqual([{ one: 1 }])
})

test('the next start recovers after server and process were both killed', async () => {
  const folder = dataDir()
  const { child, url } = await servingProcess(folder)
  await query(url, 'create table kept as select 1 as one')
  child.kill('SIGKILL')
  process.kill(postmaster(folder), 'SIGKILL')
  await child.exited
  const server = await start(folder)
  expect([...(await query(server.url, 'select one from kept'))]).toEqual([{ one: 1 }])
})

test('a pid file with the pid of another user’s process does not prevent a start', async () => {
  const folder = dataDir()
  await stop(await start(folder))
  const lines = [String(process.pid), pgdata(folder), '1', '5432', '', '', '0 0', 'ready']
  writeFileSync(join(pgdata(folder), 'postmaster.pid'), `${lines.join('\n')}\n`)
  await start(folder)
  expect(postmaster(folder)).not.toBe(process.pid)
})

test('an interrupted initdb is restarted', async () => {
  const folder = dataDir()
  await stop(await start(folder))
  rmSync(pgdata(folder), { recursive: true })
  mkdirSync(`${pgdata(folder)}.new/base`, { recursive: true })
  await start(folder)
  expect(existsSync(`${pgdata(folder)}.new`)).toBe(false)
})

test('a deep data folder gets a short socket path', async () => {
  const folder = join(dataDir(), 'x'.repeat(60), 'y'.repeat(60))
  const server = await start(folder)
  const sockets = new URL(server.url).searchParams.get('host') ?? ''
  folders.push(sockets)
  expect(sockets.length).toBeLessThan(90)
  expect([...(await query(server.url, 'select 1 as one'))]).toEqual([{ one: 1 }])
})

test('with an address to listen on, a reader can log in only with a password', async () => {
  const folder = dataDir()
  const reserved = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = reserved
  reserved.stop(true)
  const server = await startEmbedded({ dataDir: folder, log, listen: { host: '127.0.0.1', port } })
  running.add(server)
  await migrate(server.url, log)
  await query(server.url, `create user grafana password 'secret' in role portlight_reader`)
  const over = (who: string): string => `postgres://${who}@127.0.0.1:${port}/portlight`
  expect([...(await query(over('grafana:secret'), 'select count(*) as n from ts.port_rates'))]).toEqual([{ n: 0 }])
  await expect(query(over('grafana:wrong'), 'select 1')).rejects.toThrow(/authentication failed/)
  await expect(query(over('portlight'), 'select 1')).rejects.toThrow(/authentication/)
})

const asRoot = process.getuid?.() === 0
if (!asRoot) console.warn('not root: skipping tests of starting the server as an ordinary user and as root')

test.if(asRoot)('an ordinary user runs the server as itself', async () => {
  const folder = dataDir()
  const nobody = { uid: 65_534, gid: 65_534 }
  Bun.spawnSync(['chown', '-R', '65534:65534', folder])
  const { child, url } = await servingProcess(folder, nobody)
  expect([...(await query(url, 'select 1 as one'))]).toEqual([{ one: 1 }])
  expect(readFileSync(`/proc/${postmaster(folder)}/status`, 'utf8')).toMatch(/^Uid:\s+65534\s/m)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(serverProcesses(pgdata(folder))).toEqual([])
})

test.if(asRoot)('as root, a folder that the server’s user cannot access is replaced by one that it can', async () => {
  const closed = dataDir()
  chmodSync(closed, 0o700)
  const folder = join(closed, 'data')
  const server = await start(folder)
  const place = readFileSync(join(folder, 'postgres.location'), 'utf8').trim()
  expect([...(await query(server.url, 'select 1 as one'))]).toEqual([{ one: 1 }])
  await stop(server)
  rmSync(place, { recursive: true })
})

test.if(asRoot)('as root, binaries that the server’s user cannot access are copied for it', async () => {
  const closed = dataDir()
  chmodSync(closed, 0o700)
  const packaged = installedBinaries()
  cpSync(packaged.root, join(closed, 'native'), { recursive: true })
  const folder = dataDir()
  const server = await startEmbedded({ dataDir: folder, log, binaries: { ...packaged, root: join(closed, 'native') } })
  running.add(server)
  expect([...(await query(server.url, 'select 1 as one'))]).toEqual([{ one: 1 }])
  expect(readlinkSync(`/proc/${postmaster(folder)}/exe`)).toStartWith(join(folder, 'postgres'))
})

test('connections are made also after its files of shared memory have been removed, as at a logout', async () => {
  const folder = dataDir()
  const { url } = await start(folder)
  const sql = client(url, 1)
  await sql`select count(*) from pg_stat_activity`
  const mapped = serverProcesses(pgdata(folder)).flatMap((pid) =>
    [...readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/\/dev\/shm\/PostgreSQL\.\d+/g)].map(([path]) => path),
  )
  expect(mapped).not.toEqual([])
  for (const path of new Set(mapped)) rmSync(path)
  for (let i = 0; i < 3; i++)
    expect(await query<{ n: number }>(url, 'select count(*)::int as n from pg_stat_database')).toMatchObject([
      { n: expect.any(Number) },
    ])
  await sql.end()
})
