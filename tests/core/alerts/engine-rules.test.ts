import { describe, expect, test } from 'bun:test'
import { createEngine } from '../../../src/core/alerts/engine.ts'
import { ALERT_CHANNEL, brokenRules } from '../../../src/core/alerts/read-engine-rules.ts'
import { createAlertRuleService } from '../../../src/core/alerts/rules/service.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { client } from '../../../src/core/database/client.ts'
import { notify } from '../../../src/core/database/listen.ts'
import { eventually } from '../../support/eventually.ts'
import {
  addRule,
  database,
  engine,
  log,
  now,
  outbox,
  replaceEngine,
  setStatus,
  settings,
  states,
  useEngine,
} from './engine-setup.ts'

useEngine()

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
    replaceEngine(
      createEngine({ store: database.store, settings, log, now: () => now, notified: () => undefined, limits }),
    )
    await engine.round()
    expect(await states()).toEqual({ [`${down}/1`]: 1 })
    expect(await kinds()).toEqual(slow.map((name) => [name, 'slow']))
    engine.start()
    // they are tried alone, with more time, while others go on
    await eventually(async () => ((await kinds()).every(([, kind]) => kind === 'timeout') ? true : null))
    await setStatus(1, 1)
    engine.written([1], ['status'])
    await eventually(async () => ((await states())[`${down}/1`] === 0 ? true : null))
    // a process that becomes the leader knows them
    await engine.stop()
    replaceEngine(
      createEngine({ store: database.store, settings, log, now: () => now, notified: () => undefined, limits }),
    )
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
