import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings, type SettingsHolder } from '../../../src/config/settings.ts'
import { createEngine, type Engine } from '../../../src/core/alerts/engine.ts'
import { ALERT_CHANNEL, brokenRules } from '../../../src/core/alerts/read-engine-rules.ts'
import { RULE_PRESETS } from '../../../src/core/alerts/rules/presets.ts'
import { createAlertPreview } from '../../../src/core/alerts/rules/preview.ts'
import { createAlertRuleService } from '../../../src/core/alerts/rules/service.ts'
import { changeAlert } from '../../../src/core/alerts/write.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { client } from '../../../src/core/database/client.ts'
import { notify } from '../../../src/core/database/listen.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

setDefaultTimeout(120_000)

const log = createLog('silent')
const MINUTE_MS = 60_000

let database: TestDatabase
let settings: SettingsHolder
let engine: Engine
let now: number

beforeEach(async () => {
  database = await testDatabase()
  settings = createSettings({ flags: { 'alert.tolerance_window': '0' } })
  now = Date.now()
  engine = createEngine({ store: database.store, settings, log, now: () => now, notified: () => undefined })
  const { sql } = database.store
  await sql`
    insert into devices (device_id, hostname, status, community, authpass, authname, cryptopass)
    values (1, 'sw1', 1, 'secret-1', 'secret-2', 'secret-3', 'secret-4'), (2, 'sw2', 1, null, null, null, null)`
  await sql`insert into alert_transports (transport_id, transport_name, transport_type, is_default, transport_config)
    values (1, 'first', 'webhook', 1, '{"url": "secret-5"}')`
}, 60_000)
afterEach(async () => {
  await engine?.stop()
  await database?.drop()
}, 60_000)

interface Options {
  readonly rules?: readonly (readonly [field: string, operator: string, value: string])[]
  readonly extra?: object
  readonly invertMap?: boolean
}

async function addRule(name: string, { rules, extra = {}, invertMap = false }: Options = {}): Promise<number> {
  const compared = (rules ?? [['devices.status', 'equal', '0']]).map(([field, operator, value]) => ({
    field,
    operator,
    value,
  }))
  const [row] = await database.store.sql<{ id: number }[]>`
    insert into alert_rules (severity, extra, name, query, builder, invert_map)
    values ('critical', ${JSON.stringify(extra)}, ${name}, '', ${JSON.stringify({ condition: 'AND', rules: compared })},
      ${invertMap ? 1 : 0}) returning id`
  return row?.id ?? 0
}

const setStatus = (device: number, status: number) =>
  database.store.sql`update devices set status = ${status} where device_id = ${device}`

/** States by rule and device. */
async function states(): Promise<Record<string, number>> {
  const rows = await database.store.sql<{ key: string; state: number }[]>`
    select rule_id || '/' || device_id as key, state from alerts order by rule_id, device_id`
  return Object.fromEntries(rows.map(({ key, state }) => [key, state]))
}

/** Kinds in the outbox, oldest first. */
async function outbox(): Promise<string[]> {
  const rows = await database.store.sql<{ kind: string }[]>`select kind from alert_outbox order by id`
  return rows.map(({ kind }) => kind)
}

const later = async (ms: number): Promise<void> => {
  now += ms
  await engine.round()
}

describe('which devices a rule applies to', () => {
  test('all devices; its devices, groups and locations; or all others', async () => {
    const { sql } = database.store
    await setStatus(1, 0)
    await setStatus(2, 0)
    const everywhere = await addRule('everywhere')
    const device = await addRule('one device')
    const group = await addRule('a group')
    const location = await addRule('a location')
    const others = await addRule('all others', { invertMap: true })
    await sql`insert into alert_device_map (rule_id, device_id) values (${device}, 1), (${others}, 1)`
    await sql`insert into device_groups (id, name, type) values (1, 'g', 'static')`
    await sql`insert into device_group_device (device_group_id, device_id) values (1, 2)`
    await sql`insert into alert_group_map (rule_id, group_id) values (${group}, 1)`
    await sql`insert into locations (id, location) values (1, 'here')`
    await sql`update devices set location_id = 1 where device_id = 1`
    await sql`insert into alert_location_map (rule_id, location_id) values (${location}, 1)`
    await engine.round()
    expect(await states()).toEqual({
      [`${everywhere}/1`]: 1,
      [`${everywhere}/2`]: 1,
      [`${device}/1`]: 1,
      [`${group}/2`]: 1,
      [`${location}/1`]: 1,
      [`${others}/2`]: 1,
    })
  })

  test('a device that is disabled or has alerts off has no alerts; existing ones end without a notification', async () => {
    const rule = await addRule('down')
    await setStatus(1, 0)
    await setStatus(2, 0)
    await engine.round()
    const { sql } = database.store
    await sql`update devices set disabled = 1 where device_id = 1`
    await sql`update devices set disable_notify = 1 where device_id = 2`
    await engine.round()
    expect(await states()).toEqual({ [`${rule}/1`]: 0, [`${rule}/2`]: 0 })
    expect(await outbox()).toEqual(['alert', 'alert'])
  })

  test('disabling a rule ends its alerts without a notification', async () => {
    const rule = await addRule('down')
    await setStatus(1, 0)
    await engine.round()
    await database.store.sql`update alert_rules set disabled = 1`
    await engine.round()
    expect(await states()).toEqual({ [`${rule}/1`]: 0 })
    expect(await outbox()).toEqual(['alert'])
  })
})

describe('what is held back', () => {
  test('during maintenance: no checks, or no notifications until it ends', async () => {
    const { sql } = database.store
    const rule = await addRule('down')
    const window = async (behavior: number) => {
      await sql`delete from alert_schedule`
      await sql`insert into alert_schedule (schedule_id, title, behavior, start, "end")
        values (1, 'work', ${behavior}, to_timestamp(${now / 1000 - 10}::float8), to_timestamp(${now / 1000 + 600}::float8))`
      await sql`insert into alert_schedulables (schedule_id, alert_schedulable_id, alert_schedulable_type) values (1, 1, 'device')`
    }
    await setStatus(1, 0)
    await window(1)
    await engine.round()
    expect(await states()).toEqual({})
    await window(2)
    await engine.round()
    expect({ states: await states(), outbox: await outbox() }).toEqual({ states: { [`${rule}/1`]: 1 }, outbox: [] })
    await later(5 * MINUTE_MS)
    expect(await outbox()).toEqual([])
    await later(6 * MINUTE_MS)
    expect(await outbox()).toEqual(['alert'])
    await window(3)
    await setStatus(1, 1)
    await engine.round()
    expect(await outbox()).toEqual(['alert', 'recovery'])
  })

  test('an alert on a device whose parents are all down waits until one of them is up', async () => {
    const { sql } = database.store
    await sql`insert into devices (device_id, hostname, status) values (3, 'parent', 0), (4, 'other parent', 1)`
    await sql`insert into device_relationships (parent_device_id, child_device_id) values (3, 1), (4, 1)`
    const rule = await addRule('down', {
      rules: [
        ['devices.hostname', 'equal', 'sw1'],
        ['devices.status', 'equal', '0'],
      ],
    })
    await setStatus(4, 0)
    await setStatus(1, 0)
    await engine.round()
    const [held] = await sql<{ held: string }[]>`select held from alerts where rule_id = ${rule}`
    expect({ outbox: await outbox(), held: held?.held }).toEqual({ outbox: [], held: 'parents' })
    await setStatus(4, 1)
    await later(MINUTE_MS)
    expect(await outbox()).toEqual(['alert'])
  })

  test('a delay, repeats, and the maximum number of notifications', async () => {
    await addRule('down', { extra: { delay: 120, interval: 300, count: 3 } })
    await setStatus(1, 0)
    await engine.round()
    await later(MINUTE_MS)
    expect(await outbox()).toEqual([])
    await later(MINUTE_MS)
    expect(await outbox()).toEqual(['alert'])
    await database.store.sql`update alert_outbox set sent_at = now()`
    await later(5 * MINUTE_MS)
    await database.store.sql`update alert_outbox set sent_at = now()`
    await later(5 * MINUTE_MS)
    await later(60 * MINUTE_MS)
    expect(await outbox()).toEqual(['alert', 'repeat', 'repeat'])
  })

  test('no repeat is stored while an earlier notification is still waiting to be sent', async () => {
    await addRule('down', { extra: { interval: 60 } })
    await setStatus(1, 0)
    await engine.round()
    await later(10 * MINUTE_MS)
    expect(await outbox()).toEqual(['alert'])
  })

  test('a muted rule only changes states; once unmuted, it notifies of alerts that are still active', async () => {
    const rule = await addRule('down', { extra: { mute: true } })
    await setStatus(1, 0)
    await engine.round()
    expect({ states: await states(), outbox: await outbox() }).toEqual({ states: { [`${rule}/1`]: 1 }, outbox: [] })
    const service = createAlertRuleService({ store: database.store, settings })
    const stored = await service.find(SYSTEM, rule)
    if (stored === null) throw new Error('no rule')
    await service.replace(SYSTEM, rule, {
      ...stored,
      ownQuery: null,
      disabled: false,
      invertMap: false,
      notify: { kind: 'keep' },
      stepDurationS: null,
      devices: [],
      extra: {
        mute: false,
        count: -1,
        delay: 0,
        interval: 0,
        invert: false,
        recovery: true,
        acknowledgement: true,
        options: { override_query: false },
      },
    })
    await engine.round()
    expect(await outbox()).toEqual(['alert'])
  })
})

describe('slow rules', () => {
  const limits = { timeoutMs: 300, togetherMs: 600, budgetMs: 3000, slowMs: 1000 }
  const kinds = async () => (await brokenRules(database.store)).map(({ name, kind }) => [name, kind])

  test('are taken aside and named, and delay no other alert', async () => {
    const { sql } = database.store
    // one device is enough: its rows of three tables are combined with each other
    await sql`insert into ports (device_id, "ifIndex", "ifName") select 2, n, 'port ' || n from generate_series(1, 3000) n`
    await sql`insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr)
      select 2, 'temperature', 'a', n::text, '.1', 'sensor ' || n from generate_series(1, 3000) n`
    await sql`insert into processors (device_id, "processor_oid", processor_index, processor_type, processor_descr)
      select 2, '.1', n::text, 'a', 'cpu ' || n from generate_series(1, 3000) n`
    const slow: string[] = []
    for (let i = 0; i < 6; i++) {
      slow.push(`slow ${i}`)
      await addRule(`slow ${i}`, {
        rules: [
          ['ports.ifName', 'not_equal', `x${i}`],
          ['sensors.sensor_descr', 'not_equal', 'x'],
          ['processors.processor_descr', 'not_equal', 'x'],
        ],
      })
    }
    const down = await addRule('down')
    await setStatus(1, 0)
    await engine.stop()
    engine = createEngine({ store: database.store, settings, log, now: () => now, notified: () => undefined, limits })
    await engine.round()
    expect(await states()).toEqual({ [`${down}/1`]: 1 })
    expect(await kinds()).toEqual(slow.map((name) => [name, 'slow']))
    engine.start()
    // they are tried alone, with more time, while others go on
    await eventually(async () => ((await kinds()).every(([, kind]) => kind === 'timeout') ? true : null))
    await setStatus(1, 1)
    engine.written([1], ['status'])
    await eventually(async () => ((await states())[`${down}/1`] === 0 ? true : null))
    // a process that takes the lead knows them
    await engine.stop()
    engine = createEngine({ store: database.store, settings, log, now: () => now, notified: () => undefined, limits })
    await engine.round()
    expect(engine.stats()).toMatchObject({ rules: 7, evaluations: 1 })
    engine.start()
    // a rule that was changed is tried at once
    const [first] = await sql<{ id: number }[]>`
      update alert_rules set builder = ${JSON.stringify({ condition: 'AND', rules: [{ field: 'devices.status', operator: 'equal', value: '9' }] })}
      where name = 'slow 0' returning id`
    await notify(database.store, ALERT_CHANNEL, `rule ${first?.id}`)
    await eventually(async () => ((await kinds()).length === 5 ? true : null))
  })
})

describe('rules that fail', () => {
  test('neither raise nor end alerts, and are reported', async () => {
    const { sql } = database.store
    const rule = await addRule('names', { rules: [['devices.hostname', 'regex', '^sw1$']] })
    await engine.round()
    expect(await states()).toEqual({ [`${rule}/1`]: 1 })
    const broken = { condition: 'AND', rules: [{ field: 'devices.hostname', operator: 'regex', value: '((' }] }
    await sql`update alert_rules set builder = ${JSON.stringify(broken)}`
    await engine.round()
    expect(await states()).toEqual({ [`${rule}/1`]: 1 })
    expect(await brokenRules(database.store)).toMatchObject([{ id: rule, kind: 'invalid' }])
    const other = await addRule('down')
    await setStatus(1, 0)
    await engine.round()
    expect(await states()).toMatchObject({ [`${other}/1`]: 1 })
    await sql`update alert_rules set builder = ${JSON.stringify({ ...broken, rules: [{ ...broken.rules[0], value: 'nobody' }] })}
      where id = ${rule}`
    await engine.round()
    expect(await states()).toMatchObject({ [`${rule}/1`]: 0 })
    expect(await brokenRules(database.store)).toEqual([])
  })

  test('rules with custom SQL or with tables that do not exist here are reported too', async () => {
    await addRule('own', { extra: { options: { override_query: 'on' } } })
    await addRule('slas', { rules: [['slas.status', 'equal', '1']] })
    await engine.round()
    expect((await brokenRules(database.store)).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['unusable', 'the rule has its own SQL, which is stored but not run'],
      ['unusable', 'Rules cannot query table slas: SLA probes are not monitored'],
    ])
  })

  test('while a device cannot be polled, alerts about polled values are left unchanged', async () => {
    const { sql } = database.store
    await sql`insert into sensors (sensor_id, device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_current)
      values (1, 1, 'temperature', 'a', '1', '.1', 90)`
    const hot = await addRule('hot', {
      rules: [
        ['sensors.sensor_current', 'greater', '80'],
        ['macros.device_up', 'equal', '1'],
      ],
    })
    await engine.round()
    await setStatus(1, 0)
    await engine.round()
    expect(await states()).toEqual({ [`${hot}/1`]: 1 })
    await setStatus(1, 1)
    await sql`update sensors set sensor_current = 20`
    await sql`update devices set last_polled = now() - interval '5 minutes', last_poll_attempted = now() where device_id = 1`
    await engine.round()
    expect(await states()).toEqual({ [`${hot}/1`]: 1 })
    await sql`update devices set last_polled = now(), last_poll_attempted = now() where device_id = 1`
    await engine.round()
    expect(await states()).toEqual({ [`${hot}/1`]: 0 })
    expect(await outbox()).toEqual(['alert', 'recovery'])
  })
})

test('only rules that read what was written are evaluated', async () => {
  await addRule('status')
  const sensors = await addRule('sensors', { rules: [['sensors.sensor_current', 'greater', '1']] })
  const { sql } = database.store
  await sql`insert into sensors (sensor_id, device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_current)
    values (1, 1, 'temperature', 'a', '1', '.1', 0), (2, 2, 'temperature', 'a', '1', '.1', 0)`
  engine.start()
  await eventually(async () => (engine.stats().rounds > 0 ? true : null))
  const before = engine.stats().evaluations
  await sql`update sensors set sensor_current = 5`
  engine.written([1], ['sensor'])
  await eventually(async () => ((await states())[`${sensors}/1`] === 1 ? true : null))
  // one rule, on the only device that was polled
  expect(engine.stats().evaluations).toBe(before + 1)
  expect(await states()).toEqual({ [`${sensors}/1`]: 1 })
})

test('a new rule is evaluated as soon as it is stored', async () => {
  engine.start()
  await eventually(async () => (engine.stats().rounds > 0 ? true : null))
  await setStatus(1, 0)
  const { id } = await createAlertRuleService({ store: database.store, settings }).addPreset(SYSTEM, 'device-down')
  await eventually(async () => ((await states())[`${id}/1`] === 1 ? true : null))
})

test('a rule that was stored while nothing listened is evaluated after the reconnection', async () => {
  engine.start()
  await eventually(async () => (engine.stats().rounds > 0 ? true : null))
  await setStatus(1, 0)
  // stored without a notification
  const rule = await addRule('down')
  const cut = await database.store.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`
  expect(cut.length).toBeGreaterThan(0)
  await eventually(async () => ((await states())[`${rule}/1`] === 1 ? true : null))
})

test('a rule that is changed while it is evaluated is evaluated again', async () => {
  engine.start()
  await eventually(async () => (engine.stats().rounds > 0 ? true : null))
  const { sql } = database.store
  await sql`insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_current)
    values (1, 'temperature', 'a', '1', '.1', 50)`
  const rule = await addRule('hot', { rules: [['sensors.sensor_current', 'greater', '90']] })
  const other = client(database.url, 1)
  await other.begin(async (tx) => {
    // the evaluation waits for this lock
    await tx`lock table sensors in access exclusive mode`
    await notify(database.store, ALERT_CHANNEL, `rule ${rule}`)
    const isWaiting = () => tx`select from pg_locks where relation = 'sensors'::regclass and not granted`
    await eventually(async () => ((await isWaiting()).length > 0 ? true : null))
    await sql`update alert_rules set builder = replace(builder, '90', '40') where id = ${rule}`
    await notify(database.store, ALERT_CHANNEL, `rule ${rule}`)
    await Bun.sleep(200)
  })
  await other.end()
  await eventually(async () => ((await states())[`${rule}/1`] === 1 ? true : null))
})

test('faults, log and outbox contain no secret of a device or transport', async () => {
  await addRule('down')
  await addRule('ports', { rules: [['ports.ifOperStatus', 'equal', 'down']] })
  const { sql } = database.store
  await sql`insert into ports (device_id, "ifIndex", "ifOperStatus") values (1, 1, 'down')`
  await setStatus(1, 0)
  await engine.round()
  const [stored] = await sql<{ text: string; faults: number }[]>`
    select (select json_agg(l) from alert_log l)::text || (select json_agg(o) from alert_outbox o)::text
      || (select json_agg(a) from alerts a)::text as text,
      (select count(*)::int from alert_log l where jsonb_array_length(l.details -> 'rule') = 1) as faults`
  expect(stored?.faults).toBe(2)
  expect(stored?.text).toContain('sw1')
  expect(stored?.text).not.toContain('secret-')
})

test('a rule uses its own transports and those of its groups, else the default ones', async () => {
  const { sql } = database.store
  await sql`insert into alert_transports (transport_id, transport_name, transport_type) values (2, 'second', 'webhook'), (3, 'third', 'webhook')`
  await sql`insert into alert_transport_groups (transport_group_id, transport_group_name) values (1, 'g')`
  await sql`insert into transport_group_transport (transport_group_id, transport_id) values (1, 3), (1, 2)`
  const none = await addRule('none')
  const one = await addRule('one')
  const group = await addRule('group')
  await sql`insert into alert_transport_map (rule_id, transport_or_group_id, target_type)
    values (${one}, 2, 'single'), (${group}, 1, 'group'), (${group}, 2, 'single')`
  await setStatus(1, 0)
  await engine.round()
  const rows = await sql<{ rule_id: number; transport_id: number; name: string }[]>`
    select rule_id, transport_id, context ->> 'transport' as name from alert_outbox order by 1, 2`
  expect(rows.map((row) => [row.rule_id, row.transport_id, row.name])).toEqual([
    [none, 1, 'first'],
    [one, 2, 'second'],
    [group, 2, 'second'],
    [group, 3, 'third'],
  ])
})

test('imported alerts continue without a notification', async () => {
  const rule = await addRule('down')
  await setStatus(1, 0)
  await database.store.sql`insert into alerts (device_id, rule_id, state, alerted, open) values (1, ${rule}, 1, 1, 0)`
  await engine.round()
  expect({ states: await states(), outbox: await outbox() }).toEqual({ states: { [`${rule}/1`]: 1 }, outbox: [] })
  await setStatus(1, 1)
  await engine.round()
  expect(await outbox()).toEqual(['recovery'])
})

test.each([1, 2, 3, 4, 5])('an imported alert in state %d whose fault has ended ends too', async (state) => {
  const rule = await addRule('down')
  await database.store
    .sql`insert into alerts (device_id, rule_id, state, alerted, open) values (1, ${rule}, ${state}, ${state}, 0)`
  await engine.round()
  expect({ states: await states(), outbox: await outbox() }).toEqual({
    states: { [`${rule}/1`]: 0 },
    outbox: ['recovery'],
  })
})

test('unmuting an alert sends it again', async () => {
  await addRule('down')
  await setStatus(1, 0)
  await engine.round()
  const change = { id: 1, line: 'x', event: 'x', username: 'x', untilClear: true }
  await changeAlert(database.store, { kind: 'all' }, { ...change, state: 2 })
  await engine.round()
  await changeAlert(database.store, { kind: 'all' }, { ...change, state: 1 })
  await engine.round()
  expect(await outbox()).toEqual(['alert', 'ack', 'alert'])
})

test('every ready-made rule can be stored and evaluated', async () => {
  const service = createAlertRuleService({ store: database.store, settings })
  for (const { preset } of RULE_PRESETS) await service.addPreset(SYSTEM, preset)
  await engine.round()
  expect(engine.stats()).toMatchObject({ rules: RULE_PRESETS.length, broken: 0 })
  expect(await service.addInitial()).toEqual([])
})

test('a preview shows what would be sent and why, and changes nothing', async () => {
  const rule = await addRule('down', { extra: { delay: 600 } })
  await setStatus(1, 0)
  const preview = createAlertPreview({ store: database.store, settings })
  const [found] = await preview.rules(rule, null)
  expect(found).toMatchObject({
    rule: 'devices.status = 0',
    broken: null,
    devices: [{ hostname: 'sw1', faults: 1, before: 0, after: 1, sends: null, held: 'delay', why: ['sw1 is down'] }],
  })
  expect(await states()).toEqual({})
  expect(await preview.rules(rule, 'sw2')).toMatchObject([{ devices: [{ hostname: 'sw2', faults: 0, after: 0 }] }])
})
