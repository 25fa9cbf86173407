import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { listTables, tableName } from '../../../src/core/backup/read-catalogue.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { readStorage } from '../../../src/core/system/read-storage.ts'
import { keepCost, storedForms } from '../../../src/core/system/storage.ts'
import { announceDisk, noteSize, trackPacking } from '../../../src/core/system/write-storage.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { batch, makeDevice, portSamples } from '../../support/samples.ts'
import { reportRows } from '../../support/statistics.ts'

setDefaultTimeout(120_000)
const DAY = 86_400_000
const TODAY = Math.floor(Date.now() / DAY) * DAY
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
const PORTS = 8

describe.each(testServers())('the storage on $name', ({ url }) => {
  let database: TestDatabase
  let store: Store
  let portIds: readonly number[]
  beforeAll(async () => {
    database = await testDatabase(url)
    store = database.store
    portIds = (await makeDevice(store, PORTS)).portIds
  })
  afterAll(() => database.drop())

  /** Five-minute samples of all ports over the day that began so many days ago. */
  async function fillDay(daysAgo: number): Promise<void> {
    const start = TODAY - daysAgo * DAY
    const samples = portIds.flatMap((portId) =>
      Array.from({ length: 288 }, (_, i) => ({
        portId,
        time: start + i * 300_000,
        periodMs: 300_000,
        deltas: { in_octets: portId * 1000 + i, out_octets: i },
      })),
    )
    await writeSamples(store, batch({ ports: portSamples(samples) }))
  }
  const read = () => readStorage(store, null)
  const samplesOf = async () => {
    const found = (await read()).tables.find(({ kind, level }) => kind === 'port' && level === 'samples')
    if (found === undefined) throw new Error('no samples of ports')
    return found
  }

  async function analyze(rel: string): Promise<void> {
    await reportRows(store)
    await store.sql.unsafe(`analyze ${rel}`)
  }

  test('a new database holds nothing, and nothing waits', async () => {
    const { tables, packing, growth, forecast, disk } = await read()
    expect(storedForms(tables)).toEqual([])
    expect(packing).toMatchObject({
      done: 0,
      waiting: 0,
      oldest: null,
      overdue: 0,
      run: null,
      leftS: null,
      problems: [],
    })
    expect({ growth, forecast, disk }).toEqual({ growth: null, forecast: { kind: 'unknown' }, disk: null })
  })

  test('rows that wait, then packed ones: sizes, rows, oldest, and bytes of a row in both forms', async () => {
    for (const daysAgo of [6, 5, 4, 1]) await fillDay(daysAgo)
    await analyze('ts.port_samples')
    const before = await samplesOf()
    expect(before).toMatchObject({
      rows: 4 * 288 * PORTS,
      longParts: 0,
      dayRows: 288 * PORTS,
      oldest: new Date(TODAY - 6 * DAY),
    })
    expect(before.waiting).toBeGreaterThanOrEqual(3)
    expect(before).toMatchObject({ waitingSince: new Date(TODAY - 6 * DAY), keepDays: expect.any(Number) })
    expect(before.overdue).toBeGreaterThanOrEqual(3)
    expect(keepCost([before], 30)).toMatchObject({ long: null, more: null })

    expect(await trackPacking(store, (await read()).packing)).toBe('began')
    expect(await trackPacking(store, (await read()).packing)).toBe('goes on')
    expect((await read()).packing.run?.total).toBeGreaterThanOrEqual(3)
    expect(await maintain(store, KEEP)).toMatchObject({ failures: [] })
    await store.sql.unsafe('vacuum ts.port_samples')
    await analyze('ts.port_samples')
    await analyze('ts.port_samples_packed')

    const after = await samplesOf()
    expect(after).toMatchObject({
      rows: 4 * 288 * PORTS,
      longRows: 3 * 288 * PORTS,
      longParts: 3,
      waiting: 0,
      waitingSince: null,
    })
    expect(after).toMatchObject({
      dayRows: 288 * PORTS,
      oldest: new Date(TODAY - 6 * DAY),
      keepDays: 30,
      form: 'packed',
    })
    expect(after.octets).toBeLessThan(before.octets)
    const [rows, packed] = storedForms([after])
    expect(rows).toMatchObject({ form: 'rows', rows: 288 * PORTS, oldest: null })
    expect(packed).toMatchObject({ form: 'packed', rows: 3 * 288 * PORTS, oldest: new Date(TODAY - 6 * DAY) })
    expect(packed?.perRow).toBeLessThan(rows?.perRow ?? 0)
    const cost = keepCost([after], 365)
    expect(cost.long).toBeCloseTo(365 * 288 * PORTS * (packed?.perRow ?? 0), -2)
    expect(cost.rows).toBeGreaterThan(cost.long ?? Number.POSITIVE_INFINITY)

    const { packing } = await read()
    expect(packing).toMatchObject({ form: 'packed', done: expect.any(Number), waiting: 0, oldest: null, overdue: 0 })
    expect(await trackPacking(store, packing)).toBe('finished')
    expect(await trackPacking(store, packing)).toBeNull()
  })

  test('rows are counted where the server knows nothing of them, as after a crash', async () => {
    const parts = await store.sql<{ part: string }[]>`
      select part::text from ts.stored_chunks('ts.port_samples') where form = 'packed' and row_count > 0`
    expect(parts).toHaveLength(3)
    for (const { part } of parts) {
      await store.sql.unsafe(`
        update pg_class set reltuples = -1 where oid = '${part}'::regclass;
        select pg_stat_reset_single_table_counters('${part}'::regclass)`)
    }
    expect(await samplesOf()).toMatchObject({ longRows: 3 * 288 * PORTS, longParts: 3 })
  })

  test('late rows of a packed chunk are counted, and are not a chunk that waits', async () => {
    const late = { portId: portIds[0] ?? 0, time: TODAY - 5 * DAY + 1000, periodMs: 300_000, deltas: { in_octets: 1 } }
    await writeSamples(store, batch({ ports: portSamples([late]) }))
    const { longParts, waitingSince } = await samplesOf()
    expect(longParts).toBe(3)
    expect(waitingSince?.getTime() ?? TODAY).toBeGreaterThan(TODAY - 4 * DAY)
    await maintain(store, KEEP)
    expect(await samplesOf()).toMatchObject({ longParts: 3, longRows: 3 * 288 * PORTS, waiting: 0 })
  })

  test('a table that cannot be packed is named with its reason, and is over when it was packed', async () => {
    await fillDay(3)
    await store.sql.unsafe('alter table ts.port_samples_packed add constraint none check (pack_n < 0) not valid')
    await maintain(store, KEEP)
    const [problem] = (await read()).packing.problems
    expect(problem).toMatchObject({ step: 'packing', rel: 'ts.port_samples' })
    expect(problem?.reason).toContain('none')
    expect((await samplesOf()).waitingSince).toEqual(new Date(TODAY - 3 * DAY))
    await store.sql.unsafe('alter table ts.port_samples_packed drop constraint none')
    await maintain(store, KEEP)
    expect((await read()).packing).toMatchObject({ problems: [], waiting: 0 })
  })

  test('the size is noted once a day, and two settled days make the growth', async () => {
    await noteSize(store)
    await noteSize(store)
    const notes = () => store.sql<{ settled: boolean }[]>`select settled from ts.size_note`
    expect([...(await notes())]).toEqual([{ settled: true }])
    expect((await read()).growth).toBeNull()
    await store.sql`insert into ts.size_note (day, noted_at, octets, settled)
      select day - 1, noted_at - interval '1 day', octets - 1000000, true from ts.size_note`
    expect((await read()).growth).toBeCloseTo(1_000_000, 3)
    const disk = { free: 20_000_000, size: 1_000_000_000 }
    const { forecast } = await readStorage(store, disk)
    expect(forecast.kind === 'full' ? forecast.inS / 86_400 : null).toBeCloseTo(20, 3)
  })

  test('old notes are removed, and the size is not noted while chunks wait', async () => {
    await store.sql`delete from ts.size_note`
    await store.sql`insert into ts.size_note (day, octets, settled) values (current_date - 500, 1, true)`
    await fillDay(2)
    await store.sql`update ts.series set compress_after = interval '0 days' where rel = 'ts.port_samples'::regclass`
    await noteSize(store)
    const notes = () =>
      store.sql<{ octets: number; settled: boolean }[]>`select octets, settled from ts.size_note order by day`
    const isLate = new Date().getUTCHours() >= 20
    expect((await notes()).map(({ settled }) => settled)).toEqual(isLate ? [false] : [true])
    await store.sql`update ts.series set compress_after = interval '1 day' where rel = 'ts.port_samples'::regclass`
    await maintain(store, KEEP)
    await noteSize(store)
    expect((await notes()).map(({ octets }) => octets > 1)).toEqual([true])
  })

  test('its own figures are not in backups: they say nothing of the database that is restored', async () => {
    const names = (await listTables(store.sql)).map(tableName)
    expect(names).toContain('ts.port_samples')
    for (const name of ['ts.size_note', 'ts.notice', 'ts.packing_run']) expect(names).not.toContain(name)
  })

  test('the warning about the disk is one event when it begins and one when it ends', async () => {
    const full = { free: 5e9, size: 1e11 }
    const events = async () =>
      (
        await store.sql<{ message: string; severity: number }[]>`
          select message, severity from eventlog where message like '%disk of the database%' order by event_id`
      ).map(({ message, severity }) => `${severity} ${message}`)
    for (let check = 0; check < 3; check++) {
      const { warning } = await readStorage(store, full)
      expect(await announceDisk(store, warning?.reason ?? null)).toBe(check === 0)
    }
    expect((await readStorage(store, full)).warning?.since.getTime()).toBeLessThan(Date.now())
    // 11 % free begin no warning and end none
    const wavering = await readStorage(store, { free: 11e9, size: 1e11 })
    expect(await announceDisk(store, wavering.warning?.reason ?? null)).toBe(false)
    const roomy = await readStorage(store, { free: 5e10, size: 1e11 })
    expect(roomy.warning).toBeNull()
    for (let check = 0; check < 3; check++) expect(await announceDisk(store, null)).toBe(check === 0)
    expect(await events()).toEqual([
      '4 The disk of the database is filling up: 5 % of the disk of the database are free',
      '1 The disk of the database has enough room again',
    ])
    expect((await readStorage(store, { free: 11e9, size: 1e11 })).warning).toBeNull()
  })
})
