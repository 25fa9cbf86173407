import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { createEngine } from '../../../src/core/alerts/engine.ts'
import { learnForRules } from '../../../src/core/alerts/learned/learning.ts'
import { dropLearned, storeLearned } from '../../../src/core/alerts/learned/write-learned.ts'
import { ruleExtra } from '../../../src/core/alerts/rules/extra.ts'
import { createAlertPreview } from '../../../src/core/alerts/rules/preview.ts'
import { createAlertRuleService } from '../../../src/core/alerts/rules/service.ts'
import { createRuleTrial } from '../../../src/core/alerts/rules/try.ts'
import { type Actor, SYSTEM } from '../../../src/core/base/actor.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { makeDevice } from '../../support/samples.ts'
import { sensorsWith } from '../rules/over/history.ts'

setDefaultTimeout(120_000)
let database: TestDatabase
let store: Store
const settings = createSettings({ flags: { 'alert.tolerance_window': '0' } })
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
})
afterAll(() => database.drop())

const HOURS = 8 * 168

/** Nine weeks of hours of a sensor around a level, with some noise. */
async function past(sensorId: number, level: number): Promise<void> {
  await store.sql`
    select ts.ensure_partitions('ts.sensor_1h', now() - make_interval(hours => h * 600)) from generate_series(0, 3) h`
  await store.sql`
    insert into ts.sensor_1h (bucket, sensor_id, n, value, value_min, value_max)
    select date_trunc('hour', now()) - make_interval(hours => h), ${sensorId}, 12, ${level}::float8 + h % 5, ${level}, ${level}
    from generate_series(1, ${HOURS}::int) h`
}

const unusual = (more: readonly unknown[] = []) => ({
  condition: 'AND',
  rules: [
    {
      field: 'sensors.sensor_current',
      operator: 'not_between',
      value: ['-4', '4'],
      data: { over: { kind: 'unusual' } },
    },
    ...more,
  ],
})

const draft = (name: string, builder: unknown, devices: readonly number[]) => ({
  ...{ name, severity: 'critical' as const, builder: JSON.stringify(builder), ownQuery: null, extra: ruleExtra('') },
  ...{
    disabled: false,
    proc: null,
    notes: null,
    invertMap: false,
    notify: { kind: 'keep' as const },
    stepDurationS: null,
    groups: [],
    locations: [],
  },
  devices: devices.map(String),
})

const every5 = (value: number) => Array.from({ length: 13 }, (_, i) => ({ agoS: 20 + 300 * i, value }))

test('a rule on what is usual learns it, alerts outside of it, and says how often it would have', async () => {
  const { deviceId } = await makeDevice(store, 0)
  const [normal = 0, high = 0, low = 0, young = 0] = await sensorsWith(store, deviceId, [
    every5(42),
    every5(90),
    every5(10),
    every5(90),
  ])
  for (const id of [normal, high, low]) await past(id, 40)
  // a night with another value, three weeks ago
  await store.sql`
    update ts.sensor_1h set value = 95 where sensor_id = ${normal}
      and bucket between date_trunc('hour', now()) - interval '504 hours' and date_trunc('hour', now()) - interval '500 hours'`
  const rules = createAlertRuleService({ store, settings })
  const id = await rules.add(SYSTEM, draft('unusual', unusual(), [deviceId]))
  expect(await learnForRules(store)).toBeGreaterThanOrEqual(5)
  expect(await learnForRules(store)).toBe(0)
  const log = createLog('silent')
  const engine = createEngine({ store, settings, log, notified: () => undefined })
  await engine.round()
  const [alert] = await store.sql<{ state: number; faults: Record<string, unknown> }[]>`
    select state, faults from alerts where rule_id = ${id} and device_id = ${deviceId}`
  expect(alert?.state).toBe(1)
  expect(
    Object.keys(alert?.faults ?? {})
      .map(Number)
      .toSorted((a, b) => a - b),
  ).toEqual([high, low])
  const [preview] = await createAlertPreview({ store, settings }).rules(id, String(deviceId))
  expect(preview?.devices[0]?.faults).toBe(2)
  expect(preview?.tookMs).toBeGreaterThan(0)
  expect(preview?.devices[0]?.why[0]).toContain('is 90 °C on average in the last hour, where 42 °C is usual')
  await engine.stop()

  const tried = { builder: JSON.stringify(unusual()), invert: false, invertMap: false, groups: [], locations: [] }
  const trial = createRuleTrial({ store, settings })
  const found = await trial.run(SYSTEM, { ...tried, devices: [String(deviceId)] })
  if (found.kind === 'broken') throw new Error(found.why)
  // the sensor of the device itself has no past either
  expect(found.past).toEqual({ things: 5, known: 3, isPart: false, times: 1, on: 1, hours: 5 })
  expect(young).toBeGreaterThan(0)
  const narrow = unusual([{ field: 'sensors.sensor_id', operator: 'equal', value: String(low) }])
  const one = await trial.run(SYSTEM, { ...tried, builder: JSON.stringify(narrow), devices: [String(deviceId)] })
  expect(one).toMatchObject({ past: { things: 1, known: 1, times: 0, on: 0, hours: 0 } })
})

test('the past of a rule is told only of what the user may see', async () => {
  const { deviceId } = await makeDevice(store, 0)
  const other = await makeDevice(store, 0)
  const [mine = 0] = await sensorsWith(store, deviceId, [every5(42)])
  const [theirs = 0] = await sensorsWith(store, other.deviceId, [every5(42)])
  await past(mine, 40)
  await past(theirs, 40)
  const [user] = await store.sql<{ id: number }[]>`
    insert into users (username, password) values ('past', '') returning user_id as id`
  await store.sql`insert into devices_perms (user_id, device_id) values (${user?.id ?? 0}, ${deviceId})`
  const permissions = new Set(['sensor.viewany', 'alertrule.create'])
  const actor: Actor = { ...SYSTEM, userId: user?.id ?? 0, username: 'past', roles: new Set(['user']), permissions }
  const tried = {
    builder: JSON.stringify(unusual()),
    invert: false,
    invertMap: false,
    devices: [],
    groups: [],
    locations: [],
  }
  const found = await createRuleTrial({ store, settings }).run(actor, tried)
  expect(found).toMatchObject({ past: { things: 2, known: 1 } })
})

test('a forecast is where the value gets as it has been changing, and unknown of what is new', async () => {
  const { deviceId, storageId } = await makeDevice(store, 0)
  const fast = storageId
  const made = await store.sql<{ id: number }[]>`
    insert into storage (device_id, type, storage_index, storage_descr, storage_perc)
    select ${deviceId}, 'test', i::text, 'disk ' || i, 80 from generate_series(2, 4) i returning storage_id as id`
  const [slow = 0, falling = 0, fresh = 0] = made.map(({ id }) => id)
  await store.sql`update storage set storage_perc = 80 where storage_id = ${fast}`
  await store.sql`select ts.ensure_partitions('ts.storage_1d', now())`
  for (const [id, perDay] of [
    [fast, 3],
    [slow, 1],
    [falling, -2],
  ] as const)
    await store.sql`
      insert into ts.storage_1d (bucket, storage_id, n, used, free, total, perc)
      select date_trunc('day', now(), 'UTC') - make_interval(days => d), ${id}, 288, 1, 1, 2, ${80}::int - ${perDay}::int * d
      from generate_series(1, 10) d`
  const rule = {
    condition: 'AND',
    rules: [
      {
        field: 'storage.storage_perc',
        operator: 'greater_or_equal',
        value: '95',
        data: { over: { kind: 'forecast', of: '7d' } },
      },
    ],
  }
  const rules = createAlertRuleService({ store, settings })
  const id = await rules.add(SYSTEM, draft('full', rule, [deviceId]))
  await learnForRules(store)
  const previews = createAlertPreview({ store, settings })
  const faults = async () => {
    const all = await previews.rules(id, String(deviceId))
    return all[0]?.devices[0]?.why ?? []
  }
  expect(await faults()).toHaveLength(1)
  expect((await faults())[0]).toContain('is forecast to be 101 % in 7 days (limit 95 %)')
  // what is full already stays so, even if it is being cleared
  await store.sql`update storage set storage_perc = 96 where storage_id = ${falling}`
  expect(await faults()).toHaveLength(2)
  expect([slow, fresh].every((one) => one > 0)).toBe(true)
})

test('things that are gone, and what no rule asks for, are forgotten', async () => {
  const { deviceId, sensorId } = await makeDevice(store, 0)
  const learns = { what: 'trend', kind: 'sensor', line: 'value', table: 'sensors', id: 'sensor_id' } as const
  const count = async () => (await store.sql`select from learned_values where device_id = ${deviceId}`).length
  await storeLearned(store, learns, [{ id: sensorId, device_id: deviceId, what: 'trend', perDay: 1 }])
  await storeLearned(store, learns, [{ id: 99, device_id: 999_999, what: 'trend', perDay: 1 }])
  expect(await count()).toBe(1)
  await dropLearned(store)
  expect(await count()).toBe(1)
  await store.sql`update learned_values set trend_at = now() - interval '9 days' where device_id = ${deviceId}`
  await dropLearned(store)
  expect(await count()).toBe(0)
  const huge = { usual: [1e300, null, 5, ...Array(165).fill(0)], spread: [1, null, 1e-60, ...Array(165).fill(1)] }
  await storeLearned(store, { ...learns, what: 'usual' }, [
    { id: sensorId, device_id: deviceId, what: 'usual', learned: huge },
  ])
  const [row] = await store.sql<{ usual: string; spread: string }[]>`
    select usual[1:3]::text as usual, spread[1:3]::text as spread from learned_values where device_id = ${deviceId}`
  expect(row).toEqual({ usual: '{NULL,NULL,5}', spread: '{1,NULL,NULL}' })
  await store.sql`delete from devices where device_id = ${deviceId}`
  expect(await count()).toBe(0)
})
