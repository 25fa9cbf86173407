import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeUrl } from '../../../src/core/cluster/credentials.ts'
import { joinCluster } from '../../../src/core/cluster/session.ts'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../../src/postgres/embedded.ts'

setDefaultTimeout(60_000)

const log = createLog('silent')
let folder = ''
let server: EmbeddedServer
let owner: Store
let port = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portlight-node-'))
  chmodSync(folder, 0o755)
  const probe = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  port = probe.port ?? 0
  await probe.stop(true)
  server = await startEmbedded({ dataDir: folder, log, listen: { host: '127.0.0.1', port } })
  await migrate(server.url, log)
  owner = connect(server.url, { max: 2 })
})
afterAll(async () => {
  await owner?.close()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('another process can use the embedded database over TCP like its owner, until the password is changed', async () => {
  const url = await nodeUrl(owner, { host: '127.0.0.1', port })
  expect(url).toMatch(/^postgres:\/\/portlight_node:[\w-]{32}@127\.0\.0\.1:\d+\/portlight$/)
  const other = connect(url, { max: 2 })
  expect([...(await other.sql`select current_user as who, session_user as login`)]).toEqual([
    { who: 'portlight', login: 'portlight_node' },
  ])
  // it may migrate, join, and end sessions left behind by the owner's processes
  await migrate(url, log)
  const facts = { host: 'x', pid: 1, version: '1', roles: ['poller'], groups: null, mayBeLeader: true, leaseMs: 8000 }
  const member = await joinCluster(url, { ...facts, name: 'other' })
  expect(await member.beat(false, {})).toMatchObject({ locked: true })
  const [victim] = await owner.sql`select pg_backend_pid() as pid`
  expect([...(await other.sql`select pg_terminate_backend(${victim?.['pid'] ?? 0}::int) as ended`)]).toEqual([
    { ended: true },
  ])
  await member.leave()
  await other.close()
  expect(await nodeUrl(owner, { host: '127.0.0.1', port })).not.toBe(url)
  const late = connect(url, { max: 2 })
  await expect(late.sql`select 1`.then(() => 'let in')).rejects.toThrow(/password authentication failed/)
  await late.close()
})
