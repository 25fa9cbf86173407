import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings, type SettingsHolder } from '../../../src/config/settings.ts'
import { createEngine, type Engine } from '../../../src/core/alerts/engine.ts'
import { listAvailability } from '../../../src/core/availability/read.ts'
import { updateAvailability } from '../../../src/core/availability/write.ts'
import { createWatch } from '../../../src/core/dependencies/watch.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// core (1) with leaves (2, 3), and a leaf (4) behind leaf 3

setDefaultTimeout(120_000)

let database: TestDatabase
let settings: SettingsHolder
let engine: Engine
let now: number
let asked: number[]

const WAIT_MS = 30_000

beforeEach(async () => {
  database = await testDatabase()
  settings = createSettings({ flags: { 'alert.tolerance_window': '0', 'dependencies.wait': '30' } })
  now = Math.floor(Date.now() / 1000) * 1000
  asked = []
  engine = createEngine({
    store: database.store,
    settings,
    log: createLog('silent'),
    now: () => now,
    notified: () => undefined,
  })
  const { sql } = database.store
  await sql`
    insert into devices (device_id, hostname, status, last_polled) select n, name, 1, to_timestamp(${now / 1000 - 60})
    from (values (1, 'core'), (2, 'leaf-2'), (3, 'leaf-3'), (4, 'leaf-4')) as x(n, name)`
  await sql`
    insert into device_relationships (child_device_id, parent_device_id, computed) values (2, 1, 1), (3, 1, 1), (4, 3, 1)`
  await sql`insert into alert_transports (transport_id, transport_name, transport_type, is_default, transport_config)
    values (1, 'first', 'webhook', 1, '{"url": "http://127.0.0.1:9/"}')`
  await sql`
    insert into alert_rules (severity, extra, name, query, builder) values ('critical', '{}', 'Device down', '',
      '{"condition": "AND", "rules": [{"field": "macros.device_down", "operator": "equal", "value": "1"}]}')`
}, 60_000)
afterEach(async () => {
  await engine?.stop()
  await database?.drop()
}, 60_000)

async function down(...ids: number[]): Promise<void> {
  for (const id of ids) {
    await database.store.sql`update devices set status = 0, status_reason = 'icmp' where device_id = ${id}`
    await database.store.sql`insert into device_outages (device_id, going_down) values (${id}, ${now / 1000})`
  }
}

async function up(...ids: number[]): Promise<void> {
  for (const id of ids) {
    await database.store
      .sql`update devices set status = 1, status_reason = '', last_polled = to_timestamp(${now / 1000}) where device_id = ${id}`
    await database.store
      .sql`update device_outages set up_again = ${now / 1000} where device_id = ${id} and up_again is null`
  }
}

async function look(): Promise<void> {
  const { store } = database
  const ask = (ids: readonly number[]) => void asked.push(...ids)
  await createWatch({ store, settings, ask, maintenance: () => Promise.resolve(new Map()), now: () => now }).look()
}

/** Titles of notifications, oldest first. */
async function sent(): Promise<string[]> {
  const rows = await database.store.sql<{ title: string }[]>`
    select context ->> 'title' as title from alert_outbox order by id`
  return rows.map(({ title }) => title)
}

/** Why the notification of each open alert is held. */
async function held(): Promise<Record<number, string | null>> {
  const rows = await database.store.sql<{ id: number; held: string | null }[]>`
    select device_id as id, held from alerts where state <> 0 order by 1`
  return Object.fromEntries(rows.map(({ id, held: why }) => [id, why]))
}

async function unreachable(): Promise<Record<number, number | null>> {
  const rows = await database.store.sql<{ id: number; cause: number | null }[]>`
    select device_id as id, cause_device_id as cause from device_unreachable where up_again is null order by 1`
  return Object.fromEntries(rows.map(({ id, cause }) => [id, cause]))
}

const later = async (ms: number): Promise<void> => {
  now += ms
  await engine.round()
}

describe('a device and what is behind it', () => {
  test('one alert, which says how many are behind the device', async () => {
    await down(1)
    await engine.round()
    expect(await sent()).toEqual(['Alert: core is down, 3 behind it'])
    now += 10_000
    await down(2, 3, 4)
    await engine.round()
    await look()
    expect(await held()).toEqual({ 1: null, 2: 'parents', 3: 'parents', 4: 'parents' })
    expect(await unreachable()).toEqual({ 2: 1, 3: 1, 4: 1 })
    await later(3_600_000)
    expect(await sent()).toHaveLength(1)
    const [event] = await database.store.sql`select message, device_id from eventlog where type = 'dependency'`
    expect(event).toEqual({ message: 'Device is down: 3 devices behind it are unreachable', device_id: 1 })
  })

  test('a child that is seen down first waits for the answer of its parent, which is asked', async () => {
    await down(4)
    await engine.round()
    expect(await held()).toEqual({ 4: 'asking' })
    await look()
    expect(asked.toSorted((a, b) => a - b)).toEqual([3, 4])
    now += 5000
    await down(1)
    await engine.round()
    expect(await sent()).toEqual(['Alert: core is down, 3 behind it'])
    expect(await held()).toEqual({ 1: null, 4: 'parents' })
  })

  test('the parent answers: the alert of the child is sent at once', async () => {
    await down(4)
    await engine.round()
    now += 3000
    await up(3)
    await engine.round()
    expect(await sent()).toEqual(['Alert: leaf-4 is down'])
  })

  test('nobody answers: it waits no longer than dependencies.wait', async () => {
    await down(4)
    await later(WAIT_MS - 1000)
    expect(await sent()).toEqual([])
    await later(1000)
    expect(await sent()).toEqual(['Alert: leaf-4 is down'])
  })

  test('the parent is back and the child is not: then the alert of the child is sent', async () => {
    await down(1)
    now += 1000
    await down(2, 3, 4)
    await later(60_000)
    await look()
    await up(1)
    await engine.round()
    await look()
    expect(await unreachable()).toEqual({ 4: 3 })
    expect(asked).toEqual(expect.arrayContaining([2, 3]))
    now += 5000
    await up(3)
    now += 5000
    await up(4)
    await later(WAIT_MS)
    await later(60_000)
    expect(await sent()).toEqual([
      'Alert: core is down, 3 behind it',
      'Recovered: core was down',
      'Alert: leaf-2 is down',
    ])
    await look()
    expect(await unreachable()).toEqual({})
  })

  test('a child that answers although its parent is down has another way, and is not held', async () => {
    await down(1)
    now += 60_000
    await up(2)
    now += 60_000
    await down(2)
    await later(WAIT_MS)
    expect(await sent()).toContain('Alert: leaf-2 is down')
  })

  test.each([
    ['disabled', 'disabled = 1'],
    ['ignored', 'ignore = 1'],
    ['without alerts', 'disable_notify = 1'],
  ])('a parent that is %s silences nobody', async (_, set) => {
    await database.store.sql.unsafe(`update devices set ${set} where device_id = 1`)
    await down(1)
    now += 1000
    await down(2, 3, 4)
    await later(WAIT_MS)
    await later(WAIT_MS)
    // leaf 4 is behind leaf 3, for which an alert is sent
    expect((await sent()).toSorted()).toEqual(
      expect.arrayContaining(['Alert: leaf-2 is down', 'Alert: leaf-3 is down, 1 behind it']),
    )
  })

  test('a device for which no rule is silences nobody: somebody is told', async () => {
    const { sql } = database.store
    await sql`insert into alert_device_map (rule_id, device_id) select id, d from alert_rules, unnest(array[2, 3, 4]) d`
    await engine.stop()
    engine = createEngine({
      ...{ store: database.store, settings, log: createLog('silent'), now: () => now, notified: () => undefined },
    })
    await down(1)
    now += 1000
    await down(2, 3, 4)
    await later(WAIT_MS)
    expect(await sent()).toEqual([])
    await later(600_000)
    await later(20_000)
    expect((await sent()).toSorted()).toEqual(['Alert: leaf-2 is down', 'Alert: leaf-3 is down, 1 behind it'])
  })

  test.each([
    ['deleted', 'delete from devices where device_id = 1'],
    ['no longer its parent', 'delete from device_relationships where parent_device_id = 1'],
  ])('a parent that is %s while it is down silences nobody any more', async (_, change) => {
    await down(1)
    now += 1000
    await down(2, 3, 4)
    await later(WAIT_MS)
    await look()
    expect(await unreachable()).toEqual({ 2: 1, 3: 1, 4: 1 })
    await database.store.sql.unsafe(change)
    await later(WAIT_MS)
    await look()
    await later(WAIT_MS)
    expect(await sent()).toEqual(
      expect.arrayContaining(['Alert: leaf-2 is down', 'Alert: leaf-3 is down, 1 behind it']),
    )
    expect(await unreachable()).toEqual({ 4: 3 })
  })

  test('an outage that a wrong clock stored in the future silences nobody', async () => {
    now += 3_600_000
    await down(1)
    await engine.round()
    // the clock is right again; leaf 2 is polled, and goes down later by itself
    now -= 3_600_000
    await up(2)
    now += 60_000
    await look()
    expect(await unreachable()).toEqual({})
    await down(2)
    await later(WAIT_MS)
    await later(WAIT_MS)
    expect(await sent()).toContain('Alert: leaf-2 is down')
  })

  test('parents set by hand in a circle silence nobody', async () => {
    const { sql } = database.store
    await sql`delete from device_relationships`
    await sql`insert into device_relationships (child_device_id, parent_device_id) values (1, 2), (2, 1)`
    await down(1, 2)
    await later(WAIT_MS)
    expect((await sent()).toSorted()).toEqual(['Alert: core is down', 'Alert: leaf-2 is down'])
  })
})

test('times in which a device was unreachable are left out of its availability by setting', async () => {
  const { store } = database
  const DAY = 86_400
  const nowS = Math.floor(Date.now() / 1000)
  await store.sql`update devices set inserted = to_timestamp(${nowS - 10 * DAY})`
  // down for six hours, of which three were unreachable, and an hour more within the day
  await store.sql`
    insert into device_outages (device_id, going_down, up_again) values (2, ${nowS - 20 * 3600}, ${nowS - 14 * 3600}),
      (2, ${nowS - 3 * 3600}, ${nowS - 2 * 3600})`
  await store.sql`
    insert into device_unreachable (device_id, going_down, up_again) values (2, ${nowS - 20 * 3600}, ${nowS - 17 * 3600})`
  const percent = async (withoutUnreachable: boolean): Promise<number> => {
    await updateAvailability(store, [DAY], { withoutUnreachable })
    return Number((await listAvailability(store, 2))[0]?.availability_perc)
  }
  expect(await percent(false)).toBeCloseTo((17 / 24) * 100, 1)
  expect(await percent(true)).toBeCloseTo((17 / 21) * 100, 1)
})
