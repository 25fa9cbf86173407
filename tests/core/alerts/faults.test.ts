import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import m0104 from '../../../db/migrations/0104_faults.sql' with { type: 'text' }
import { createSettings } from '../../../src/config/settings.ts'
import { createEngine, type Engine } from '../../../src/core/alerts/engine.ts'
import type { Fault } from '../../../src/core/alerts/faults/fault.ts'
import { createFaultService, type FaultService } from '../../../src/core/alerts/faults/service.ts'
import { dropOldFaults } from '../../../src/core/alerts/faults/write-people.ts'
import { createAlertService } from '../../../src/core/alerts/service.ts'
import { type Actor, SYSTEM } from '../../../src/core/base/actor.ts'
import { insertSchedule } from '../../../src/core/maintenance/write.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(120_000)
const MINUTE_MS = 60_000
const NOBODY: Actor = { ...SYSTEM, userId: 77, username: 'nobody', roles: new Set(['user']) }

let database: TestDatabase
let engine: Engine
let faults: FaultService
let now: number

beforeEach(async () => {
  database = await testDatabase()
  const settings = createSettings({ flags: { 'alert.tolerance_window': '0', 'alert.flap_count': '3' } })
  now = Math.floor(Date.now() / 1000) * 1000
  const { store } = database
  engine = createEngine({ store, settings, log: createLog('silent'), now: () => now, notified: () => undefined })
  faults = createFaultService({ store, now: () => new Date(now) })
  await store.sql`insert into devices (device_id, hostname, status, community) values (1, 'sw1', 1, 'secret')`
  await store.sql`insert into ports (port_id, device_id, "ifIndex", "ifName", "ifAlias", "ifOperStatus", "ifAdminStatus")
    select p, 1, p, 'Gi' || p, 'desk ' || p, 'up', 'up' from generate_series(1, 4) p`
  await store.sql`insert into alert_transports (transport_name, transport_type, is_default) values ('sink', 'webhook', 1)`
}, 60_000)
afterEach(async () => {
  await engine?.stop()
  await database?.drop()
}, 60_000)

async function addRule(extra: object = {}): Promise<void> {
  const builder = { condition: 'AND', rules: [{ field: 'ports.ifOperStatus', operator: 'equal', value: 'down' }] }
  await database.store.sql`insert into alert_rules (id, severity, extra, name, query, builder)
    values (1, 'warning', ${JSON.stringify(extra)}, 'Port down', '', ${JSON.stringify(builder)})`
}

/** Lets some time pass, with these ports down. */
async function down(ports: readonly number[], minutes = 1): Promise<void> {
  now += minutes * MINUTE_MS
  await database.store.sql`update ports set "ifOperStatus" =
    case when port_id = any(${`{${ports.join()}}`}::int[]) then 'down' else 'up' end`
  await engine.round()
}

/** Kinds of the notifications, with the ports that each says began (+) and ended (-). */
async function said(): Promise<string[]> {
  const rows = await database.store.sql<{ text: string }[]>`
    select concat_ws(' ', kind, (select string_agg('+' || (f ->> 'key'), ' ') from jsonb_array_elements(context -> 'began') f),
      (select string_agg('-' || (f ->> 'key'), ' ') from jsonb_array_elements(context -> 'ended') f)) as text
    from alert_outbox order by id`
  return rows.map(({ text }) => text)
}

const open = async (): Promise<readonly Fault[]> =>
  (await faults.list(SYSTEM, { states: [1, 2] }, { offset: 0, limit: 100 })).rows
const idOf = async (port: number): Promise<number> => (await open()).find(({ key }) => key === String(port))?.id ?? 0
const alertState = async (): Promise<number | undefined> =>
  (await database.store.sql<{ state: number }[]>`select state from alerts`)[0]?.state

describe('acknowledging', () => {
  test('one fault: the next one speaks, the recovery of each is told once', async () => {
    await addRule()
    await down([1])
    await faults.acknowledge(SYSTEM, [await idOf(1)], { note: 'cable on its way', until: 'clear' })
    await down([1, 2])
    expect({ said: await said(), state: await alertState() }).toEqual({
      said: ['alert +1', 'ack', 'worse +2'],
      state: 2,
    })
    await down([2])
    await down([])
    expect(await said()).toEqual(['alert +1', 'ack', 'worse +2', 'better -1', 'recovery -2'])
    expect(await open()).toEqual([])
  })

  test('all faults of an alert acknowledges the alert; making one active again makes the alert active', async () => {
    await addRule()
    await down([1, 2])
    await faults.acknowledge(SYSTEM, [await idOf(1)], { note: '', until: 'clear' })
    await engine.round()
    expect({ said: await said(), state: await alertState() }).toEqual({ said: ['alert +1 +2'], state: 1 })
    await faults.acknowledge(SYSTEM, [await idOf(2)], { note: '', until: 'clear' })
    await engine.round()
    expect({ said: await said(), state: await alertState() }).toEqual({ said: ['alert +1 +2', 'ack'], state: 2 })
    await faults.unacknowledge(SYSTEM, [await idOf(2)], 'not mine')
    await engine.round()
    expect({ said: await said(), state: await alertState() }).toEqual({
      said: ['alert +1 +2', 'ack', 'alert +2'],
      state: 1,
    })
  })

  test('the alert acknowledges its faults and no later ones; unmuting makes them active again', async () => {
    await addRule()
    await down([1, 2])
    const alerts = createAlertService({ store: database.store })
    await alerts.acknowledge(SYSTEM, (await open())[0]?.alert_id ?? 0, { note: 'seen', until: 'clear' })
    await down([1, 2, 3])
    expect((await open()).map(({ key, state }) => [key, state])).toEqual([
      ['3', 1],
      ['2', 2],
      ['1', 2],
    ])
    expect(await said()).toEqual(['alert +1 +2', 'ack', 'worse +3'])
    await alerts.unmute(SYSTEM, (await open())[0]?.alert_id ?? 0, '')
    await engine.round()
    expect((await said()).at(-1)).toBe('alert +1 +2')
  })

  test('unmuting an alert of which only some faults are acknowledged makes them active, and they are notified again', async () => {
    await addRule()
    await down([1, 2])
    await faults.acknowledge(SYSTEM, [await idOf(1)], { note: '', until: 'clear' })
    await engine.round()
    const alerts = createAlertService({ store: database.store })
    await alerts.unmute(SYSTEM, (await open())[0]?.alert_id ?? 0, '')
    await engine.round()
    expect({ said: await said(), states: (await open()).map(({ state }) => state) }).toEqual({
      said: ['alert +1 +2', 'alert +1'],
      states: [1, 1],
    })
  })

  test('until a time ends by itself, and the fault is told again', async () => {
    await addRule()
    await down([1])
    const until = new Date(now + 30 * MINUTE_MS)
    const [fault] = await faults.acknowledge(SYSTEM, [await idOf(1)], { note: '', until })
    expect(fault?.acknowledgement).toMatchObject({ until: 'time', untilAt: until })
    await down([1], 29)
    expect(await said()).toEqual(['alert +1', 'ack'])
    await down([1], 1)
    expect(await said()).toEqual(['alert +1', 'ack', 'alert +1'])
    expect((await faults.history(SYSTEM, await idOf(1))).map(({ what }) => what)).toContain('acknowledgement ended')
  })

  test('until it gets worse ends with another fault, and with a more severe rule', async () => {
    await addRule()
    await down([1])
    await faults.acknowledge(SYSTEM, [await idOf(1)], { note: '', until: 'worse' })
    await down([1])
    await down([1, 2])
    expect(await said()).toEqual(['alert +1', 'ack', 'worse +1 +2'])
    await faults.acknowledge(SYSTEM, [await idOf(1), await idOf(2)], { note: '', until: 'worse' })
    await engine.round()
    await database.store.sql`update alert_rules set severity = 'critical'`
    await engine.round()
    expect((await said()).at(-1)).toMatch(/^alert \+[12] \+[12]$/)
    expect((await open()).map(({ severity, state }) => [severity, state])).toEqual([
      ['critical', 1],
      ['critical', 1],
    ])
  })

  test('what is over, absent or not granted is refused, and nothing is changed', async () => {
    await addRule()
    await down([1, 2])
    const [first, second] = [await idOf(1), await idOf(2)]
    await down([2])
    const how = { note: '', until: 'clear' } as const
    expect(faults.acknowledge(SYSTEM, [second, first], how)).rejects.toThrow(`Fault ${first} is over`)
    expect(faults.acknowledge(SYSTEM, [second, 999_999], how)).rejects.toThrow('Fault 999999 does not exist')
    expect(faults.acknowledge(NOBODY, [second], how)).rejects.toThrow('does not exist')
    expect(faults.acknowledge(SYSTEM, [], how)).rejects.toThrow('No fault is named')
    expect(faults.acknowledge(SYSTEM, [second], { note: '', until: new Date(now - 1) })).rejects.toThrow('is over')
    expect(faults.acknowledge(SYSTEM, [second], { note: '', until: new Date(Number.NaN) })).rejects.toThrow('no time')
    expect(faults.acknowledge(SYSTEM, [second], { note: '', until: new Date(8e15) })).rejects.toThrow('3650 days')
    expect(faults.get(NOBODY, second)).rejects.toThrow('does not exist')
    expect(faults.history(NOBODY, second)).rejects.toThrow('does not exist')
    expect(faults.mute(NOBODY, second, 'clear')).rejects.toThrow('does not exist')
    expect(faults.note(NOBODY, second, 'x')).rejects.toThrow('does not exist')
    expect(faults.assign(NOBODY, second, null)).rejects.toThrow('does not exist')
    expect((await faults.list(NOBODY, {}, { offset: 0, limit: 10 })).total).toBe(0)
    expect((await open()).map(({ state }) => state)).toEqual([1])
  })
})

test('a muted thing is silent until then, also if it fails again; that it is over is told if its beginning was', async () => {
  await addRule()
  await down([1, 2])
  await faults.mute(SYSTEM, await idOf(1), new Date(now + 30 * MINUTE_MS), 'being replaced')
  await down([2], 5)
  await down([1, 2], 5)
  await down([2], 5)
  expect(await said()).toEqual(['alert +1 +2', 'better -1'])
  await down([1, 2], 5)
  await down([1, 2], 20)
  expect(await said()).toEqual(['alert +1 +2', 'better -1', 'worse +1'])
  await faults.mute(SYSTEM, await idOf(2), 'clear')
  await down([1], 1)
  await down([1, 2], 1)
  expect((await said()).slice(3)).toEqual(['better -2', 'worse +2'])
  // a mute of what is over can be taken back
  await faults.mute(SYSTEM, await idOf(1), new Date(now + 90 * MINUTE_MS))
  const muted = await idOf(1)
  await down([2], 61)
  await faults.mute(SYSTEM, muted, null)
  expect(faults.mute(SYSTEM, muted, 'clear')).rejects.toThrow('is over')
  await down([1, 2])
  expect((await said()).slice(5)).toEqual(['better -1', 'worse +1'])
})

test('maintenance of a port holds back its fault, and no other', async () => {
  await addRule()
  const { store } = database
  const window = {
    title: 'cable',
    notes: '',
    start: new Date(now),
    end: new Date(now + 10 * MINUTE_MS),
    behavior: 2,
  } as const
  await insertSchedule(store, { ...window, target: { kind: 'port', id: 1 } }, null)
  await down([1, 2])
  expect(await said()).toEqual(['alert +2'])
  await down([1, 2], 15)
  expect(await said()).toEqual(['alert +2', 'worse +1'])
})

test('the delay of the rule is that of each fault, and a flapping port holds back no other', async () => {
  await addRule({ delay: 120 })
  await down([1])
  await down([1, 2])
  expect(await said()).toEqual([])
  await down([1, 2])
  await down([1, 2])
  expect(await said()).toEqual(['alert +1', 'worse +2'])
  await database.store.sql`update alert_rules set extra = '{}'`
  await engine.stop()
  engine = createEngine({
    store: database.store,
    settings: createSettings({ flags: { 'alert.tolerance_window': '0', 'alert.flap_count': '3' } }),
    log: createLog('silent'),
    now: () => now,
    notified: () => undefined,
  })
  await down([2])
  for (let i = 0; i < 2; i++) {
    await down([1, 2])
    await down([2])
  }
  const before = await said()
  await down([1, 2])
  await down([1, 2, 3])
  // port 1 began for the third time within the hour and waits; port 3 does not
  expect((await said()).slice(before.length)).toEqual(['worse +3'])
  await down([1, 2, 3], 16)
  expect((await said()).at(-1)).toBe('worse +1')
})

test('a fault has what it is about, a sentence, its rows without secrets, and its history', async () => {
  await addRule()
  await down([3])
  const [fault] = await open()
  expect(fault).toMatchObject({ kind: 'port', subject_id: 3, severity: 'warning', hostname: 'sw1', state: 1 })
  expect(fault?.message).toContain('sw1 Gi3 is down')
  expect(fault?.row_began).toMatchObject({ ifName: 'Gi3', ifOperStatus: 'down' })
  expect(JSON.stringify(fault?.row_began)).not.toContain('secret')
  await database.store.sql`update ports set "ifAlias" = 'Uplink' where port_id = 3`
  await down([3, 4])
  const after = await faults.get(SYSTEM, fault?.id ?? 0)
  expect([after.row_began?.['ifAlias'], after.row_now?.['ifAlias']]).toEqual(['desk 3', 'Uplink'])
  const [user] = await database.store.sql<
    { user_id: number }[]
  >`insert into users (username) values ('ann') returning user_id`
  const id = fault?.id ?? 0
  expect(faults.assign(SYSTEM, id, user?.user_id ?? 0)).rejects.toThrow('who may see sw1')
  expect(faults.assign(SYSTEM, id, 999)).rejects.toThrow('There is no user 999')
  await database.store.sql`insert into devices_perms (user_id, device_id) values (${user?.user_id ?? 0}, 1)`
  const assigned = await faults.assign(SYSTEM, id, user?.user_id ?? 0, 'please')
  expect(assigned.assigned_to).toEqual({ user_id: user?.user_id ?? 0, username: 'ann' })
  await faults.note(SYSTEM, id, 'a note')
  expect(faults.note(SYSTEM, id, '  ')).rejects.toThrow('empty')
  await down([])
  await faults.note(SYSTEM, id, 'it was the cable')
  const history = await faults.history(SYSTEM, id)
  expect(history.map(({ what }) => String(what)).toSorted()).toEqual(
    ['assigned', 'began', 'ended', 'note', 'note', 'recovery told', 'told'].toSorted(),
  )
})

test('faults of a rule that is disabled end without a notification; those that are over are deleted in time', async () => {
  await addRule()
  await down([1, 2])
  await database.store.sql`update alert_rules set disabled = 1`
  await engine.round()
  expect({ said: await said(), open: await open() }).toEqual({ said: ['alert +1 +2'], open: [] })
  expect(await dropOldFaults(database.store, 0)).toBe(0)
  expect(await dropOldFaults(database.store, 30)).toBe(0)
  await database.store.sql`update faults set ended_at = now() - interval '31 days' where key = '1'`
  expect(await dropOldFaults(database.store, 30)).toBe(1)
})

test('alerts that were open before faults were kept have them after the upgrade, and nothing is told twice', async () => {
  await addRule()
  await down([1, 2])
  const { sql } = database.store
  await sql`delete from faults`
  const [, upgrade = ''] = m0104.split('-- The faults of alerts that are open now.')
  await sql.unsafe(upgrade.slice(upgrade.indexOf('insert')))
  await down([1, 2])
  await down([2])
  await down([])
  expect(await said()).toEqual(['alert +1 +2', 'better -1', 'recovery -2'])
})
