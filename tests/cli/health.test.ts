import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { signInAt } from '../../src/cli/running-server.ts'
import { makeStarted, portlight, type Served, startServe, temporaryFolder } from './support.ts'

setDefaultTimeout(180_000)

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
let server: Served
let at: string[]

beforeAll(async () => {
  await makeStarted(dataDir)
  server = await startServe(dataDir, join(folder.path, 'log'))
  at = ['--set', `port=${new URL(server.url).port}`, '--data-dir', dataDir]
})
afterAll(async () => {
  server?.process.kill('SIGTERM')
  await server?.process.exited
  folder.remove()
})

test('health: a running server is healthy and ready, regardless of its address', async () => {
  expect(await portlight(['health', ...at])).toMatchObject({ code: 0, out: 'ok\n' })
  expect(await portlight(['health', '--ready', ...at])).toMatchObject({ code: 0, out: 'ok\n' })
  expect(await portlight(['health', '--set', 'listen=0.0.0.0', ...at])).toMatchObject({ code: 0 })
})

test('health: another program at the port is not taken for the server', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello', { status: 404 }) })
  const { port } = other
  const { code, err } = await portlight(['health', '--set', `port=${port}`, '--data-dir', dataDir])
  await other.stop(true)
  expect({ code, err }).toEqual({
    code: 1,
    err: `portlight: the server at 127.0.0.1:${port} is not ready: another program answers there\n`,
  })
})

test('health: a server that has ended is detected', async () => {
  server.process.kill('SIGTERM')
  await server.process.exited
  const { code, err } = await portlight(['health', ...at])
  expect({ code, err }).toEqual({
    code: 1,
    err: `portlight: no server answers at 127.0.0.1:${new URL(server.url).port}; if it was started with --listen or --port, give the same here\n`,
  })
})

const analyze = Bun.which('systemd-analyze')
if (analyze === null) console.warn('systemd-analyze is not installed: the unit is not checked')

test.skipIf(analyze === null)('the systemd unit restricts the privileges of the service', () => {
  const unit = join(import.meta.dir, '../../deploy/portlight.service')
  const { exitCode, stdout } = Bun.spawnSync([analyze ?? '', 'security', '--offline=true', '--threshold=20', unit])
  expect({ exitCode, end: exitCode === 0 ? '' : stdout.toString().slice(-300) }).toEqual({ exitCode: 0, end: '' })
})

test.each([
  ['http://127.0.0.1:8000', 'http://127.0.0.1:8000 in a browser'],
  ['https://monitor.example.com', 'https://monitor.example.com in a browser'],
  ['http://[::1]:81', 'http://[::1]:81 in a browser'],
  ['http://0.0.0.0:8000', 'http://127.0.0.1:8000 in a browser here; elsewhere with the name or address of this host'],
  ['https://[::]:8443', 'https://[::1]:8443 in a browser here; elsewhere with the name or address of this host'],
])('signs in at %s', (url, text) => {
  expect(signInAt(url)).toBe(text)
})
