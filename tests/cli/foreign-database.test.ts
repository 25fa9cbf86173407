import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Socket } from 'bun'
import { client } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/postgres/embedded.ts'
import { testDatabase } from '../support/database.ts'
import { command, portlight, temporaryFolder } from './support.ts'

setDefaultTimeout(60_000)

// If the server in DATABASE_URL refuses, the error is one sentence without secrets.
const folder = temporaryFolder()
const SECRET = 'hunter2hunter2'
let server: EmbeddedServer
let port = 0

beforeAll(async () => {
  const reserved = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  port = reserved.port
  reserved.stop(true)
  const log = createLog('silent')
  server = await startEmbedded({ dataDir: folder.path, log, listen: { host: '127.0.0.1', port } })
  const sql = client(server.url, 1)
  // readers of the views may connect over TCP with a password
  await sql
    .unsafe(
      `create role portlight_reader; create user netmon password '${SECRET}' in role portlight_reader;
       create user stranger nologin password '${SECRET}'`,
    )
    .simple()
  await sql.end({ timeout: 1 })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

async function refusal(url: string): Promise<string> {
  const { code, out, err } = await portlight(['serve', '--port', '0', '--data-dir', join(folder.path, 'unused')], {
    env: { DATABASE_URL: url },
  })
  const lines = err.trim().split('\n')
  expect({ code, out, lines: lines.length }).toEqual({ code: 1, out: '', lines: 1 })
  expect(err).not.toContain(SECRET)
  return (lines[0] ?? '').replace(/^portlight: /, '')
}

test('a wrong password', async () => {
  expect(await refusal(`postgres://netmon:not-${SECRET}@127.0.0.1:${port}/portlight`)).toBe(
    `the database server 127.0.0.1:${port} refuses the password of user netmon: correct it in DATABASE_URL`,
  )
})

test('a user without access to the server', async () => {
  const said = await refusal(`postgres://stranger:${SECRET}@127.0.0.1:${port}/portlight`)
  expect(said).toStartWith(`the database server 127.0.0.1:${port} does not let user stranger in (`)
  expect(said).toEndWith("correct DATABASE_URL or the server's pg_hba.conf")
})

test('no such database', async () => {
  expect(await refusal(`postgres://netmon:${SECRET}@127.0.0.1:${port}/nosuch`)).toBe(
    `the database server 127.0.0.1:${port} has no database nosuch: create it, or correct DATABASE_URL`,
  )
})

test('missing privileges', async () => {
  expect(await refusal(`postgres://netmon:${SECRET}@127.0.0.1:${port}/portlight`)).toMatch(
    /^user netmon lacks privileges in database portlight of 127\.0\.0\.1:\d+ \(permission denied .*\): make it the owner/,
  )
})

test('connection refused', async () => {
  expect(await refusal(`postgres://netmon:${SECRET}@127.0.0.1:9/portlight`)).toBe(
    'no database server answers at 127.0.0.1:9: start it, or correct DATABASE_URL',
  )
})

test('an unknown host name', async () => {
  expect(await refusal(`postgres://netmon:${SECRET}@db.invalid:5432/portlight`)).toMatch(
    /^the name of the database server db\.invalid:5432 cannot be resolved/,
  )
})

test('another program listens there and closes the connection', async () => {
  const other = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.end('220 hello') },
  })
  const said = await refusal(`postgres://netmon:${SECRET}@127.0.0.1:${other.port}/portlight`)
  other.stop(true)
  expect(said).toStartWith(`127.0.0.1:${other.port} closes the connection at once: is a PostgreSQL server there`)
})

test('a server that is too old', async () => {
  // the same server behind a proxy that changes its version from 18.4 to 14.4
  const old = startAged(port)
  const said = await refusal(`postgres://netmon:${SECRET}@127.0.0.1:${old.port}/portlight`)
  old.stop(true)
  expect(said).toBe('PostgreSQL 15 or newer is required; this server is version 14.4')
})

function startAged(target: number) {
  type Side = { other: Socket<Side> | null; waiting: Buffer[] }
  return Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      async open(socket) {
        socket.data = { other: null, waiting: [] }
        const server = await Bun.connect<Side>({
          hostname: '127.0.0.1',
          port: target,
          data: { other: socket, waiting: [] },
          socket: {
            data(from, chunk) {
              const text = chunk.toString('latin1').replaceAll('18000', '14000').replaceAll('18.', '14.')
              from.data.other?.write(Buffer.from(text, 'latin1'))
            },
            close: (from) => void from.data.other?.end(),
          },
        })
        socket.data.other = server
        for (const chunk of socket.data.waiting) server.write(chunk)
      },
      data(socket, chunk) {
        if (socket.data.other === null) socket.data.waiting.push(Buffer.from(chunk))
        else socket.data.other.write(chunk)
      },
      close: (socket) => void socket.data.other?.end(),
    },
  })
}

test('a server with DATABASE_URL says that other terminals need it', async () => {
  const { url, drop } = await testDatabase()
  const child = Bun.spawn([...command, 'serve', '--port', '0', '--data-dir', join(folder.path, 'unused')], {
    env: { ...process.env, DATABASE_URL: url },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let said = ''
  while (!said.includes('Use it:')) {
    const { done, value } = await reader.read()
    if (done) break
    said += decoder.decode(value, { stream: true })
  }
  expect(said).toMatch(/In another terminal, set DATABASE_URL first: [\s\S]*Add a device:/)
  child.kill('SIGTERM')
  await child.exited
  await drop()
})
