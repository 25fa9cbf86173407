import { describe, expect, test } from 'bun:test'
import { createAlertRuleService } from '../../../src/core/alerts/rules/service.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import {
  addRule,
  database,
  engine,
  later,
  MINUTE_MS,
  now,
  outbox,
  setStatus,
  settings,
  states,
  useEngine,
} from './engine-setup.ts'

useEngine()

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

  test('rules disabled by name, or all at once, end their alerts without a notification, and alert again when enabled', async () => {
    const [one, two] = [await addRule('One'), await addRule('two')]
    await setStatus(1, 0)
    await engine.round()
    const service = createAlertRuleService({ store: database.store, settings })
    expect(await service.setDisabled(SYSTEM, ['one'], true)).toEqual([{ id: one, name: 'One' }])
    await engine.round()
    expect(await states()).toEqual({ [`${one}/1`]: 0, [`${two}/1`]: 1 })
    expect(await service.setDisabled(SYSTEM, null, true)).toEqual([{ id: two, name: 'two' }])
    await engine.round()
    expect(await states()).toEqual({ [`${one}/1`]: 0, [`${two}/1`]: 0 })
    expect(await outbox()).toEqual(['alert', 'alert'])
    expect(await service.setDisabled(SYSTEM, null, false)).toHaveLength(2)
    await engine.round()
    expect(await states()).toEqual({ [`${one}/1`]: 1, [`${two}/1`]: 1 })
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
