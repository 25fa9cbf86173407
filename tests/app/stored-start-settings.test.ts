import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Composed, compose } from '../../src/app/server.ts'
import { createSettings } from '../../src/config/settings.ts'
import { storeSetting } from '../../src/core/settings/write.ts'
import { createLog } from '../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

// Settings that are read at the start and are stored in the database, which is opened during the start.

setDefaultTimeout(120_000)
const openssl = Bun.which('openssl')
if (openssl === null) console.warn('SKIPPED: openssl is not installed; stored settings of HTTPS are not tested')

const folder = mkdtempSync(join(tmpdir(), 'portlight-stored-'))
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
let database: TestDatabase
let server: Composed | null = null

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await server?.stop()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const start = (): Promise<Composed> =>
  compose({
    settings: createSettings({ flags: { database_url: database.url, port: '0', icmp_check: 'false' } }),
    ...{ dataDir: join(folder, 'data'), log: createLog('silent'), version: 'test', demo: false },
  })

test.skipIf(openssl === null)('are in effect after the next start', async () => {
  const names = ['-subj', '/CN=stored', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-days', '30', '-keyout', key, '-out', cert]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...names, ...files]
  expect(Bun.spawnSync([openssl ?? '', ...args]).success).toBe(true)
  const stored = {
    ...{ 'tls.cert': cert, 'tls.key': key, 'poller.workers': 3, 'poller.name': 'named here' },
  }
  for (const [name, value] of Object.entries(stored)) await storeSetting(database.store, name, value)
  server = await start()
  const { url } = server
  expect(url).toStartWith('https:')
  const tls = { ca: readFileSync(cert, 'utf8') }
  expect((await fetch(`${url}/healthz`, { tls })).status).toBe(200)
  expect(await (await fetch(`${url}/metrics`, { tls })).text()).toMatch(/^portlight_workers 3$/m)
  const members = await database.store.sql<{ poller_name: string }[]>`select poller_name from pollers`
  expect(members.map(({ poller_name }) => poller_name)).toEqual(['named here'])
  await server.stop()
  server = null
})

test.skipIf(openssl === null)('a start with ones that cannot be used fails, and says why', async () => {
  await storeSetting(database.store, 'tls.key', '')
  await expect(start()).rejects.toThrow(/tls\.key/)
})
