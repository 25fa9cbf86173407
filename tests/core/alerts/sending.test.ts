import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { createDispatcher } from '../../../src/core/alerts/dispatcher.ts'
import { createEngine, type Engine } from '../../../src/core/alerts/engine.ts'
import { createDeliver } from '../../../src/core/alerts/transports/deliver.ts'
import type { AlertNotification, Delivery } from '../../../src/core/alerts/transports/notification.ts'
import { createTransportService } from '../../../src/core/alerts/transports/service.ts'
import { deadLetters, outboxCounts, resendDeadLetters } from '../../../src/core/alerts/write-outbox.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { startWebhookSink } from '../../support/webhook-sink.ts'

setDefaultTimeout(120_000)

const log = createLog('silent')
const loopback = () => createSettings({ flags: { 'outgoing.allow': '127.0.0.0/8' } })

let database: TestDatabase
let engine: Engine

beforeEach(async () => {
  database = await testDatabase()
  const settings = createSettings({ flags: { 'alert.tolerance_window': '0' } })
  const now = Date.now()
  engine = createEngine({ store: database.store, settings, log, now: () => now, notified: () => undefined })
  const { sql } = database.store
  await sql`insert into devices (device_id, hostname, status) values (1, 'sw1', 1), (2, 'sw2', 1)`
  await sql`insert into alert_transports (transport_id, transport_name, transport_type, is_default)
    overriding system value values (1, 'first', 'webhook', 1)`
  await sql`alter table alert_transports alter column transport_id restart with 2`
}, 60_000)
afterEach(async () => {
  await engine?.stop()
  await database?.drop()
}, 60_000)

/** A rule about devices that are down. */
async function addRule(name: string): Promise<number> {
  const builder = { condition: 'AND', rules: [{ field: 'devices.status', operator: 'equal', value: '0' }] }
  const [row] = await database.store.sql<{ id: number }[]>`
    insert into alert_rules (severity, extra, name, query, builder)
    values ('critical', '{}', ${name}, '', ${JSON.stringify(builder)}) returning id`
  return row?.id ?? 0
}

const setStatus = (device: number, status: number) =>
  database.store.sql`update devices set status = ${status} where device_id = ${device}`

describe('sending', () => {
  async function dispatched(answers: (notification: AlertNotification) => Delivery): Promise<void> {
    const dispatcher = createDispatcher({ store: database.store, log, deliver: async (_, n) => answers(n) })
    dispatcher.start()
    try {
      await eventually(async () => ((await outboxCounts(database.store)).waiting === 0 ? true : null))
    } finally {
      await dispatcher.stop()
    }
  }

  test('notifications of one alert stay in order even if attempts fail', async () => {
    await addRule('down')
    await setStatus(1, 0)
    await engine.round()
    await setStatus(1, 1)
    await engine.round()
    const tried: string[] = []
    await dispatched(({ kind }) => {
      tried.push(kind)
      return tried.length < 3 ? { kind: 'retry', reason: 'busy', afterMs: 0 } : { kind: 'delivered' }
    })
    expect(tried).toEqual(['alert', 'alert', 'alert', 'recovery'])
  })

  test('a rule with many notifications does not delay those of another rule', async () => {
    const { sql } = database.store
    await addRule('many')
    const few = await addRule('few')
    await setStatus(1, 0)
    await engine.round()
    // as if 300 devices had gone down before
    await sql`
      insert into alert_outbox (key, rule_id, device_id, transport_id, kind, context, next_at)
      select 'many ' || n, rule_id, device_id, transport_id, kind, context, next_at - interval '1 minute'
      from alert_outbox, generate_series(1, 300) n where rule_id <> ${few}`
    const rules: number[] = []
    await dispatched(({ rule }) => {
      rules.push(rule.id)
      return { kind: 'delivered' }
    })
    expect(rules).toHaveLength(302)
    expect(rules.indexOf(few)).toBeLessThan(16)
  })

  test('a notification that cannot be rendered is given up, and the others are sent', async () => {
    await addRule('down')
    await setStatus(1, 0)
    await setStatus(2, 0)
    await engine.round()
    await database.store.sql`update alert_outbox set context = '{"title": 7}' where device_id = 1`
    const sent: number[] = []
    await dispatched(({ device }) => {
      sent.push(device.id)
      return { kind: 'delivered' }
    })
    expect(sent).toEqual([2])
    const letters = await deadLetters(database.store, { kind: 'all' }, 10)
    expect(letters.map(({ error }) => error)).toEqual([expect.stringMatching(/^the notification cannot be rendered: /)])
  })

  async function addTemplate(rule: number, template: string, title: string | null, titleRec: string | null) {
    const { sql } = database.store
    const [row] = await sql<{ id: number }[]>`
      insert into alert_templates (name, template, title, title_rec) values ('t', ${template}, ${title}, ${titleRec})
      returning id`
    await sql`insert into alert_template_map (alert_templates_id, alert_rule_id) values (${row?.id ?? 0}, ${rule})`
  }

  async function downAndUp(): Promise<AlertNotification[]> {
    await setStatus(1, 0)
    await engine.round()
    await setStatus(1, 1)
    await engine.round()
    const sent: AlertNotification[] = []
    await dispatched((notification) => {
      sent.push(notification)
      return { kind: 'delivered' }
    })
    return sent
  }

  test('texts come from the template that is mapped to the rule', async () => {
    const rule = await addRule('down')
    const text =
      '{{ $alert->title }}@foreach ($alert->faults as $key => $value)\n #{{ $key }} {{ $value["hostname"] }}@endforeach'
    await addTemplate(rule, text, '{{ $alert->hostname }} is\n down', '{{ $alert->hostname }} is up')
    const [down, up] = await downAndUp()
    expect(down).toMatchObject({
      title: 'sw1 is down',
      text: 'sw1 is down #1 sw1',
      chat: 'sw1 is down #1 sw1',
      html: null,
    })
    expect(up?.title).toBe('sw1 is up')
  })

  test('an HTML template is sent as HTML, and as text to receivers that do not support it', async () => {
    const rule = await addRule('down & out')
    await addTemplate(rule, '<p>{{ $alert->name }}</p><p>{{ $alert->hostname }}</p>', null, null)
    const [down] = await downAndUp()
    expect(down).toMatchObject({
      title: 'Alert: sw1 is down',
      html: '<p>down &amp; out</p><p>sw1</p>',
      text: 'down & out\n\nsw1',
    })
  })

  test('the default text replaces texts that cannot be rendered', async () => {
    const rule = await addRule('down')
    await addTemplate(rule, '{{ 1 / ($alert->state - 1) }}', '{{ nothing() }}', 'up again')
    const [down, up] = await downAndUp()
    expect(down?.title).toBe('Alert: sw1 is down')
    expect(down?.text).toContain('Device: sw1')
    expect(up).toMatchObject({ title: 'up again', text: '-1' })
  })

  test('a refused notification becomes a dead letter and does not delay others', async () => {
    await addRule('down')
    await setStatus(1, 0)
    await setStatus(2, 0)
    await engine.round()
    await dispatched(({ device }) =>
      device.id === 1 ? { kind: 'refused', reason: 'no such channel' } : { kind: 'delivered' },
    )
    expect(await outboxCounts(database.store)).toEqual({ waiting: 0, dead: 1 })
    expect(await deadLetters(database.store, { kind: 'all' }, 5)).toMatchObject([
      { transport: 'first', error: 'no such channel' },
    ])
  })

  test('notifications that were given up are sent again on request', async () => {
    await addRule('down')
    await setStatus(1, 0)
    await setStatus(2, 0)
    await engine.round()
    await dispatched(() => ({ kind: 'refused', reason: 'the receiver answered 403' }))
    const [first, second] = await deadLetters(database.store, { kind: 'all' }, 5)
    expect(first).toMatchObject({ transport: 'first', kind: 'alert', attempts: 1, error: 'the receiver answered 403' })
    expect(await resendDeadLetters(database.store, [first?.id ?? 0, 999_999])).toBe(1)
    const sent: string[] = []
    const accept = ({ device }: AlertNotification): Delivery => {
      sent.push(device.hostname)
      return { kind: 'delivered' }
    }
    await dispatched(accept)
    expect(sent).toEqual([first?.device ?? ''])
    expect(await outboxCounts(database.store)).toEqual({ waiting: 0, dead: 1 })
    expect(await resendDeadLetters(database.store, null)).toBe(1)
    await dispatched(accept)
    expect(sent).toEqual([first?.device ?? '', second?.device ?? ''])
    expect(await resendDeadLetters(database.store, null)).toBe(0)
  })

  test('no attempt is made before the time that a receiver asked for', async () => {
    await addRule('down')
    await setStatus(1, 0)
    await engine.round()
    const deliver = async (): Promise<Delivery> => ({
      kind: 'retry',
      reason: 'the receiver answered 429',
      afterMs: 600_000,
    })
    const dispatcher = createDispatcher({ store: database.store, log, deliver })
    dispatcher.start()
    try {
      const row = await eventually(async () => {
        const [found] = await database.store.sql<{ wait: number; attempts: number; last_error: string }[]>`
          select extract(epoch from next_at - now())::float8 as wait, attempts, last_error from alert_outbox
          where last_error is not null`
        return found ?? null
      })
      expect(row).toMatchObject({ attempts: 1, last_error: 'the receiver answered 429' })
      expect(row.wait).toBeGreaterThan(500)
    } finally {
      await dispatcher.stop()
    }
  })

  test('with real transports: default ones, then those of the rule and its groups; stored notifications contain no secrets', async () => {
    const sink = startWebhookSink()
    const { sql } = database.store
    const service = createTransportService({ store: database.store, settings: loopback(), log })
    const dispatcher = createDispatcher({
      store: database.store,
      log,
      deliver: createDeliver({ settings: loopback(), log }),
    })
    try {
      await service.remove('first')
      const add = async (name: string, isDefault: boolean) =>
        await service.add({ kind: 'webhook', name, isDefault, settings: { url: `${sink.url}?t=secret-6` }, rules: [] })
      await add('usual', true)
      await add('one', false)
      await add('two', false)
      const rule = await addRule('down')
      const settled = async () => {
        await engine.round()
        dispatcher.wake()
        await eventually(async () => ((await outboxCounts(database.store)).waiting === 0 ? true : null))
        const rows = await sql<{ name: string }[]>`
          select t.transport_name as name from alert_outbox o join alert_transports t using (transport_id)
          where o.sent_at is not null order by o.id`
        return rows.map(({ name }) => name)
      }
      dispatcher.start()
      await setStatus(1, 0)
      expect(await settled()).toEqual(['usual'])
      await service.putGroup('both', ['one', 'two'])
      await service.map('both', 'group', [rule], true)
      await service.map('one', 'transport', [rule], true)
      await setStatus(1, 1)
      expect(await settled()).toEqual(['usual', 'one', 'two'])
      await service.map('both', 'group', [rule], false)
      sink.status = 403
      await setStatus(1, 0)
      expect(await settled()).toEqual(['usual', 'one', 'two'])
      expect(await service.dead(SYSTEM)).toMatchObject([{ transport: 'one', error: 'the receiver answered 403' }])
      const stored = await sql`select to_jsonb(o) as row from alert_outbox o`
      expect(JSON.stringify([stored, await service.list(), await service.dead(SYSTEM)])).not.toContain('secret-6')
    } finally {
      await dispatcher.stop()
      sink.stop()
    }
  })
})
