import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../../src/core/database/client.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../../src/postgres/embedded.ts'
import { serverProcesses } from '../../../src/postgres/postmaster.ts'
import { copyMigrated } from '../../support/database.ts'
import { fingerprint, forms, writeDays } from './days-of-rows.ts'

// Packing that is interrupted: nothing is lost, nothing is there twice, and it goes on where it was.

setDefaultTimeout(300_000)

const KEEP = { samplesDays: 60, hourlyDays: 400, dailyDays: 3650 }
const DAYS = 4
const PORTS = 100
const SAMPLES = DAYS * PORTS * 287
const log = createLog('silent')
const folder = mkdtempSync(join(tmpdir(), 'portlight-pg-'))
chmodSync(folder, 0o755)
const data = join(folder, 'postgres', 'data')
let server: EmbeddedServer | null = null
afterAll(async () => {
  await server?.stop().catch(() => undefined)
  for (const pid of serverProcesses(data)) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('by the death of the database server', async () => {
  await copyMigrated(folder)
  server = await startEmbedded({ dataDir: folder, log })
  await migrate(server.url, log)
  let store = connect(server.url, { max: 2 })
  await writeDays(store, DAYS, PORTS)
  const before = await fingerprint(store)
  expect(before).toMatchObject({ samples: SAMPLES, different: SAMPLES })
  for (const steps of [1, 3, 12, 15]) {
    for (let step = 0; step < steps; step++) await store.sql`select from ts.pack_step('ts.port_samples', 10)`
    const midway = await forms(store)
    // it dies in one more
    const last = store.sql`select from ts.pack_step('ts.port_samples', 10)`.catch(() => null)
    await Bun.sleep(5)
    for (const pid of serverProcesses(data)) process.kill(pid, 'SIGKILL')
    await last
    await store.close(1)
    await server.stop().catch(() => undefined)
    server = await startEmbedded({ dataDir: folder, log })
    store = connect(server.url, { max: 2 })
    expect(await fingerprint(store)).toEqual(before)
    const now = await forms(store)
    // what is being packed counts as rows until it is finished
    expect(now.rows + now.packed).toBe(SAMPLES)
    expect(now.packed).toBeGreaterThanOrEqual(midway.packed)
  }
  for (let round = 0; round < 2; round++) await maintain(store, KEEP, 60_000)
  expect(await fingerprint(store)).toEqual(before)
  expect(await forms(store)).toEqual({ rows: 0, packed: SAMPLES, begun: 0 })
  await store.close()
})

const root = process.getuid?.() === 0 && Bun.which('unshare') !== null
test.if(root)('by a full disk', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'portlight-disk-'))
  try {
    const script = `mount -t tmpfs -o size=400m none '${disk}' && exec "$@"`
    const program = [process.execPath, '--no-env-file', join(import.meta.dir, 'full-disk.ts'), disk]
    const child = Bun.spawn(['unshare', '-m', 'sh', '-c', script, 'sh', ...program], { stdout: 'pipe', stderr: 'pipe' })
    const [out, problem] = [await new Response(child.stdout).text(), await new Response(child.stderr).text()]
    expect({ code: await child.exited, problem }).toMatchObject({ code: 0 })
    const { refused, before, between, after, end } = JSON.parse(out.trim().split('\n').at(-1) ?? '')
    expect(refused).not.toBe('')
    expect(between).toEqual(before)
    expect(after).toEqual(before)
    expect(end).toEqual({ rows: 0, packed: 3 * 400 * 287, begun: 0 })
  } finally {
    rmSync(disk, { recursive: true, force: true })
  }
})
