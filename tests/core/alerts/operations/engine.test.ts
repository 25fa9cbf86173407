import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings, type SettingsHolder } from '../../../../src/config/settings.ts'
import { createEngine, type Engine } from '../../../../src/core/alerts/engine.ts'
import type { Segment, Target } from '../../../../src/core/alerts/operations/operation.ts'
import { createOperationService } from '../../../../src/core/alerts/operations/service.ts'
import { createAlertRuleService } from '../../../../src/core/alerts/rules/service.ts'
import { changeAlert } from '../../../../src/core/alerts/write.ts'
import { SYSTEM } from '../../../../src/core/base/actor.ts'
import { resolveOnCall } from '../../../../src/core/on-call/read-on-call.ts'
import { createOnCallService } from '../../../../src/core/on-call/service.ts'
import { createLog } from '../../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

setDefaultTimeout(120_000)

const log = createLog('silent')
const MINUTE_MS = 60_000

let database: TestDatabase
let settings: SettingsHolder
let engine: Engine
let now: number
let beganAt: number

beforeEach(async () => {
  database = await testDatabase()
  settings = createSettings({ flags: { 'alert.tolerance_window': '0' } })
  now = Date.now()
  beganAt = now
  engine = started()
  const { sql } = database.store
  await sql`insert into devices (device_id, hostname, status) values (1, 'sw1', 1), (2, 'sw2', 1)`
  await sql`insert into alert_transports (transport_id, transport_name, transport_type, is_default)
    values (1, 'default', 'webhook', 1), (2, 'noc', 'webhook', 0), (3, 'boss', 'webhook', 0), (4, 'night', 'webhook', 0)`
  await sql`insert into alert_transport_groups (transport_group_id, transport_group_name) values (1, 'both')`
  await sql`insert into transport_group_transport (transport_group_id, transport_id) values (1, 2), (1, 3)`
}, 60_000)
afterEach(async () => {
  await engine?.stop()
  await database?.drop()
}, 60_000)

const started = (onCall?: Parameters<typeof createEngine>[0]['onCall']): Engine =>
  createEngine({ store: database.store, settings, log, now: () => now, notified: () => undefined, onCall })

const NOC: Target = { type: 'single', id: 2 }
const BOSS: Target = { type: 'single', id: 3 }
const NIGHT: Target = { type: 'single', id: 4 }
const BOTH: Target = { type: 'group', id: 1 }
const segment = (targets: readonly Target[], members: Partial<Segment> = {}): Segment => ({
  ...{ phase: 'problem', from: 1, to: 1, startS: 0, durationS: 60, targets, ...members },
})

async function operation(segments: readonly Segment[], suppressed = false): Promise<number> {
  const operations = createOperationService({ store: database.store, settings })
  return await operations.add(SYSTEM, { name: `o${Math.random()}`, stepDurationS: null, suppressed, segments })
}
async function change(id: number, segments: readonly Segment[]): Promise<void> {
  const operations = createOperationService({ store: database.store, settings })
  const { name } = await operations.get(SYSTEM, id)
  await operations.replace(SYSTEM, id, { name, stepDurationS: null, suppressed: false, segments })
}

/** A rule on devices that are down, or on ports that are. */
async function rule(operationId: number | null, { ports = false, extra = {}, silenced = 0 } = {}): Promise<number> {
  const [field, value] = ports ? ['ports.ifOperStatus', 'down'] : ['devices.status', '0']
  const builder = JSON.stringify({ condition: 'AND', rules: [{ field, operator: 'equal', value }] })
  const [row] = await database.store.sql<{ id: number }[]>`
    insert into alert_rules (severity, extra, name, query, builder, alert_operation_id, silenced)
    values ('critical', ${JSON.stringify(extra)}, ${`r${Math.random()}`}, '', ${builder}, ${operationId}, ${silenced})
    returning id`
  return row?.id ?? 0
}

const down = async (): Promise<void> => {
  beganAt = now
  await database.store.sql`update devices set status = 0 where device_id = 1`
  await engine.round()
}
const up = async (): Promise<void> => {
  await database.store.sql`update devices set status = 1 where device_id = 1`
  await engine.round()
}
const port = (id: number, status: string) => database.store.sql`
  insert into ports (port_id, device_id, "ifIndex", "ifOperStatus") values (${id}, 1, ${id}, ${status})
  on conflict (port_id) do update set "ifOperStatus" = excluded."ifOperStatus"`

let taken = 0
/** What was stored for transports since the last call, as `alert noc`. */
async function sent(): Promise<string[]> {
  const rows = await database.store.sql<{ id: number; text: string }[]>`
    select o.id::int, o.kind || ' ' || t.transport_name as text
    from alert_outbox o join alert_transports t using (transport_id) where o.id > ${taken} order by o.id`
  taken = rows.at(-1)?.id ?? taken
  // what was stored is sent
  await database.store.sql`update alert_outbox set sent_at = now() where sent_at is null`
  return rows.map(({ text }) => text).toSorted()
}
beforeEach(() => {
  taken = 0
})

/** Lets time pass second by second for some minutes; what was sent at each second after the beginning. */
async function passing(minutes: number, everyS = 30): Promise<Record<number, string[]>> {
  const at: Record<number, string[]> = {}
  for (let s = 0; s < minutes * 60; s += everyS) {
    now += everyS * 1000
    await engine.round()
    const some = await sent()
    if (some.length > 0) at[Math.round((now - beganAt) / 1000)] = some
  }
  return at
}
const acknowledge = async (): Promise<void> => {
  const [alert] = await database.store.sql<{ id: number }[]>`select id from alerts where state <> 0 limit 1`
  await changeAlert(
    database.store,
    { kind: 'all' },
    {
      ...{ id: alert?.id ?? 0, state: 2, line: 'seen', until: 'clear', event: 'Alert acknowledged', username: 'x' },
    },
  )
  await engine.round()
}
const unmute = async (): Promise<void> => {
  const [alert] = await database.store.sql<{ id: number }[]>`select id from alerts where state = 2 limit 1`
  await changeAlert(
    database.store,
    { kind: 'all' },
    {
      ...{ id: alert?.id ?? 0, state: 1, line: 'not yet', until: null, event: 'Alert unmuted', username: 'x' },
    },
  )
  await engine.round()
}

test('steps go to their targets at their times, until it is over; all who were told hear that', async () => {
  await rule(await operation([segment([NOC], { to: 5 }), segment([BOTH, NIGHT], { from: 6, to: 6 })]))
  await down()
  expect(await sent()).toEqual(['alert noc'])
  expect(await passing(6)).toEqual({
    60: ['repeat noc'],
    120: ['repeat noc'],
    180: ['repeat noc'],
    240: ['repeat noc'],
    300: ['repeat boss', 'repeat night', 'repeat noc'],
  })
  await up()
  expect(await sent()).toEqual(['recovery boss', 'recovery night', 'recovery noc'])
  expect(await passing(10)).toEqual({})
  const [alert] = await database.store.sql`select steps, next_at from alerts`
  expect(alert).toMatchObject({ steps: null, next_at: null })
  // the next problem begins anew, and those who were told of the last one hear nothing of it
  await down()
  expect(await sent()).toEqual(['alert noc'])
  await up()
  expect(await sent()).toEqual(['recovery noc'])
})

test("the rule's own delay, interval, maximum and transports do not count; its switches do", async () => {
  const id = await rule(await operation([segment([NOC], { startS: 90 })]), {
    extra: { delay: 600, interval: 60, count: 1, mute: false },
  })
  await database.store
    .sql`insert into alert_transport_map (rule_id, transport_or_group_id, target_type) values (${id}, 3, 'single')`
  await down()
  expect(await passing(5)).toEqual({ 90: ['alert noc'] })
  await database.store.sql`update alert_rules set extra = '{"recovery": false}' where id = ${id}`
  await up()
  expect(await sent()).toEqual([])
  await database.store.sql`update alert_rules set extra = '{"mute": true}' where id = ${id}`
  await down()
  expect(await passing(5)).toEqual({})
})

test('a problem that is over before the first step is told to nobody', async () => {
  await rule(await operation([segment([NOC], { startS: 90, to: null })]))
  await down()
  expect(await passing(1)).toEqual({})
  await up()
  expect(await passing(5)).toEqual({})
})

test('without an end it repeats until it is acknowledged, and begins again when that is undone', async () => {
  await rule(await operation([segment([NOC], { to: null }), segment([BOSS], { from: 3, to: 3 })]))
  await down()
  expect(await sent()).toEqual(['alert noc'])
  expect(await passing(1)).toEqual({ 60: ['repeat noc'] })
  await acknowledge()
  expect(await sent()).toEqual(['ack noc'])
  expect(await passing(10)).toEqual({})
  await unmute()
  expect(await sent()).toEqual(['alert noc'])
  beganAt = now
  expect(await passing(2)).toEqual({ 60: ['repeat noc'], 120: ['repeat boss', 'repeat noc'] })
  await up()
  expect(await sent()).toEqual(['recovery boss', 'recovery noc'])
})

test('recoveries and updates have segments of their own, with their own times', async () => {
  await rule(
    await operation([
      segment([NOC]),
      segment([BOSS], { phase: 'update' }),
      segment([NIGHT], { phase: 'recovery', startS: 120 }),
      segment([BOSS], { phase: 'recovery' }),
    ]),
  )
  await down()
  expect(await sent()).toEqual(['alert noc'])
  await acknowledge()
  expect(await sent()).toEqual(['ack boss'])
  await up()
  expect(await sent()).toEqual(['recovery boss'])
  beganAt = now
  expect(await passing(4)).toEqual({ 120: ['recovery night'] })
  // a new problem makes the rest of the recovery void
  await down()
  await up()
  await sent()
  await down()
  expect(await passing(4)).toEqual({ 30: ['alert noc'] })
})

test('another fault of the alert is told to those who were told; in an acknowledged alert it begins anew', async () => {
  await rule(await operation([segment([NOC], { to: 2 }), segment([BOSS], { from: 3, to: null })]), { ports: true })
  await port(1, 'down')
  await engine.round()
  beganAt = now
  expect(await sent()).toEqual(['alert noc'])
  expect(await passing(1)).toEqual({ 60: ['repeat noc'] })
  await port(2, 'down')
  await engine.round()
  expect(await sent()).toEqual(['worse noc'])
  // the steps go on
  expect(await passing(1)).toEqual({ 120: ['repeat boss'] })
  await acknowledge()
  expect(await sent()).toEqual(['ack boss', 'ack noc'])
  expect(await passing(3)).toEqual({})
  await port(3, 'down')
  await engine.round()
  expect(await sent()).toEqual(['worse boss', 'worse noc'])
  beganAt = now
  expect(await passing(2)).toEqual({ 60: ['repeat noc'], 120: ['repeat boss'] })
})

test('steps wait for the end of maintenance, and those behind them move along', async () => {
  const { sql } = database.store
  await rule(
    await operation([segment([NOC]), segment([BOSS], { from: 2, to: 2 }), segment([NIGHT], { from: 3, to: 3 })]),
  )
  await down()
  expect(await sent()).toEqual(['alert noc'])
  await sql`insert into alert_schedule (schedule_id, title, recurring, start, "end", behavior, notes)
    values (1, 'm', 0, ${new Date(now - 1000).toISOString()}, ${new Date(now + 10 * MINUTE_MS).toISOString()}, 2, '')`
  await sql`insert into alert_schedulables (schedule_id, alert_schedulable_type, alert_schedulable_id) values (1, 'device', 1)`
  expect(await passing(10)).toEqual({})
  const [alert] = await sql`select held from alerts`
  expect(alert).toMatchObject({ held: 'maintenance' })
  const at = await passing(4)
  const [first = '', second = ''] = Object.keys(at)
  expect(Object.values(at)).toEqual([['repeat boss'], ['repeat night']])
  expect(Number(second) - Number(first)).toBe(60)
})

test('a process that was away sends one step, not all that it missed', async () => {
  await rule(
    await operation([segment([NOC]), segment([BOSS], { from: 2, to: 2 }), segment([NIGHT], { from: 3, to: 3 })]),
  )
  await down()
  await sent()
  await engine.stop()
  now += 600 * MINUTE_MS
  engine = started()
  await engine.round()
  expect(await sent()).toEqual(['repeat boss'])
  beganAt = now
  expect(await passing(2)).toEqual({ 60: ['repeat night'] })
})

test('a changed operation counts from then on, for open alerts too', async () => {
  const id = await operation([segment([NOC])])
  await rule(id)
  await down()
  expect(await sent()).toEqual(['alert noc'])
  expect(await passing(5)).toEqual({})
  await change(id, [segment([NOC]), segment([BOSS], { from: 2, to: 2, startS: 600 })])
  expect(await passing(10)).toEqual({ 660: ['repeat boss'] })
})

test('a rule that gets an operation notifies no one again at once; those who were told hear that it is over', async () => {
  const id = await rule(null)
  await down()
  expect(await sent()).toEqual(['alert default'])
  const rules = createAlertRuleService({ store: database.store, settings })
  const stored = await rules.find(SYSTEM, id)
  const draft = {
    ...{ name: stored?.name ?? '', builder: stored?.builder ?? '', ownQuery: null, proc: null },
    severity: 'critical' as const,
    ...{ disabled: false, notes: null, invertMap: false, devices: [], groups: [], locations: [], stepDurationS: null },
    extra: { mute: false, count: -1, delay: 0, invert: false, interval: 0, recovery: true, acknowledgement: true },
  } as const
  const extra = { ...draft.extra, options: { override_query: false } }
  const operationId = await operation([segment([NOC]), segment([BOSS], { from: 2, to: 2 })])
  await rules.replace(SYSTEM, id, { ...draft, extra, notify: { kind: 'operation', id: operationId } })
  await engine.round()
  expect(await sent()).toEqual([])
  beganAt = now
  expect(await passing(2)).toEqual({ 60: ['repeat boss'] })
  await up()
  expect(await sent()).toEqual(['recovery boss', 'recovery default'])
})

test('nobody is notified by a silenced rule, a silent operation, or one without segments for problems', async () => {
  await rule(null, { silenced: 1 })
  await rule(await operation([segment([NOC])], true))
  await rule(await operation([segment([NOC], { phase: 'recovery' })]))
  await down()
  await up()
  expect(await passing(2)).toEqual({})
  const states = await database.store.sql`select count(*)::int as n from alert_log where state = 1`
  expect(states).toMatchObject([{ n: 3 }])
})

test('a target that was deleted is left out', async () => {
  await rule(await operation([segment([NOC, BOSS], { to: 2 })]))
  await down()
  expect(await sent()).toEqual(['alert boss', 'alert noc'])
  await database.store.sql`delete from alert_transports where transport_id = 3`
  expect(await passing(1)).toEqual({ 60: ['repeat noc'] })
})

test('whoever is on call at the time of a step is told, and hears that it is over', async () => {
  await engine.stop()
  let duty = 3
  const asked: unknown[] = []
  engine = started(async (_sql, schedule, at, severity, attempt) => {
    asked.push([schedule, at - beganAt, severity, attempt])
    return [duty]
  })
  const id = await operation([segment([NOC], { to: null })])
  await database.store.sql`update alert_operation_transport_map set target_type = 'on_call', transport_or_group_id = 7`
  await rule(id)
  await down()
  expect(await sent()).toEqual(['alert boss'])
  duty = 4
  expect(await passing(1)).toEqual({ 60: ['repeat night'] })
  expect(asked).toEqual([
    [7, 0, 'critical', 1],
    [7, 60_000, 'critical', 2],
  ])
  await up()
  expect(await sent()).toEqual(['recovery boss', 'recovery night'])
})

test('a schedule: the person whose turn it is, by the transports of that attempt; a deleted one is no target', async () => {
  const { sql } = database.store
  await engine.stop()
  engine = started(async (tx, schedule, at, severity, attempt) =>
    (await resolveOnCall(tx, [schedule], at, severity, attempt)).map(({ transportId }) => transportId),
  )
  const [ann] = await sql<{ id: number }[]>`insert into users (username) values ('ann') returning user_id as id`
  const onCall = createOnCallService({ store: database.store, settings, now: () => now })
  await onCall.setContactMethods(SYSTEM, ann?.id ?? 0, 'Europe/Berlin', [
    { transportId: 3, attempt: 1, quiet: [] },
    { transportId: 4, attempt: 2, quiet: [] },
  ])
  const layer = { name: '', unit: 'week', length: 1, begins: '2026-03-16 08:00', ends: null, days: null } as const
  const schedule = await onCall.add(SYSTEM, {
    ...{ name: 'Network', zone: 'Europe/Berlin', notes: '' },
    layers: [{ ...layer, from: '00:00', to: '00:00', people: [ann?.id ?? 0] }],
  })
  const schedules = async () => [{ id: schedule, name: 'Network' }]
  const operations = createOperationService({ store: database.store, settings, schedules })
  const target = { type: 'on_call', id: schedule } as const
  const id = await operations.add(SYSTEM, {
    ...{ name: 'call', stepDurationS: null, suppressed: false },
    segments: [segment([target], { to: 2 })],
  })
  expect((await operations.get(SYSTEM, id)).segments[0]?.targets).toMatchObject([
    { text: `s${schedule}`, name: 'Network' },
  ])
  await rule(id)
  await down()
  expect(await sent()).toEqual(['alert boss'])
  expect(await passing(1)).toEqual({ 60: ['repeat boss', 'repeat night'] })
  await onCall.remove(SYSTEM, schedule)
  expect((await operations.get(SYSTEM, id)).segments[0]?.targets).toEqual([])
})
