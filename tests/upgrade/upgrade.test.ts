import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '../../db/migrations.ts'
import { client, connect } from '../../src/core/database/client.ts'
import { type MigrateResult, migrate } from '../../src/core/schema/migrate.ts'
import { createDatabaseProbe } from '../../src/core/schema/readiness.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { maintain } from '../../src/core/series/write-roll-ups.ts'
import { createLog } from '../../src/observe/log.ts'
import { startServe, temporaryFolder } from '../cli/support.ts'
import { backupOf, restoreTo } from '../core/backup/support.ts'
import { emptyDatabase, testServers } from '../support/database.ts'
import { HAS_FULL_EDITION, startFullEdition } from '../support/full-edition.ts'
import { batch, portSamples } from '../support/samples.ts'
import { type Fixture, fixtureSums, kindsOf, loadFixture, readFixture } from './fixture.ts'

// Upgrades the database of every release, as its own code left it, to the current schema.

setDefaultTimeout(240_000)
const log = createLog('silent')
const RELEASES = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith('.json.gz'))
  .map((file) => file.slice(0, -'.json.gz'.length))
const made: { drop(): Promise<void> }[] = []
afterAll(async () => {
  for (const database of made) await database.drop()
})

async function ofRelease(fixture: Fixture, server: string | null = null): Promise<string> {
  const database = await emptyDatabase(server)
  made.push(database)
  await loadFixture(database.url, fixture)
  return database.url
}

/** Migrations after the release. */
function pending(fixture: Fixture): readonly string[] {
  const had = new Set(fixture.migrations.map(({ number }) => number))
  return MIGRATIONS.filter(({ number }) => !had.has(number)).map(({ name }) => name)
}

/** Migrates, and expects that no row in the release's columns changed. */
async function upgraded(url: string, fixture: Fixture, max = 2): Promise<MigrateResult> {
  const sql = client(url, max)
  try {
    const kinds = await kindsOf(sql)
    const before = await fixtureSums(sql, fixture, kinds)
    const result = await migrate(url, log)
    expect(result.applied).toEqual([...pending(fixture)])
    expect(await fixtureSums(sql, fixture, kinds)).toEqual(before)
    expect((await migrate(url, log)).applied).toEqual([])
    return result
  } finally {
    await sql.end()
  }
}

for (const release of RELEASES) {
  const fixture = readFixture(release)

  for (const server of testServers()) {
    test(`${release} on ${server.name}: every row is kept, and the API answers with them`, async () => {
      const url = await ofRelease(fixture, server.url)
      await upgraded(url, fixture)
      const folder = temporaryFolder()
      const served = await startServe(folder.path, join(folder.path, 'log'), [
        '--database-url',
        url,
        '--set',
        'poller.interval=3600',
      ])
      try {
        const get = async (path: string): Promise<Record<string, unknown>> => {
          const response = await fetch(`${served.url}/api/v0${path}`, { headers: { 'X-Auth-Token': fixture.token } })
          expect([path, response.status]).toEqual([path, 200])
          return (await response.json()) as Record<string, unknown>
        }
        const { devices } = (await get('/devices')) as { devices: { hostname: string }[] }
        expect(devices.map(({ hostname }) => hostname).toSorted()).toEqual([
          'core-v0.example.net',
          'edge-v0.example.net',
          'router-v0.example.net',
        ])
        const { ports } = (await get('/devices/router-v0.example.net/ports')) as { ports: { ifName: string }[] }
        expect(ports.map(({ ifName }) => ifName)).toEqual(['Gi0/1', 'Gi0/2', 'Gi0/3', 'Gi0/4'])
        const { bills } = (await get('/bills')) as { bills: { bill_name: string }[] }
        expect(bills.map(({ bill_name }) => bill_name)).toContain('transit of v0')
        const { logs } = (await get('/logs/eventlog/edge-v0.example.net')) as { logs: unknown[] }
        expect(logs.length).toBeGreaterThan(0)
        expect((await fetch(`${served.url}/readyz`)).status).toBe(200)
      } finally {
        served.process.kill('SIGTERM')
        await served.process.exited
        folder.remove()
      }
    })
  }

  describe.skipIf(!HAS_FULL_EDITION)('the full edition of TimescaleDB', () => {
    test(`${release}: every row is kept, compressed or not`, async () => {
      const server = await startFullEdition()
      try {
        await loadFixture(server.url, fixture)
        const store = connect(server.url, { max: 1 })
        const keep = { samplesDays: 36_500, hourlyDays: 36_500, dailyDays: 36_500 }
        const round = await maintain(store, keep, 120_000)
        expect(round.compressed).toBeGreaterThan(0)
        await store.close()
        expect((await upgraded(server.url, fixture, 1)).mode).toBe('tsl')
      } finally {
        await server.stop()
      }
    })
  })

  test(`${release}: its backup is restored into this version, equal`, async () => {
    const url = await ofRelease(fixture)
    const target = await emptyDatabase()
    made.push(target)
    const report = await restoreTo(target.url, await backupOf(url))
    expect(report.migrated).toEqual(pending(fixture))
    const [old, copy] = [client(url, 1), client(target.url, 1)]
    const kinds = await kindsOf(old)
    expect(await fixtureSums(copy, fixture, kinds)).toEqual(await fixtureSums(old, fixture, kinds))
    await Promise.all([old.end(), copy.end()])
  })

  test(`${release}: one of its nodes keeps writing while another one migrates, and reports that it is not ready`, async () => {
    const url = await ofRelease(fixture)
    const node = connect(url, { max: 3 })
    const [port] = await node.sql<{ port_id: number; device_id: number }[]>`
      select p.port_id, p.device_id from ports p join devices d using (device_id) where d.hostname = 'router-v0.example.net' limit 1`
    const { port_id: portId = 0, device_id: deviceId = 0 } = port ?? {}
    let stored = 0
    let stop = false
    const began = Math.floor(Date.now() / 1000) * 1000
    const failures: unknown[] = []
    const writing = (async () => {
      while (!stop) {
        const time = began + stored * 100
        const sample = { portId, time, periodMs: 1000, deltas: { in_octets: stored } }
        try {
          await writeSamples(node, batch({ ports: portSamples([sample]) }))
          await node.sql`update devices set last_polled = now(), uptime = ${stored} where device_id = ${deviceId}`
          stored++
        } catch (error) {
          failures.push(error)
        }
      }
    })()
    const writes = async (more: number): Promise<void> => {
      for (const goal = stored + more; stored < goal && failures.length === 0; ) await Bun.sleep(5)
    }
    // a long transaction reads devices, so that the migration has to wait for its lock
    const reader = client(url, 1)
    const held = await reader.reserve()
    await held.unsafe('begin; select count(*) from devices; select count(*) from ts.port_samples').simple()
    const later = {
      number: 9999,
      name: 'later',
      text: 'alter table devices add column later int; alter table ports add column later int default 7',
    }
    let done = false
    const migrating = migrate(url, log, [...MIGRATIONS, later]).then((result) => {
      done = true
      return result
    })
    // If the migration waited in the lock queue, the writes would be stuck behind it and never get here.
    await writes(100)
    expect(done).toBe(false)
    for (let i = 0; i < 3; i++) {
      await Bun.sleep(1000)
      await writes(20)
    }
    await held.unsafe('commit')
    held.release()
    await reader.end({ timeout: 1 })
    expect((await migrating).applied).toEqual([...pending(fixture), 'later'])
    await writes(50)
    stop = true
    await writing
    expect(failures).toEqual([])
    const [row] = await node.sql<{ n: number }[]>`
      select count(*)::int as n from ts.port_samples where port_id = ${portId} and period_ms = 1000`
    expect(row?.n).toBe(stored)
    await node.close()
    // this program now plays the old node, which does not know migration 9999
    const probe = createDatabaseProbe(url, 'plain')
    expect(await probe.check()).toMatch(/schema is at migration 9999, this program needs \d+/)
    await probe.close()
    await expect(migrate(url, log)).rejects.toThrow(
      /newer than this program \(migration 9999; the program knows up to \d+\) and cannot be downgraded: upgrade the program, or restore/,
    )
  })
}

test('there is a fixture of every release', () => {
  expect(RELEASES).toContain('v0.1.0')
})
