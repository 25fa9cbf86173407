import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import type { Store } from '../../../../src/core/database/client.ts'
import { type CompiledRule, compile } from '../../../../src/core/rules/compile.ts'
import { MEASURED_FIELDS } from '../../../../src/core/rules/over/measures.ts'
import { brokenRule, ruleFaults } from '../../../../src/core/rules/read-matches.ts'
import { writeSamples as write } from '../../../../src/core/series/write.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { batch, makeDevice, portSamples } from '../../../support/samples.ts'
import { type Reading, sensorsWith } from './history.ts'

setDefaultTimeout(120_000)
let database: TestDatabase
let store: Store
let deviceId = 0
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
  deviceId = (await makeDevice(store, 0)).deviceId
})
afterAll(() => database.drop())

const over = (field: string, operator: string, value: unknown, of: unknown) => ({
  condition: 'AND',
  rules: [{ field, operator, value, data: { over: of } }],
})

/** The things that a rule finds, by its statements for all devices and for some, which must agree. */
async function found(rule: CompiledRule): Promise<{ ids: Set<number>; faults: Map<number, Record<string, unknown>> }> {
  const [whole, each] = await Promise.all([
    ruleFaults(store, rule, null, { rows: 100_000 }),
    ruleFaults(store, rule, [deviceId], { rows: 100_000 }),
  ])
  if (whole.kind === 'broken') throw new Error(whole.message)
  if (each.kind === 'broken') throw new Error(each.message)
  const byId = (rows: typeof whole.rows) =>
    new Map(
      rows.map(({ key, fault }) => [Number(key['sensor_id'] ?? key['port_id']), fault as Record<string, unknown>]),
    )
  const [a, b] = [byId(whole.rows), byId(each.rows)]
  expect([...a.keys()].toSorted()).toEqual([...b.keys()].toSorted())
  return { ids: new Set(a.keys()), faults: b }
}

/** Values every 5 minutes, the newest first; null: unknown. */
const every5 = (...values: (number | null)[]): Reading[] => values.map((value, i) => ({ agoS: 20 + 300 * i, value }))

describe('held: for 10 of the last 15 minutes', () => {
  test.each<[string, Reading[], boolean]>([
    ['all three', every5(90, 90, 90, 10), true],
    ['two of three', every5(90, 10, 90, 90), true],
    ['the two older', every5(10, 90, 90, 90), true],
    ['one of three', every5(90, 10, 10, 90), false],
    ['one, and no value before', every5(90), false],
    ['two, and one unknown between', every5(90, null, 90, 90), true],
    ['one, the others unknown', every5(90, null, null, 90), false],
    ['nothing for half an hour', every5(90, 90, 90, 90).map((one) => ({ ...one, agoS: one.agoS + 1800 })), false],
    ['every minute, nine of fifteen', minutes((i) => i < 9), false],
    ['every minute, ten of fifteen', minutes((i) => i >= 2 && i < 12), true],
    ['no value at all', [], false],
  ])('%s', async (_, history, want) => {
    const [id = 0] = await sensorsWith(store, deviceId, [history])
    const held = { kind: 'held', for: '10m', of: '15m' }
    const { ids } = await found(compile(over('sensors.sensor_current', 'greater', '80', held)))
    expect(ids.has(id)).toBe(want)
  })

  test('compares with fields of the same thing and of its device', async () => {
    const [warm = 0, hot = 0] = await sensorsWith(store, deviceId, [every5(50, 50, 50, 50), every5(70, 70, 70, 70)])
    await store.sql`update sensors set sensor_limit = 60 where sensor_id in (${warm}, ${hot})`
    const rule = over('sensors.sensor_current', 'greater', '`sensors.sensor_limit`', {
      kind: 'held',
      for: 600,
      of: 900,
    })
    const { ids } = await found(compile(rule))
    expect([ids.has(warm), ids.has(hot)]).toEqual([false, true])
    const other = over('sensors.sensor_current', 'greater', '`ports.ifSpeed`', { kind: 'held', for: 600, of: 900 })
    expect(() => compile(other)).toThrow('only with fields of sensors and devices')
  })
})

function minutes(isHot: (i: number) => boolean): Reading[] {
  return Array.from({ length: 30 }, (_, i) => ({ agoS: 20 + 60 * i, value: isHot(i) ? 90 : 10 }))
}

/** Seconds for which each value of the last `ofS` counts, as the statement defines it. */
function coverage(history: readonly Reading[], ofS: number): (Reading & { covers: number })[] {
  const sorted = history.toSorted((a, b) => b.agoS - a.agoS).filter(({ agoS }) => agoS < ofS + 2400)
  const newest = sorted.findLast(({ value }) => value !== null)?.agoS
  if (newest === undefined || newest >= 1200) return []
  return sorted.flatMap((one, i) => {
    if (one.agoS >= newest + ofS) return []
    const before = sorted[i - 1]?.agoS
    const since = before === undefined ? one.agoS : Math.min(before, one.agoS + 1200, newest + ofS)
    return [{ ...one, covers: since - one.agoS }]
  })
}

test('held and averages are what a model says, for random histories', async () => {
  const history = fc
    .uniqueArray(
      fc.record({ agoS: fc.integer({ min: 10, max: 5000 }), value: fc.option(fc.integer({ min: 0, max: 100 })) }),
      {
        selector: ({ agoS }) => agoS,
        maxLength: 25,
      },
    )
    .filter((rows) => rows.every(({ agoS }) => Math.abs(agoS - 1200) > 60))
  const histories = fc.sample(history, 300)
  const ids = await sensorsWith(store, deviceId, histories)
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
  const ofS = 1800
  const covered = histories.map((one) => coverage(one, ofS))
  const known = covered.map((rows) => rows.filter(({ value }) => value !== null))
  const near = (a: number, b: number) => Math.abs(a - b) < 30
  const held = await found(
    compile(over('sensors.sensor_current', 'greater', 50, { kind: 'held', for: '20m', of: '30m' })),
  )
  const average = await found(compile(over('sensors.sensor_current', 'less', 50, { kind: 'average', of: '30m' })))
  const highest = await found(compile(over('sensors.sensor_current', 'less', 50, { kind: 'highest', of: '30m' })))
  const counts = { held: 0, average: 0, highest: 0 }
  for (const [i, id] of ids.entries()) {
    const rows = known[i] ?? []
    const hot = sum(rows.filter(({ value }) => Number(value) > 50).map(({ covers }) => covers))
    const seen = sum(rows.map(({ covers }) => covers))
    // the statement runs some time after the rows were written
    if (near(hot, 1140) || near(seen, 900)) continue
    const values = rows.map(({ value }) => Number(value))
    const want = {
      held: hot >= 1140,
      average: seen >= 900 && sum(values) / values.length < 50,
      highest: seen >= 900 && Math.max(...values) < 50,
    }
    const edge = (covered[i] ?? []).some(({ covers, agoS }) => covers < 30 && agoS > ofS - 60)
    if (!edge) {
      expect([i, held.ids.has(id)]).toEqual([i, want.held])
      expect([i, average.ids.has(id)]).toEqual([i, want.average])
      expect([i, highest.ids.has(id)]).toEqual([i, want.highest])
    }
    for (const name of ['held', 'average', 'highest'] as const) if (want[name]) counts[name]++
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(3)
})

test('no data: no value was read for half an hour', async () => {
  const histories = [every5(1, 2), every5(null, null, null, null, null, null, null, 3), [], [{ agoS: 1900, value: 1 }]]
  const [read = 0, unknown = 0, never = 0, before = 0] = await sensorsWith(store, deviceId, histories)
  const rule = compile(over('sensors.sensor_current', 'is_null', null, { kind: 'no_data', of: '30m' }))
  const { ids } = await found(rule)
  expect([read, unknown, never, before].map((id) => ids.has(id))).toEqual([false, true, true, true])
  expect(rule.reads.has('time')).toBe(true)
})

test('change: within an hour, and unknown without a value then', async () => {
  const hour = (now: number, then: number | null) => [
    { agoS: 20, value: now },
    { agoS: 3700, value: then },
  ]
  const histories = [hour(60, 40), hour(60, 55), hour(60, null), [{ agoS: 20, value: 60 }], hour(30, 60)]
  const ids = await sensorsWith(store, deviceId, histories)
  const rises = await found(compile(over('sensors.sensor_current', 'greater', 10, { kind: 'change', of: '1h' })))
  const falls = await found(compile(over('sensors.sensor_current', 'less', '-10', { kind: 'change', of: '1h' })))
  expect(ids.map((id) => rises.ids.has(id))).toEqual([true, false, false, false, false])
  expect(ids.map((id) => falls.ids.has(id))).toEqual([false, false, false, false, true])
  expect(rises.faults.get(ids[0] ?? 0)).toMatchObject({ sensor_current_before: 40 })
  expect(rises.faults.get(ids[0] ?? 0)).not.toHaveProperty('over_id')
})

test('the average use of a port is in percent of its speed', async () => {
  const { portIds, deviceId: other } = await makeDevice(store, 2)
  const [busy = 0, idle = 0] = portIds
  await store.sql`update ports set "ifSpeed" = 1000000 where device_id = ${other}`
  const at = (i: number) => Date.now() - 20_000 - 300_000 * i
  const sample = (portId: number, i: number, octets: number) => ({
    portId,
    time: at(i),
    periodMs: 300_000,
    deltas: { in_octets: octets, out_octets: 0 },
  })
  const rows = [0, 1, 2, 3].flatMap((i) => [sample(busy, i, 30_000_000), sample(idle, i, 3_000_000)])
  await write(store, batch({ ports: portSamples(rows) }))
  const rule = compile(over('macros.port_usage_perc', 'greater', '50', { kind: 'average', of: '15m' }))
  for (const devices of [null, [other]]) {
    const result = await ruleFaults(store, rule, devices)
    const rows = result.kind === 'rows' ? result.rows : []
    expect(rows.map(({ key }) => key['port_id'])).toEqual([busy])
    expect(Number(rows[0]?.fault['port_usage_perc_average'])).toBeCloseTo(80)
  }
})

test('every field with a history can be used in every way', async () => {
  for (const field of MEASURED_FIELDS) {
    for (const [operator, value, of] of [
      ['greater', 1, { kind: 'held', for: '10m', of: '15m' }],
      ['greater', 1, { kind: 'average', of: '1h' }],
      ['less', 1, { kind: 'lowest', of: '2d' }],
      ['between', [1, 2], { kind: 'highest', of: '7h' }],
      ['greater', 1, { kind: 'change', of: '1d' }],
      ['greater', 1, { kind: 'change', of: '1h' }],
      ['is_null', null, { kind: 'no_data', of: '30m' }],
      ['not_between', [-3, 3], { kind: 'unusual' }],
      ['greater', 95, { kind: 'forecast', of: '7d' }],
    ] as const) {
      const rule = compile(over(field, operator, value, of))
      expect([field, of.kind, await brokenRule(store, rule)]).toEqual([field, of.kind, null])
      const some = await ruleFaults(store, rule, [1])
      expect([field, of.kind, some.kind]).toEqual([field, of.kind, 'rows'])
    }
  }
})
