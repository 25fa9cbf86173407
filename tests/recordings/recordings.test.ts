import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Composed, compose } from '../../src/app/server.ts'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { LOADED_MODULE } from '../../src/modules/loaded/discover.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { createLog } from '../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Replay, startReplay } from '../support/replay.ts'
import { COMPARED } from './tables.ts'

/**
 * Recordings made by `device record` from Debian's snmpd and from demo devices, shortened, and discovered by the
 * complete server. The expected result is stored as text beside each; UPDATE_EXPECTED=1 writes it again, to be reviewed
 * before it is committed.
 */
const FOLDER = join(import.meta.dir, '../fixtures/recordings')
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.snmprec') && !file.includes('@'))
  .map((file) => file.slice(0, -'.snmprec'.length))
  .sort()
const update = process.env['UPDATE_EXPECTED'] === '1'
const DISCOVERED_MS = 60_000
setDefaultTimeout(120_000)

let database: TestDatabase
let replay: Replay
let server: Composed
const dataDir = mkdtempSync(join(tmpdir(), 'portlight-recordings-'))
const ids = new Map<string, number>()

beforeAll(async () => {
  database = await testDatabase()
  replay = await startReplay(
    FOLDER,
    NAMES.map((_, i) => `127.34.0.${i + 1}`),
  )
  const flags = { database_url: database.url, icmp_check: 'false', port: '0', allow_duplicate_sysName: 'true' }
  const settings = createSettings({ flags: { ...flags, 'poller.workers': '1' } })
  server = await compose({ settings, dataDir, log: createLog('silent'), demo: false, version: 'test' })
  for (const [i, community] of NAMES.entries()) {
    const hostname = `127.34.0.${i + 1}`
    const device = { hostname, port: replay.port, community, snmpver: 'v2c', force: true } as const
    await server.services.devices.add(SYSTEM, device)
    const [row] = await database.store.sql<{ device_id: number }[]>`
      select device_id from devices where hostname = ${hostname}`
    ids.set(community, row?.device_id ?? 0)
  }
  const deadline = Date.now() + DISCOVERED_MS
  for (;;) {
    const [row] = await database.store.sql<{ n: number }[]>`
      select count(distinct device_id)::int as n from device_modules`
    if (row?.n === NAMES.length) break
    if (Date.now() > deadline) throw new Error(`only ${row?.n} of ${NAMES.length} recordings were discovered`)
    await Bun.sleep(100)
  }
})
afterAll(async () => {
  await server.stop()
  replay.stop()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** What the server has stored for a device, as text: tables with their rows, sorted. */
async function found(name: string): Promise<string> {
  const lines: string[] = []
  for (const [table, query] of Object.entries(COMPARED)) {
    const rows = await database.store.sql.unsafe<{ concat_ws: string }[]>(query, [ids.get(name) ?? 0])
    if (rows.length === 0) continue
    lines.push(`${table} (${rows.length})`)
    lines.push(...rows.map((row) => `  ${row.concat_ws.replaceAll(/\s+/g, ' ')}`).sort())
  }
  return `${lines.join('\n')}\n`
}

test.each(NAMES)('%s: every row of every table is as expected', async (name) => {
  const file = join(FOLDER, `${name}.expected.txt`)
  const text = await found(name)
  if (update) writeFileSync(file, text)
  expect(text.split('\n')).toEqual(readFileSync(file, 'utf8').split('\n'))
})

/** Number of rows of a device, without those that are only marked as deleted. */
async function rowCounts(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of NAMES) {
    for (const table of (await found(name)).split('\n').filter((line) => line !== '' && !line.startsWith(' '))) {
      counts[`${name} ${table.replace(/ \(.*/, '')}`] = Number(/\((\d+)\)/.exec(table)?.[1])
    }
  }
  return counts
}

test('every module finds something on one of the recordings', async () => {
  const rows = await database.store.sql<{ module: string }[]>`
    select distinct module from device_modules where rows > 0`
  const covered = new Set(rows.map((row) => row.module))
  const missing = MODULES.filter((m) => m.discover !== undefined && !covered.has(m.name)).map((m) => m.name)
  // off by default; needs definitions that are not in this repository
  expect(missing).toEqual(['etherlike', LOADED_MODULE])
})

test("a module that found nothing cost at most two requests, except for vendor MIBs of the device's OS", async () => {
  const dear = await database.store.sql<{ module: string; requests: number }[]>`
    select module, max(requests) as requests from device_modules
    where rows = 0 and module <> 'defined-health' group by module having avg(requests) > 2`
  expect(dear.map(({ module, requests }) => `${module}: ${requests}`)).toEqual([])
})

test('over a network that loses, truncates and garbles datagrams no row is lost', async () => {
  const before = await rowCounts()
  replay.disturb(0.02)
  for (let round = 0; round < 3; round++) {
    await Promise.all([...ids.values()].map((id) => server.poller.discover(id)))
  }
  replay.disturb(0)
  const after = await rowCounts()
  const lost = Object.entries(before).filter(([table, count]) => (after[table] ?? 0) < count)
  expect(lost).toEqual([])
})

test('a module switched off for the OS is not run, keeps what it found, and explain names the setting', async () => {
  const id = ids.get('demo-access-1') ?? 0
  const name = 'os.iosxe.discovery_modules.fdb'
  const learned = async () => (await found('demo-access-1')).split(/^(?=\w)/m).find((t) => t.startsWith('ports_fdb'))
  // repairs what the bad network left behind
  await server.poller.discover(id)
  const before = await learned()
  expect(before).toBeDefined()
  await server.services.settings.set(name, 'false')
  const deadline = Date.now() + 50_000
  while (!JSON.stringify(server.services.settings.get('os').value).includes('fdb')) {
    if (Date.now() > deadline) throw new Error('the setting did not arrive')
    await Bun.sleep(20)
  }
  const summary = await server.poller.discover(id)
  expect(summary.modules.map((module) => module.name)).not.toContain('fdb')
  const { modules } = await server.services.devices.explain(SYSTEM, String(id))
  expect(modules.find(({ module }) => module === 'fdb')).toMatchObject({
    requests: 0,
    note: `not discovered: switched off by ${name}`,
  })
  expect(await learned()).toBe(before)
})
