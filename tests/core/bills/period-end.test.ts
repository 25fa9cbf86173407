import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { createSettings } from '../../../src/config/settings.ts'
import { learnForRules } from '../../../src/core/alerts/learned/learning.ts'
import { ruleExtra } from '../../../src/core/alerts/rules/extra.ts'
import { createAlertPreview } from '../../../src/core/alerts/rules/preview.ts'
import { createAlertRuleService } from '../../../src/core/alerts/rules/service.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { type BilledBucket, rate95AtEnd, totalAtEnd } from '../../../src/core/bills/period-end.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { makeDevice } from '../../support/samples.ts'

setDefaultTimeout(60_000)

/** Buckets of so many bits per second, in and out. */
const buckets = (...rates: (readonly [inBits: number, outBits: number])[]): BilledBucket[] =>
  rates.map(([inBits, outBits]) => ({ seconds: 300, in: (inBits * 300) / 8, out: (outBits * 300) / 8 }))
const times = (count: number, rate: readonly [number, number]) => buckets(...Array.from({ length: count }, () => rate))

describe('the 95th percentile at the end of the period', () => {
  test('is that of what there is when nothing is left', () => {
    const soFar = buckets(...Array.from({ length: 100 }, (_, i) => [i + 1, 0] as const))
    expect(rate95AtEnd({ soFar, lastWeek: [], leftS: 0, direction: 'in' })).toBe(94)
  })

  test('rises with a busy week long before the figure so far does', () => {
    const soFar = [...times(4000, [10, 10]), ...times(150, [90, 10])]
    const lastWeek = [...times(1800, [10, 10]), ...times(200, [90, 10])]
    expect(rate95AtEnd({ soFar, lastWeek: [], leftS: 0, direction: 'in' })).toBe(10)
    expect(rate95AtEnd({ soFar, lastWeek, leftS: 4490 * 300, direction: 'in' })).toBe(90)
    expect(rate95AtEnd({ soFar, lastWeek: times(2000, [10, 10]), leftS: 4490 * 300, direction: 'in' })).toBe(10)
  })

  test('is of the greater direction, or of both together', () => {
    const soFar = times(100, [10, 30])
    expect(rate95AtEnd({ soFar, lastWeek: soFar, leftS: 3000, direction: 'in' })).toBe(30)
    expect(rate95AtEnd({ soFar, lastWeek: soFar, leftS: 3000, direction: 'agg' })).toBe(40)
  })

  test('is unknown while nothing is known of a week', () => {
    expect(rate95AtEnd({ soFar: times(5, [1, 1]), lastWeek: [], leftS: 600, direction: 'in' })).toBeNull()
    expect(rate95AtEnd({ soFar: [], lastWeek: [], leftS: 0, direction: 'in' })).toBeNull()
    expect(totalAtEnd({ soFar: times(5, [1, 1]), lastWeek: [], leftS: 600, direction: 'in' })).toBeNull()
  })

  test('is one of the rates, and does not fall when all rates rise', () => {
    const rates = fc.array(fc.tuple(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 1e6 })), {
      minLength: 1,
      maxLength: 60,
    })
    fc.assert(
      fc.property(rates, rates, fc.integer({ min: 0, max: 1e6 }), (past, week, leftS) => {
        const of = (more: number) => {
          const raised = (list: readonly (readonly [number, number])[]) =>
            buckets(...list.map(([a, b]) => [a + more, b + more] as const))
          return Number(rate95AtEnd({ soFar: raised(past), lastWeek: raised(week), leftS, direction: 'in' }))
        }
        const all = [...past, ...week].flat()
        expect(all.some((rate) => Math.abs(rate - of(0)) < 1e-6)).toBe(true)
        expect(of(10)).toBeCloseTo(of(0) + 10, 3)
      }),
    )
  })
})

test('the total at the end is that so far and the last week’s average for the rest', () => {
  const soFar = times(10, [8, 0])
  expect(totalAtEnd({ soFar, lastWeek: times(5, [16, 0]), leftS: 600, direction: 'in' })).toBeCloseTo(
    10 * 300 + 2 * 600,
  )
  expect(totalAtEnd({ soFar, lastWeek: [], leftS: 0, direction: 'in' })).toBe(3000)
})

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
})
afterAll(() => database.drop())

test('a rule tells of a committed rate that will be exceeded before it is', async () => {
  const { deviceId, portIds } = await makeDevice(store, 2)
  const bill = async (name: string, mbps: number) => {
    const [row] = await store.sql<{ id: number }[]>`
      insert into bills (bill_name, bill_type, bill_cdr, bill_day, dir_95th, bill_custid, bill_ref, bill_notes, rate_95th)
      values (${name}, 'cdr', 50000000, 1, 'in', '', '', '', 10000000) returning bill_id as id`
    const id = row?.id ?? 0
    for (const port of portIds) await store.sql`insert into bill_ports (bill_id, port_id) values (${id}, ${port})`
    await store.sql`
      insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta, unknown_s)
      select ${id}, date_bin('300 s', now(), 'epoch') - make_interval(secs => 300 * i), 300, 1, ${(mbps * 1e6 * 300) / 8}::bigint, 0, 0
      from generate_series(1, 2000) i`
    return id
  }
  await bill('over', 80)
  await bill('under', 20)
  const condition = {
    ...{ field: 'bills.rate_95th', operator: 'greater', value: '`bills.bill_cdr`' },
    data: { over: { kind: 'period_end' } },
  }
  const settings = createSettings({})
  const id = await createAlertRuleService({ store, settings }).add(SYSTEM, {
    ...{ name: 'commit', severity: 'warning', builder: JSON.stringify({ condition: 'AND', rules: [condition] }) },
    ...{ ownQuery: null, extra: ruleExtra(''), disabled: false, proc: null, notes: null, invertMap: false },
    ...{
      notify: { kind: 'keep' as const },
      stepDurationS: null,
      devices: [String(deviceId)],
      groups: [],
      locations: [],
    },
  })
  const faults = async () => {
    const [preview] = await createAlertPreview({ store, settings }).rules(id, String(deviceId))
    return preview?.devices[0]?.why ?? []
  }
  expect(await faults()).toEqual([])
  await learnForRules(store)
  const why = await faults()
  expect(why.length).toBeGreaterThan(0)
  for (const one of why) expect(one).toContain('bill over of Gi0/')
  expect(why[0]).toContain('is forecast to be 80 Mbit/s at the end of the period (limit 50 Mbit/s)')
})
