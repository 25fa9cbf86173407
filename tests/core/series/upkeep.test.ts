import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { seriesStatus } from '../../../src/core/series/read-status.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { batch, makeDevice, portSamples } from '../../support/samples.ts'
import { reportRows } from '../../support/statistics.ts'

setDefaultTimeout(60_000)
const DAY = 86_400_000
const KEEP = { samplesDays: 3, hourlyDays: 400, dailyDays: 3650 }

describe.each(testServers())('upkeep of the series on $name', ({ url }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await testDatabase(url)
    store = database.store
  })
  afterAll(() => database.drop())

  async function write(time: number): Promise<number> {
    const portId = (await makeDevice(store, 1)).portIds[0] ?? 0
    const sample = { portId, time, periodMs: 300_000, deltas: { in_octets: 3000 } }
    await writeSamples(store, batch({ ports: portSamples([sample]) }))
    return portId
  }
  const samplesOf = async (portId: number) => {
    const [row] = await store.sql<{ n: number }[]>`
      select count(*)::int as n from ts.port_samples_stored where port_id = ${portId}`
    return row?.n
  }

  test('a table that cannot be maintained is reported until it can, and the others are maintained', async () => {
    const port = await write(Date.now() - 5 * DAY)
    await store.sql.unsafe(`select ts.define('a_broken', 'id', interval '1 day', array['value:real:gauge'])`)
    await store.sql.unsafe('alter table ts.a_broken_1h add constraint none check (n < 0)')
    await store.sql.unsafe(`
      select ts.ensure_partitions('ts.a_broken_samples', now() - interval '3 hours');
      insert into ts.a_broken_samples values (now() - interval '3 hours', 1, 1);
      select ts.late('a_broken', array[date_trunc('hour', now()) - interval '3 hours'])`)
    const report = await maintain(store, KEEP)
    expect(report.failures.map(({ step, rel }) => `${step} ${rel}`)).toEqual(['roll-up ts.a_broken_1h'])
    expect(report.rolled).toBeGreaterThan(0)
    expect(await samplesOf(port)).toBe(0)
    const [first] = (await seriesStatus(store)).problems
    expect(first).toMatchObject({ step: 'roll-up', rel: 'ts.a_broken_1h', reason: report.failures[0]?.reason })

    expect((await maintain(store, KEEP)).failures).toHaveLength(1)
    expect((await seriesStatus(store)).problems).toEqual(first === undefined ? [] : [first])

    await store.sql.unsafe('alter table ts.a_broken_1h drop constraint none')
    expect((await maintain(store, KEEP)).failures).toEqual([])
    expect((await seriesStatus(store)).problems).toEqual([])
  })

  test('a table in use is left to the next round', async () => {
    await write(Date.now() - 5 * DAY)
    const locked = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const lock = store.sql.begin(async (tx) => {
      await tx`lock table ts.port_samples in access share mode`
      await tx`select count(*) from ts.port_samples_stored`
      locked.resolve()
      await done.promise
    })
    await locked.promise
    const report = await maintain(store, KEEP)
    done.resolve()
    await lock
    expect(report).toMatchObject({ failures: [] })
    expect(report.busy).toBeGreaterThan(0)
    expect(await maintain(store, KEEP)).toMatchObject({ failures: [], busy: 0 })
  })

  test('the status of a table: rows, octets, oldest row and lag', async () => {
    const time = Math.floor(Date.now() / DAY) * DAY - DAY
    await write(time)
    await maintain(store, KEEP)
    await reportRows(store)
    await store.sql.unsafe('analyze ts.port_samples')
    const { tables } = await seriesStatus(store)
    const of = (level: string) => tables.find((table) => table.kind === 'port' && table.level === level)
    expect(of('samples')).toMatchObject({ rows: 1, oldest: new Date(time), behindS: null, longParts: 0, waiting: 0 })
    expect(of('1h')).toMatchObject({ behindS: 0, oldest: expect.any(Date) })
    expect(of('samples')?.octets).toBeGreaterThan(8192)
    await store.sql`update ts.rollup set watermark = watermark - interval '5 hours' where dst = 'ts.port_1h'::regclass`
    const behind = (await seriesStatus(store)).tables.find((table) => table.kind === 'port' && table.level === '1h')
    // An hour that ended less than 20 minutes ago does not count yet.
    expect([4 * 3600, 5 * 3600]).toContain(behind?.behindS ?? 0)
  })
})
