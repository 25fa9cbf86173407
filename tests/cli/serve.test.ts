import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { checkout } from '../../src/cli/build-info.ts'
import { portlight, type Served, startServe, temporaryFolder } from './support.ts'

setDefaultTimeout(60_000)

// A server started as in normal use, and commands that run while it is running.
const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
const STOP_MS = 6000

let server: Served

beforeAll(async () => {
  server = await startServe(dataDir, join(folder.path, 'log'))
})

afterAll(async () => {
  server.process.kill('SIGKILL')
  await server.process.exited
  // If the database server was orphaned, this command finds it and stops it when done.
  await portlight(['migrate', '--data-dir', dataDir])
  folder.remove()
})

describe('serve', () => {
  test('the first start creates the user admin and prints the password', () => {
    expect(server.greeting).toMatch(/user admin, password \S{16} /)
  })

  test.if(process.platform === 'linux')('its heap growth is limited', async () => {
    const variables = await Bun.file(`/proc/${server.process.pid}/environ`).text()
    expect(variables.split('\0')).toContain('BUN_JSC_forceRAMSize=536870912')
  })

  test('a token created while the server runs is valid at once', async () => {
    expect((await fetch(`${server.url}/api/v0/ping`)).status).toBe(401)
    const { out } = await portlight(['token', 'create', '--user', 'admin', '--data-dir', dataDir])
    const answer = await fetch(`${server.url}/api/v0/ping`, { headers: { 'X-Auth-Token': out.trim() } })
    expect(await answer.json()).toEqual({ message: 'pong' })
  })

  // null outside a git checkout
  const { commit, date } = checkout(join(import.meta.dir, '..', '..'))
  test.skipIf(commit === null)('/system tells the commit it was built from, and its date', async () => {
    const { out } = await portlight(['token', 'create', '--user', 'admin', '--data-dir', dataDir])
    const answer = await fetch(`${server.url}/api/v0/system`, { headers: { 'X-Auth-Token': out.trim() } })
    const { system } = (await answer.json()) as { system: Record<string, unknown>[] }
    expect(system).toMatchObject([{ local_sha: commit, local_date: date }])
  })

  test('a second server on the same data folder is refused, and the first continues', async () => {
    const { code, err } = await portlight(['serve', '--port', '0', '--data-dir', dataDir])
    expect(code).toBe(1)
    expect(err).toContain('already')
    expect((await fetch(`${server.url}/api/v0/ping`)).status).toBe(401)
  })

  test('SIGTERM ends it with code 0 and leaves no database server', async () => {
    const deadline = setTimeout(() => server.process.kill('SIGKILL'), STOP_MS)
    server.process.kill('SIGTERM')
    expect(await server.process.exited).toBe(0)
    clearTimeout(deadline)
    expect(await Bun.file(join(dataDir, 'postgres', 'data', 'postmaster.pid')).exists()).toBe(false)
  })
})
