import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { emptyDatabase, testDatabase } from '../../support/database.ts'
import { type FullEdition, HAS_FULL_EDITION, startFullEdition } from '../../support/full-edition.ts'
import { batch } from '../../support/samples.ts'
import {
  FEW_KINDS,
  fillPacked,
  fillSeries,
  halfOfPacked,
  packAsBefore,
  progressOf,
  storedSums,
} from './packed-support.ts'
import { backupOf, restoreTo } from './support.ts'

setDefaultTimeout(300_000)
const KEEP = { samplesDays: 3000, hourlyDays: 3000, dailyDays: 3000 }
const DAY = 86_400_000

describe.skipIf(!HAS_FULL_EDITION)('the full edition of TimescaleDB', () => {
  const servers: FullEdition[] = []
  const databases: { drop(): Promise<void> }[] = []
  const start = async (migrated: boolean): Promise<FullEdition> => {
    const server = await startFullEdition({ migrated })
    servers.push(server)
    return server
  }
  afterAll(async () => {
    for (const server of servers) await server.stop()
    for (const database of databases) await database.drop()
  })
  async function empty(): Promise<string> {
    const database = await emptyDatabase()
    databases.push(database)
    return database.url
  }
  async function sumsOf(url: string) {
    const store = connect(url, { max: 1 })
    try {
      return { sums: await storedSums(store.sql), progress: await progressOf(store.sql) }
    } finally {
      await store.close()
    }
  }

  test('gets packed rows as rows, which it compresses and gives back', async () => {
    const source = await testDatabase()
    databases.push(source)
    // compiled to WebAssembly, the server takes minutes for series of hundreds of columns
    await fillPacked(source.store, FEW_KINDS)
    const before = await storedSums(source.store.sql)
    const server = await start(false)
    const backup = await backupOf(source.url)
    await expect(restoreTo(server.url, halfOfPacked(backup), 1)).rejects.toThrow(/truncated/)
    const found: string[] = []
    await restoreTo(server.url, backup, 1, (what) => found.push(what))
    expect(found).toEqual(['continued'])
    const restored = await sumsOf(server.url)
    expect(restored.sums).toEqual(before)
    expect(new Set(Object.values(restored.progress.packed))).toEqual(new Set([0]))
    const store = connect(server.url, { max: 1 })
    await store.sql`delete from ts.dirty`
    const round = await maintain(store, KEEP, 120_000)
    // a server of the Apache edition would find what is compressed empty
    const [open] = await store.sql`
      select count(*)::int as n from ts.chunks_of('ts.port_samples') c where c.upto <= now() - interval '1 day'`
    expect(open).toEqual({ n: 0 })
    await store.close()
    expect(round).toMatchObject({ failures: [], packed: 0 })
    expect(round.compressed).toBeGreaterThan(0)
    const compressed = await sumsOf(server.url)
    const url = await empty()
    await restoreTo(url, await backupOf(server.url, 1))
    expect((await sumsOf(url)).sums).toEqual(compressed.sums)
  })

  describe('under a database whose rows were packed before', () => {
    let server: FullEdition
    let store: Store
    const round = () => maintain(store, KEEP, 120_000)
    beforeAll(async () => {
      if (!HAS_FULL_EDITION) return
      server = await start(true)
      store = connect(server.url, { max: 1 })
      await fillSeries(store.sql, FEW_KINDS)
    })
    afterAll(() => store?.close())

    test('reads and keeps them, and packs no more: what was begun is given up', async () => {
      const { sql } = store
      const before = await storedSums(sql)
      await packAsBefore(sql)
      await sql`select ts.create_packed('ts.icmp_samples')`
      await sql`
        insert into ts.packing select 'ts.icmp_samples', c.part, ts.make_packed_part('ts.icmp_samples', c.since), c.since, c.upto, 1
        from ts.chunks_of('ts.icmp_samples') c limit 1`
      expect(await storedSums(sql)).toEqual(before)
      const { packed } = await progressOf(sql)
      expect(await round()).toMatchObject({ failures: [], packed: 0 })
      expect(await storedSums(sql)).toEqual(before)
      const after = await progressOf(sql)
      expect(after.packing).toEqual([])
      expect(after.packed).toEqual(packed)
      expect(packed['ts.sensor_1h']).toBeGreaterThan(0)
    })

    test('a late sample is stored once, and added to the packed ones', async () => {
      const { sql } = store
      const [{ n: rows } = { n: -1 }] = await sql<
        { n: number }[]
      >`select count(*)::int as n from ts.sensor_samples_stored`
      const [chunk] = await sql<{ id: number; time: Date }[]>`
        select sensor_id as id, date_trunc('milliseconds', "time") + interval '5 seconds' as time from ts.sensor_samples_stored
        where span is not null order by "time" desc, sensor_id limit 1`
      const sample = { id: chunk?.id ?? 0, time: chunk?.time.getTime() ?? 0, value: 4711 }
      // the newest packed chunk ended a day ago or more, so a week after that the sample is in time
      const write = () => writeSamples(store, batch({ sensors: [sample] }), sample.time + DAY)
      await write()
      await write()
      const seen = () => sql<{ n: number; late: number; beside: number }[]>`
        select count(*)::int as n, count(*) filter (where value = 4711)::int as late,
          count(*) filter (where span is null and value = 4711)::int as beside from ts.sensor_samples_stored`
      expect([...(await seen())]).toEqual([{ n: rows + 1, late: 1, beside: 1 }])
      expect([...(await sql`select ts.chunks_to_compress('ts.sensor_samples')`)]).toEqual([])
      expect((await round()).failures).toEqual([])
      await write()
      expect([...(await seen())]).toEqual([{ n: rows + 1, late: 1, beside: 0 }])
    })

    test('a backup of it is restored packed, in a server without a columnstore', async () => {
      const { sums, progress } = { sums: await storedSums(store.sql), progress: await progressOf(store.sql) }
      const url = await empty()
      await restoreTo(url, await backupOf(server.url, 1))
      const copy = await sumsOf(url)
      expect(copy.sums).toEqual(sums)
      expect(copy.progress.packed['ts.port_samples']).toBe(progress.packed['ts.port_samples'] ?? 0)
    })

    test('retention removes them', async () => {
      const before = await progressOf(store.sql)
      await maintain(store, { samplesDays: 3, hourlyDays: 3, dailyDays: 3 }, 120_000)
      const after = await progressOf(store.sql)
      expect(before.packed['ts.sensor_1h']).toBeGreaterThan(0)
      expect(after.packed['ts.sensor_1h']).toBe(0)
      expect(after.packed['ts.port_samples']).toBeLessThan(before.packed['ts.port_samples'] ?? 0)
    })
  })
})
