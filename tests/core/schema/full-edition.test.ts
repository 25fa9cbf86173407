import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { type MigrateResult, migrate } from '../../../src/core/schema/migrate.ts'
import { seriesStatus } from '../../../src/core/series/read-status.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type FullEdition, HAS_FULL_EDITION, startFullEdition } from '../../support/full-edition.ts'
import { batch, makeDevice, portSamples } from '../../support/samples.ts'

setDefaultTimeout(180_000)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const TODAY = Math.floor(Date.now() / DAY) * DAY
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
/** Enough for one round to finish on a slow machine. */
const ROUND_MS = 120_000
const log = createLog('silent')

/** A chunk of samples a day: these have been closed for a day, so they are due for compression. */
const DUE = [-5, -4, -3, -2]

describe.skipIf(!HAS_FULL_EDITION)('the full edition of TimescaleDB', () => {
  let server: FullEdition
  let store: Store
  let schema: MigrateResult
  let device: Awaited<ReturnType<typeof makeDevice>>

  async function open(next: FullEdition): Promise<void> {
    server = next
    schema = await migrate(server.url, log)
    store = connect(server.url, { max: 1 })
  }
  async function restart(columnstore: boolean): Promise<void> {
    await store.close()
    await open(await server.restart(columnstore))
  }
  const round = () => maintain(store, KEEP, ROUND_MS)
  const portStatus = async () =>
    (await seriesStatus(store)).tables.find((t) => t.kind === 'port' && t.level === 'samples')
  const sums = async () =>
    await store.sql`select port_id, count(*)::int as n, sum(in_octets)::float8 as octets from ts.port_samples group by 1 order by 1`
  /** Samples on these days, counted from today, `minutes` after midnight. */
  const fill = async (days: readonly number[], minutes: number) => {
    const samples = days.flatMap((day) =>
      device.portIds.map((portId, i) => ({
        portId,
        time: TODAY + day * DAY + minutes * 60_000,
        periodMs: 300_000,
        deltas: { in_octets: 1000 * i + minutes },
      })),
    )
    await writeSamples(store, batch({ ports: portSamples(samples) }))
  }

  beforeAll(async () => {
    if (!HAS_FULL_EDITION) return
    await open(await (await startFullEdition()).restart(false))
    device = await makeDevice(store, 20)
  })
  afterAll(async () => {
    if (!HAS_FULL_EDITION) return
    await store.close()
    await server.stop()
  })

  test('if the server refuses to compress, each table fails on its own and the other steps are done', async () => {
    for (const minutes of [10, 70, 130]) await fill([...DUE, -1, 0], minutes)
    // Without its library loaded the server does not name its licence; from now on it does, and refuses all the same.
    await store.sql`select count(*) from ts.port_samples`
    const report = await round()
    expect(report.rolled).toBeGreaterThan(0)
    expect(new Set(report.failures.map((f) => f.step))).toEqual(new Set(['compression']))
    expect(report.failures.map((f) => f.rel)).toContain('ts.port_samples')
    expect(report.failures[0]?.reason).toContain('not supported')
    expect((await seriesStatus(store)).problems.map((p) => p.rel)).toContain('ts.port_samples')
  })

  test('a database filled without compression is compressed once the server can, a day after a chunk has closed', async () => {
    const before = await sums()
    await restart(true)
    expect(schema).toMatchObject({ mode: 'tsl', unreadable: 0 })
    expect(await portStatus()).toMatchObject({ form: 'columnstore', longParts: 0 })
    const report = await round()
    expect(report).toMatchObject({ failures: [], busy: 0, compressed: DUE.length })
    const status = await portStatus()
    expect(status).toMatchObject({ longParts: DUE.length, waiting: 0, waitingSince: null, overdue: 0 })
    expect(status?.longRows).toBeGreaterThan(0)
    expect(status?.longOctets).toBeGreaterThan(0)
    expect(status?.octets).toBeGreaterThanOrEqual(status?.longOctets ?? Number.POSITIVE_INFINITY)
    expect((await seriesStatus(store)).problems).toEqual([])
    expect(await sums()).toEqual(before)
    expect((await round()).compressed).toBe(0)
  })

  test('a late sample is found in its compressed chunk, and the chunk is compressed again', async () => {
    await fill([-3], 190)
    const [late] = await store.sql`
      select count(*)::int as n from ts.port_samples where "time" = to_timestamp(${(TODAY - 3 * DAY + 190 * 60_000) / 1000})`
    expect(late).toEqual({ n: device.portIds.length })
    expect(await portStatus()).toMatchObject({ waiting: 1 })
    const hour = await store.sql`select ts.watermark('ts.port_1h') > now() - interval '3 hours' as current`
    expect([...hour]).toEqual([{ current: true }])
    expect(await round()).toMatchObject({ compressed: 1, failures: [] })
    expect(await portStatus()).toMatchObject({ waiting: 0 })
    // A repeated batch finds its rows, also compressed ones.
    const before = await sums()
    await fill([-3], 190)
    expect(await sums()).toEqual(before)
  })

  test('one chunk in use or failing does not keep the others from being compressed', async () => {
    await fill(DUE, 200)
    const chunks = await store.sql<{ chunk: string }[]>`
      select chunk::text from ts.chunks_to_compress('ts.port_samples') chunk`
    const [first, second] = chunks.map((row) => row.chunk)
    const [saved] = await store.sql<{ text: string }[]>`
      select pg_get_functiondef('ts.compress_chunk(regclass)'::regprocedure) as text`
    await store.sql.unsafe(`
      create function ts.as_before(chunk regclass) returns void language plpgsql as
        $f$ begin perform compress_chunk(chunk, if_not_compressed => true); end $f$;
      create or replace function ts.compress_chunk(chunk regclass) returns void language plpgsql as $f$ begin
        if chunk = '${first}'::regclass then raise lock_not_available; end if;
        if chunk = '${second}'::regclass then raise 'damaged'; end if;
        perform ts.as_before(chunk);
      end $f$`)
    const problem = { step: 'compression' as const, rel: second ?? '', reason: 'damaged' }
    expect(await round()).toMatchObject({ compressed: DUE.length - 2, busy: 1, failures: [problem] })
    expect((await seriesStatus(store)).problems).toEqual([{ ...problem, since: expect.any(Date) }])
    await store.sql.unsafe(saved?.text ?? '')
    expect(await round()).toMatchObject({ compressed: 2, busy: 0, failures: [] })
    expect((await seriesStatus(store)).problems).toEqual([])
  })

  test('late and deleted samples need no decompression, which TimescaleDB limits per transaction', async () => {
    // The default is 100,000 rows in a transaction.
    await server.exec('set timescaledb.max_tuples_decompressed_per_dml_transaction = 10')
    const ports = 60
    const start = TODAY - 2 * DAY
    await store.sql`
      insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets)
      select to_timestamp(${start / 1000}) + n * interval '5 minutes', 1000000 + p, 300000, n, p
      from generate_series(0, 287) n, generate_series(1, ${ports}::int) p`
    expect((await round()).failures).toEqual([])
    const late = Array.from({ length: ports }, (_, p) => ({
      portId: 1_000_001 + p,
      time: start + 12 * HOUR,
      periodMs: 300_000,
      deltas: { in_octets: -1 },
    }))
    const written =
      await store.sql`select sum(in_octets)::float8 as octets from ts.port_samples where port_id > 1000000`
    await writeSamples(store, batch({ ports: portSamples(late) }))
    await writeSamples(
      store,
      batch({ ports: portSamples(late.map((s) => ({ ...s, time: s.time + 1000, deltas: {} }))) }),
    )
    expect(
      await store.sql`select sum(in_octets)::float8 as octets from ts.port_samples where port_id > 1000000`,
    ).toEqual(written)
    await store.sql`select ts.forget('port', array(select generate_series(1000001, ${1_000_000 + ports})))`
    const [left] = await store.sql`select count(*)::int as n from ts.port_samples where port_id > 1000000`
    expect(left).toEqual({ n: 0 })
    await server.exec('reset timescaledb.max_tuples_decompressed_per_dml_transaction')
  })

  test('samples of a deleted device disappear from compressed chunks', async () => {
    await round()
    await store.sql`delete from devices where device_id = ${device.deviceId}`
    await round()
    const [left] =
      await store.sql`select count(*)::int as n from ts.port_samples where port_id = any(${device.portIds})`
    expect(left).toEqual({ n: 0 })
  })

  test('going back to the Apache edition is reported with the number of chunks that it cannot read', async () => {
    device = await makeDevice(store, 3)
    await fill(DUE, 10)
    expect((await round()).failures).toEqual([])
    await restart(false)
    expect(schema).toMatchObject({ mode: 'apache', unreadable: DUE.length })
    expect(await sums()).toBeEmpty()
    await restart(true)
    expect(schema).toMatchObject({ mode: 'tsl', unreadable: 0 })
    expect((await sums()).map((row) => row['n'])).toEqual([4, 4, 4])
  })
})
