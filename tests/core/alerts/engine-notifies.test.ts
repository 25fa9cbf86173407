import { expect, test } from 'bun:test'
import { RULE_PRESETS } from '../../../src/core/alerts/rules/presets.ts'
import { createAlertPreview } from '../../../src/core/alerts/rules/preview.ts'
import { createAlertRuleService } from '../../../src/core/alerts/rules/service.ts'
import { changeAlert } from '../../../src/core/alerts/write.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { addRule, database, engine, outbox, setStatus, settings, states, useEngine } from './engine-setup.ts'

useEngine()

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
  const change = { id: 1, line: 'x', event: 'x', username: 'x', until: 'clear' as const }
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
