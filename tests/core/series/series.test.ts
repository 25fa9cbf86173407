import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { kindSeries, portSeries, type SeriesData } from '../../../src/core/series/read.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { batch, makeDevice, type PortSample, portSamples } from '../../support/samples.ts'

setDefaultTimeout(60_000)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.now()
/** Start of an hour two days ago: closed, and within the retention. */
const THEN = Math.floor(NOW / DAY) * DAY - 2 * DAY
const RULE = { intervals: 3, intervalS: 300 }
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }

function values(data: SeriesData, name: string): number[] {
  const found = data.series.find((s) => s.name === name)
  if (found === undefined) throw new Error(`no series ${name} among ${data.series.map((s) => s.name).join()}`)
  return [...found.values]
}

describe.each(testServers())('series on $name', ({ url }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await testDatabase(url)
    store = database.store
  })
  afterAll(() => database.drop())

  /**
   * Writes samples of a port every 300 s from `start` with these octets per second; null: unknown; undefined: not
   * polled.
   */
  async function write(portId: number, start: number, rates: readonly (number | null | undefined)[]): Promise<void> {
    const samples = rates.flatMap((rate, i): PortSample[] =>
      rate === undefined
        ? []
        : [
            {
              portId,
              time: start + (i + 1) * 300_000,
              periodMs: 300_000,
              deltas: rate === null ? {} : { in_octets: rate * 300 },
            },
          ],
    )
    await writeSamples(store, batch({ ports: portSamples(samples) }))
  }
  const read = (portIds: readonly number[], fromMs: number, toMs: number, stepS: number) =>
    portSeries(store, portIds, { fromS: fromMs / 1000, toS: toMs / 1000, stepS }, RULE, ['in_octets', 'in_disc'])
  const onePort = async (): Promise<number> => (await makeDevice(store, 1)).portIds[0] ?? 0

  test('a step below the interval shows each sample over its whole period', async () => {
    const port = await onePort()
    await write(port, THEN, [10, 20])
    const data = await read([port], THEN, THEN + 600_000, 100)
    expect([data.stepS, data.timeS[0]]).toEqual([100, THEN / 1000])
    expect(values(data, 'in_octets')).toEqual([10, 10, 10, 20, 20, 20])
    expect(values(data, 'in_disc')).toEqual(Array(6).fill(Number.NaN))
  })

  test('a pause of polling, and an unknown value, are gaps', async () => {
    const port = await onePort()
    await write(port, THEN, [10, undefined, null, 40])
    expect(values(await read([port], THEN, THEN + 1_200_000, 300), 'in_octets')).toEqual([
      10,
      Number.NaN,
      Number.NaN,
      40,
    ])
  })

  test('a sample that spans a long pause is drawn as a gap', async () => {
    const port = await onePort()
    await write(port, THEN, [10])
    await writeSamples(
      store,
      batch({
        ports: portSamples([
          { portId: port, time: THEN + 3_000_000, periodMs: 2_700_000, deltas: { in_octets: 2700 } },
          { portId: port, time: THEN + 3_300_000, periodMs: 300_000, deltas: { in_octets: 300 } },
        ]),
      }),
    )
    const found = values(await read([port], THEN, THEN + 3_300_000, 300), 'in_octets')
    expect(found).toEqual([10, ...Array(9).fill(Number.NaN), 1])
  })

  test('ports are summed, and one that is unknown for a while does not affect the others', async () => {
    const [a, b] = [await onePort(), await onePort()]
    await write(a, THEN, [10, 10])
    await write(b, THEN, [5, null])
    const data = await read([a, b], THEN, THEN + 600_000, 300)
    expect(values(data, 'in_octets')).toEqual([15, 10])
    expect(data.series.map((s) => s.name)).toEqual(['in_octets', 'in_disc'])
  })

  test('hours and days are rolled up: sums over known time, highest and lowest rate', async () => {
    const port = await onePort()
    await write(port, THEN, [10, 20, null, 60])
    await write(port, THEN + HOUR, [100])
    await maintain(store, KEEP)
    const hourly = await store.sql`
      select extract(epoch from bucket)::float8 * 1000 as ms, n, period_ms, known[1] as known, in_octets, in_octets_min, in_octets_max, in_disc
      from ts.port_1h_stored where port_id = ${port} order by bucket`
    expect(hourly[0]).toEqual({
      ms: THEN,
      n: 4,
      period_ms: 1_200_000,
      known: 900_000,
      in_octets: 27_000,
      in_octets_min: 10,
      in_octets_max: 60,
      in_disc: null,
    })
    const daily = await store.sql`select n, in_octets, in_octets_max from ts.port_1d_stored where port_id = ${port}`
    expect([...daily]).toEqual([{ n: 5, in_octets: 57_000, in_octets_max: 100 }])
    const [rate] = await store.sql`select in_bps from ts.port_rates_1h where port_id = ${port} order by "time" limit 1`
    expect(rate).toEqual({ in_bps: 240 })
  })

  test('a late sample updates the hour and the day already rolled up', async () => {
    const port = await onePort()
    await write(port, THEN, [10, 20])
    await maintain(store, KEEP)
    await write(port, THEN + 600_000, [60])
    await maintain(store, KEEP)
    const hourly = await read([port], THEN, THEN + HOUR, 3600)
    expect(values(hourly, 'in_octets')).toEqual([30])
    expect([...((await read([port], THEN, THEN + DAY, 86_400)).series[0]?.highest ?? [])]).toEqual([60])
  })

  test('the view of a roll-up includes the newest sample', async () => {
    const port = await onePort()
    // in the current hour, or a sample of a completed hour would only show after the next maintenance
    const start = NOW - 300_000
    await write(port, start, [8])
    const data = await read([port], start, NOW, 3600)
    expect(values(data, 'in_octets').filter((v) => !Number.isNaN(v))).toEqual([8])
  })

  test('the daily view includes samples not yet rolled up hourly, with their weight', async () => {
    const port = await onePort()
    const day = Math.floor(NOW / DAY) * DAY
    await write(port, day - HOUR, [10])
    await maintain(store, KEEP)
    await write(port, NOW - 300_000, [20, null, 80])
    const [days] = await store.sql`
      select sum(n)::int as n, sum(in_octets)::int as octets, min(in_octets_min) as lowest, max(in_octets_max) as highest,
        sum(coalesce(known[1], period_ms))::int as known_ms
      from ts.port_1d_all where port_id = ${port} and bucket >= to_timestamp(${(day - 2 * DAY) / 1000})`
    expect(days).toEqual({ n: 4, octets: 33_000, lowest: 10, highest: 80, known_ms: 900_000 })
  })

  test('averages of gauges are weighted by known samples at every level', async () => {
    const { deviceId, sensorId, processorId, mempoolId, storageId } = await makeDevice(store, 0)
    const at = (i: number) => THEN + i * 300_000
    await writeSamples(
      store,
      batch({
        sensors: [20, 30, Number.NaN, 40].map((value, i) => ({ id: sensorId, time: at(i + 1), value })),
        processors: [{ id: processorId, time: at(1), value: 12 }],
        storage: [{ id: storageId, time: at(1), used: 90, free: 10, total: 100, perc: 90 }],
        mempools: [{ id: mempoolId, time: at(1), used: 2 ** 52, free: null, total: 2 ** 53 - 1, perc: 50 }],
        icmp: [
          { deviceId, time: at(1), sent: 3, received: 3, rttAvgMs: 2, rttMinMs: 1, rttMaxMs: 4 },
          { deviceId, time: at(2), sent: 3, received: 0, rttAvgMs: null, rttMinMs: null, rttMaxMs: null },
        ],
      }),
    )
    const window = (stepS: number) => ({ fromS: THEN / 1000, toS: THEN / 1000 + Math.max(1200, stepS), stepS })
    const inlet = await kindSeries(store, 'sensor', { deviceId, class: 'temperature' }, window(300), RULE)
    expect(values(inlet, 'Inlet')).toEqual([20, 30, Number.NaN, 40])
    expect(values(await kindSeries(store, 'icmp', { deviceId }, window(300), RULE), 'loss')).toEqual([
      0,
      100,
      Number.NaN,
      Number.NaN,
    ])
    await maintain(store, KEEP)
    expect(
      values(await kindSeries(store, 'sensor', { deviceId, class: 'temperature' }, window(3600), RULE), 'Inlet'),
    ).toEqual([30])
    expect(
      values(await kindSeries(store, 'sensor', { deviceId, class: 'temperature' }, window(86_400), RULE), 'Inlet'),
    ).toEqual([30])
    expect(values(await kindSeries(store, 'mempool', { deviceId }, window(3600), RULE), 'RAM')).toEqual([50])
    expect(values(await kindSeries(store, 'processor', { deviceId }, window(3600), RULE), 'CPU')).toEqual([12])
    expect(values(await kindSeries(store, 'storage', { deviceId, only: storageId }, window(3600), RULE), '/')).toEqual([
      90,
    ])
    expect((await kindSeries(store, 'storage', { deviceId, only: storageId + 1 }, window(3600), RULE)).series).toEqual(
      [],
    )
    const icmp = await kindSeries(store, 'icmp', { deviceId }, window(3600), RULE)
    expect([values(icmp, 'rtt_avg'), values(icmp, 'rtt_max'), values(icmp, 'loss')]).toEqual([[2], [4], [50]])
  })

  test('retention removes older samples and keeps their roll-up', async () => {
    const port = await onePort()
    const old = Math.floor(NOW / DAY) * DAY - 5 * DAY
    await write(port, old, [10])
    await write(port, THEN, [20])
    await maintain(store, KEEP)
    const report = await maintain(store, { ...KEEP, samplesDays: 3 })
    expect(report.dropped.length).toBeGreaterThan(0)
    const [left] = await store.sql`
      select (select array_agg(in_octets) from ts.port_samples_stored where port_id = ${port}) as raw,
             (select array_agg(in_octets order by bucket) from ts.port_1h_stored where port_id = ${port}) as hourly`
    expect(left).toEqual({ raw: [6000], hourly: [3000, 6000] })
    // A late sample of that time would be less complete than the existing roll-up.
    await write(port, old + 600_000, [99])
    await maintain(store, { ...KEEP, samplesDays: 3 })
    const [kept] =
      await store.sql`select in_octets from ts.port_1h_stored where port_id = ${port} order by bucket limit 1`
    expect(kept).toEqual({ in_octets: 3000 })
    await maintain(store, KEEP)
  })

  test('the retention of a class of kinds overrides the general one', async () => {
    const port = await onePort()
    await write(port, Math.floor(NOW / DAY) * DAY - 5 * DAY, [10])
    await write(port, THEN, [20])
    const classes = { traffic: { ...KEEP, samplesDays: 3 }, health: KEEP, polls: KEEP }
    await maintain(store, { ...KEEP, samplesDays: 1, classes })
    const left = await store.sql`select in_octets from ts.port_samples_stored where port_id = ${port}`
    expect([...left]).toEqual([{ in_octets: 6000 }])
    await maintain(store, KEEP)
  })

  test('samples are deleted with their device', async () => {
    const { deviceId, portIds, sensorId } = await makeDevice(store, 2)
    for (const port of portIds) await write(port, THEN, [10])
    await writeSamples(store, batch({ sensors: [{ id: sensorId, time: THEN, value: 1 }] }))
    await maintain(store, KEEP)
    await store.sql`delete from devices where device_id = ${deviceId}`
    const report = await maintain(store, KEEP)
    expect(report.subjectsRemoved).toBeGreaterThanOrEqual(4)
    const [left] = await store.sql`
      select (select count(*) from ts.port_samples_stored where port_id = any(${portIds})) as raw,
             (select count(*) from ts.port_1h_stored where port_id = any(${portIds})) as hourly,
             (select count(*) from ts.sensor_samples_stored where sensor_id = ${sensorId}) as sensors`
    expect(left).toEqual({ raw: 0, hourly: 0, sensors: 0 })
  })

  test('concurrent rounds of maintenance have the same result as one', async () => {
    const port = await onePort()
    await write(port, THEN, [10, 20])
    await Promise.all([maintain(store, KEEP), maintain(store, KEEP), maintain(store, KEEP)])
    await maintain(store, KEEP)
    const rows = await store.sql`select in_octets from ts.port_1h_stored where port_id = ${port}`
    expect([...rows]).toEqual([{ in_octets: 9000 }])
  })

  test('time_bucket exists, also without the extension', async () => {
    const [row] = await store.sql.begin(async (tx) => {
      await tx`set local search_path = public, ts, ts_shim`
      return tx`select time_bucket('5 min', timestamptz '2026-08-14 12:03:00+00') = '2026-08-14 12:00:00+00' as five,
        time_bucket('1 day', timestamptz '2026-08-14 23:30:00+00', 'Europe/Berlin') = '2026-08-14 22:00:00+00' as day,
        time_bucket('1 month', timestamptz '2026-08-31 23:30:00+00', 'Europe/Berlin') = '2026-08-31 22:00:00+00' as month`
    })
    expect(row).toEqual({ five: true, day: true, month: true })
  })

  test('the role for Grafana sees rates and no secrets', async () => {
    const denied = store.sql.begin(async (tx) => {
      await tx`set local role portlight_reader`
      await tx`select count(*) from ts.port_rates_1h where "time" > now() - interval '1 day'`
      await tx`select community from devices`
    })
    await expect(denied).rejects.toThrow(/permission denied for table devices/)
  })
})
