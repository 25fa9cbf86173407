import { afterAll, expect, test } from 'bun:test'
import { addHistory, type Bounds, noLevels } from '../../../src/core/import/history/levels.ts'
import { prepareTables, writeHistory } from '../../../src/core/import/write-history.ts'
import { kindSeries } from '../../../src/core/series/read.ts'
import { portSeries } from '../../../src/core/series/read-ports.ts'
import { KINDS } from '../../../src/series/kinds.ts'
import { testDatabase } from '../../support/database.ts'

const database = await testDatabase()
afterAll(() => database.drop())

const DAY_S = 86_400
const RULE = { intervals: 3, intervalS: 300 }
const nowS = Math.floor(Date.now() / 1000)
// yesterday's midnight: in the first half hour of a day its last hour is not rolled up yet
const todayS = nowS - (nowS % DAY_S) - DAY_S
const BOUNDS: Bounds = {
  samplesFromS: nowS - 30 * DAY_S,
  hoursFromS: nowS - 400 * DAY_S,
  daysFromS: nowS - 3650 * DAY_S,
  hoursToS: todayS,
  daysToS: todayS,
}

test('a graph of a year includes days that have no hourly rows', async () => {
  const { store } = database
  await store.sql`insert into devices (device_id, hostname) values (1, 'a.example.net')`
  await store.sql`insert into sensors (sensor_id, device_id, sensor_class, sensor_oid, sensor_index, sensor_type) values (5, 1, 'temperature', '.1', '1', 'x')`
  // daily rows until 120 days ago, then rows of two hours
  const ends: number[] = []
  const widths: number[] = []
  for (let end = todayS - 380 * DAY_S; end <= todayS; ) {
    ends.push(end)
    const width = end < todayS - 120 * DAY_S ? DAY_S : 7200
    widths.push(end <= todayS - 120 * DAY_S ? DAY_S : 7200)
    end += width
  }
  const flat = { average: ends.map(() => 1000.25), lowest: ends.map(() => 500), highest: ends.map(() => 2000) }
  for (const name of ['port', 'sensor'] as const) {
    const kind = KINDS[name]
    const levels = noLevels(kind)
    addHistory(
      kind,
      levels,
      { id: 5, rows: ends.length, endS: ends, widthS: widths, columns: kind.columns.map(() => flat) },
      BOUNDS,
    )
    expect(levels.hours.timeMs.length).toBe(120 * 24)
    const packing = await prepareTables(store.sql, name, {
      samples: BOUNDS.samplesFromS,
      '1h': BOUNDS.hoursFromS,
      '1d': nowS - 400 * DAY_S,
    })
    const { samples, hours, days, coarseS } = levels
    await writeHistory(store.sql, 'test', { kind, samples, hours, days, journal: [], coarseS, packing })
  }
  const window = { fromS: todayS - 300 * DAY_S, toS: todayS, stepS: 21_600 }
  const ports = await portSeries(store, [5], window, RULE, ['in_octets'])
  expect(ports.level).toBe('1h')
  const rates = [...(ports.series[0]?.values ?? [])]
  expect(rates.length).toBe(1200)
  for (const rate of rates) expect(Math.abs(rate - 1000.25)).toBeLessThan(0.01)
  expect(new Set(ports.series[0]?.highest)).toEqual(new Set([2000]))
  expect(ports.series[0]?.range?.total).toBeCloseTo(1000.25 * 300 * DAY_S, -3)
  const sensors = await kindSeries(store, 'sensor', { ids: [5] }, window, RULE)
  const values = [...(sensors.series[0]?.values ?? [])]
  expect(values.length).toBe(1200)
  for (const value of values) expect(value).toBeCloseTo(1000.25, 6)
})

test('whole octets of slow counters add up to the counted total', () => {
  const kind = KINDS.port
  const levels = noLevels(kind)
  const count = 2000
  const ends = Array.from({ length: count }, (_, i) => todayS - (count - i) * 300)
  const slow = { average: ends.map(() => 0.003), lowest: ends.map(() => 0.003), highest: ends.map(() => 0.003) }
  addHistory(
    kind,
    levels,
    { id: 1, rows: count, endS: ends, widthS: ends.map(() => 300), columns: kind.columns.map(() => slow) },
    BOUNDS,
  )
  const sum = (rows: readonly number[]) => rows.reduce((all, one) => all + one, 0)
  expect(sum(levels.samples.values[0] ?? [])).toBe(1800)
  expect(sum(levels.hours.values[0] ?? [])).toBe(1800)
  // a row that ends on the hour belongs to the hour before it
  const [first] = levels.hours.timeMs
  expect(first).toBe(Math.ceil((ends[0] as number) / 3600 - 1) * 3_600_000)
  expect(levels.hours.n[1]).toBe(12)
})
