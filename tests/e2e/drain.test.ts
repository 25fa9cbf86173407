import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect, type Store } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded } from '../../src/postgres/embedded.ts'
import { makeStarted, portlight, type Served, startServe, temporaryFolder } from '../cli/support.ts'
import { until } from './server.ts'

// SIGTERM during requests: every stored write is answered, and no truncated response looks complete.

setDefaultTimeout(120_000)

const WRITES = 60
/** The server's database connections: this many writes wait in the database, the others in the server. */
const IN_DATABASE = 4

let folder: ReturnType<typeof temporaryFolder>
let dataDir: string
let server: Served
let token: string
let store: Store
let detach: () => Promise<void>

beforeEach(async () => {
  folder = temporaryFolder()
  dataDir = join(folder.path, 'data')
  await makeStarted(dataDir)
  server = await startServe(dataDir, join(folder.path, 'log'))
  token = (await portlight(['token', 'create', '--user', 'admin', '--data-dir', dataDir])).out.trim()
  await attach()
}, 120_000)

afterEach(async () => {
  await detach()
  server.process.kill('SIGKILL')
  await server.process.exited
  await portlight(['migrate', '--data-dir', dataDir]) // stops a database server left running
  folder.remove()
}, 60_000)

async function attach(): Promise<void> {
  const database = await attachEmbedded(dataDir, { log: createLog('silent') })
  store = connect(database.url, { max: 4 })
  detach = async () => {
    await store.close(1)
    await database.stop()
  }
}

/** Blocks all writes of locations until the returned function is called. */
async function holdWrites(): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const held = store.sql
    .begin(async (sql) => {
      await sql`lock table locations in share mode`
      locked.resolve()
      await release.promise
    })
    .catch(() => undefined)
  await locked.promise
  return async () => {
    release.resolve()
    await held
  }
}

/** Writes of locations that wait; not those of housekeeping, which deletes what nobody uses. */
const waiting = async () => {
  const [row] = await store.sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%insert into%locations%'`
  return row?.n ?? 0
}

/** Writes a location; returns its name if the response was a success, else null. */
async function write(n: number): Promise<string | null> {
  const location = `hall ${n}`
  try {
    const answer = await fetch(`${server.url}/api/v0/locations`, {
      method: 'POST',
      headers: { 'X-Auth-Token': token },
      body: JSON.stringify({ location, lat: 1, lng: 1 }),
    })
    const text = await answer.text()
    if (answer.status === 503) {
      expect(answer.headers.get('connection')).toBe('close')
      return null
    }
    expect({ location, status: answer.status, text }).toMatchObject({ status: 201 })
    return location
  } catch {
    return null // refused, or connection closed
  }
}

const refused = () =>
  new Promise<boolean>((resolve) => {
    const socket = connectSocket(Number(new URL(server.url).port), '127.0.0.1', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })

async function stored(): Promise<string[]> {
  await detach()
  await attach()
  const rows = await store.sql<{ location: string }[]>`select location from locations order by id`
  return rows.map((row) => row.location)
}

test('every write stored around SIGTERM was answered', async () => {
  const release = await holdWrites()
  const writes = Array.from({ length: WRITES }, (_, n) => write(n))
  await until(30, 'writes that wait', async () => (await waiting()) >= IN_DATABASE)
  server.process.kill('SIGTERM')
  await until(10, 'new connections are refused', refused)
  await release()
  const answered = (await Promise.all(writes)).filter((name) => name !== null)
  expect(await server.process.exited).toBe(0)
  expect(answered.length).toBeGreaterThanOrEqual(IN_DATABASE)
  expect((await stored()).toSorted()).toEqual(answered.toSorted())
})

test('a keep-alive connection is closed after its response, which announces it', async () => {
  const release = await holdWrites()
  const body = JSON.stringify({ location: 'hall', lat: 1, lng: 1 })
  const { socket, ended } = raw(
    `POST /api/v0/locations HTTP/1.1\r\nHost: nms\r\nX-Auth-Token: ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const idle = raw(`GET /api/v0/ping HTTP/1.1\r\nHost: nms\r\nX-Auth-Token: ${token}\r\n\r\n`)
  await until(30, 'a write that waits', async () => (await waiting()) === 1)
  server.process.kill('SIGTERM')
  expect(await idle.ended).toContain('pong')
  await release()
  const answer = await ended
  expect(answer).toStartWith('HTTP/1.1 201 ')
  expect(answer).toContain('\r\nConnection: close\r\n')
  expect(socket.destroyed).toBe(true)
  expect(await server.process.exited).toBe(0)
})

test('requests that exceed the grace period are dropped, and the server stops cleanly', async () => {
  await fillForwardingTable()
  const release = await holdWrites()
  const cut = write(1)
  const list = raw(`GET /api/v0/resources/fdb HTTP/1.1\r\nHost: nms\r\nX-Auth-Token: ${token}\r\n\r\n`)
  // stop reading, so that the list cannot end
  await new Promise((resolve) => list.socket.once('data', resolve))
  list.socket.pause()
  await until(30, 'a write that waits', async () => (await waiting()) === 1)
  server.process.kill('SIGTERM')
  expect(await cut).toBeNull()
  expect(await server.process.exited).toBe(0)
  await release()
  list.socket.resume()
  const text = await list.ended
  expect(text).toContain('"ports_fdb":[{')
  expect(text).not.toContain('"count"')
  expect(text).not.toEndWith('\r\n0\r\n\r\n')
  expect(readFileSync(join(folder.path, 'log'), 'utf8')).toContain('requests aborted')
  expect(await stored()).toEqual([])
})

test('a second signal does not wait, and the database is still stopped', async () => {
  const release = await holdWrites()
  const cut = write(1)
  await until(30, 'a write that waits', async () => (await waiting()) === 1)
  server.process.kill('SIGTERM')
  await until(10, 'new connections are refused', refused)
  server.process.kill('SIGINT')
  expect(await cut).toBeNull()
  const code = await server.process.exited
  await release()
  const said = readFileSync(join(folder.path, 'log'), 'utf8')
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('second signal') })
  expect(await Bun.file(join(dataDir, 'postgres', 'data', 'postmaster.pid')).exists()).toBe(false)
})

/** Sends a raw request; `ended` resolves to everything received until the connection was closed. */
function raw(text: string): { readonly socket: Socket; readonly ended: Promise<string> } {
  const socket = connectSocket(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text))
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  return { socket, ended: new Promise((resolve) => socket.on('close', () => resolve(got))) }
}

/** Stores more rows than fit in the buffers of both sockets. */
async function fillForwardingTable(): Promise<void> {
  await store.sql`insert into devices (hostname, disabled) values ('switch', 1)`
  await store.sql`insert into ports (device_id, "ifIndex", "ifName") select device_id, 1, 'Gi0/1' from devices`
  await store.sql`insert into ports_fdb (device_id, port_id, mac_address)
    select device_id, port_id, lpad(to_hex(n), 12, '0') from ports, generate_series(1, 200000) n`
}
