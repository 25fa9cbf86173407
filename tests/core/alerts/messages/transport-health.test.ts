import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { createDispatcher } from '../../../../src/core/alerts/dispatcher.ts'
import { createGrouper } from '../../../../src/core/alerts/messages/grouper.ts'
import { USUAL_DEFAULTS } from '../../../../src/core/alerts/messages/limits.ts'
import type { OutboxResult } from '../../../../src/core/alerts/messages/result.ts'
import {
  afterAttempt,
  FAILING_MS,
  HEALTHY,
  isDueToTell,
  notifiersFor,
  TELL_AGAIN_MS,
  type TransportHealth,
} from '../../../../src/core/alerts/messages/transport-health.ts'
import { finishSending } from '../../../../src/core/alerts/messages/write-results.ts'
import { tellFailing } from '../../../../src/core/alerts/messages/write-transport-health.ts'
import type { AlertNotification, Delivery, Transport } from '../../../../src/core/alerts/transports/notification.ts'
import { outboxCounts } from '../../../../src/core/alerts/write-outbox.ts'
import { createLog } from '../../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'

setDefaultTimeout(120_000)

const T = Date.UTC(2026, 0, 1)
const RULES = { failures: 3 }
const SENT: OutboxResult = { kind: 'sent' }
const AGAIN: OutboxResult = { kind: 'again', afterMs: 2000, error: 'no answer', countsAgainstTransport: true }
const DEAD: OutboxResult = { kind: 'dead', error: 'the receiver answered 404', countsAgainstTransport: true }

describe('a transport', () => {
  const after = (results: readonly (readonly [number, OutboxResult])[], rules = RULES): TransportHealth =>
    results.reduce((health, [at, result]) => afterAttempt(health, result, rules, T + at), HEALTHY)

  test('fails after a number of failed attempts, not all at the same time', () => {
    expect(
      after([
        [0, AGAIN],
        [1000, AGAIN],
        [2000, AGAIN],
      ]).failedAt,
    ).toBeNull()
    expect(
      after([
        [0, AGAIN],
        [1000, AGAIN],
        [FAILING_MS, AGAIN],
      ]),
    ).toMatchObject({
      failures: 3,
      since: T,
      failedAt: T + FAILING_MS,
      lastError: 'no answer',
    })
  })

  test('fails at once if a notification is given up', () => {
    expect(after([[0, DEAD]]).failedAt).toBe(T)
  })

  test('works as soon as something is delivered', () => {
    expect(
      after([
        [0, AGAIN],
        [1000, AGAIN],
        [2000, SENT],
        [FAILING_MS, AGAIN],
      ]),
    ).toMatchObject({
      failures: 1,
      failedAt: null,
    })
    expect(
      after([
        [0, DEAD],
        [1, SENT],
      ]),
    ).toEqual(HEALTHY)
  })

  test('does not fail because a notification cannot be rendered, or the receiver asks to wait', () => {
    expect(after([[0, { ...DEAD, countsAgainstTransport: false }]])).toBe(HEALTHY)
    expect(after([[0, { ...AGAIN, countsAgainstTransport: false }]])).toBe(HEALTHY)
  })

  test('never fails where alert.path_failures is 0', () => {
    expect(
      after(
        [
          [0, DEAD],
          [FAILING_MS, AGAIN],
          [2 * FAILING_MS, AGAIN],
        ],
        { failures: 0 },
      ).failedAt,
    ).toBeNull()
  })

  test('that fails again and again is told once an hour', () => {
    const failed = { ...after([[0, DEAD]]), toldAt: T, lastToldAt: T }
    const again = afterAttempt(afterAttempt(failed, SENT, RULES, T + 1000), DEAD, RULES, T + 2000)
    expect(again.toldAt).toBeNull()
    expect(isDueToTell(again, T + 2000)).toBe(false)
    expect(isDueToTell(again, T + TELL_AGAIN_MS)).toBe(true)
  })
})

test('the failure is told by default transports that work, otherwise by the one that sent something last', () => {
  const one = (id: number, isDefault: boolean, isFailing: boolean, sentAt: number | null) => ({
    id,
    isDefault,
    isFailing,
    sentAt,
  })
  expect(notifiersFor(1, [one(1, true, false, 5), one(2, true, false, 1), one(3, false, false, 9)])).toEqual([2])
  expect(notifiersFor(1, [one(1, true, true, 5), one(2, true, true, 1), one(3, false, false, null)])).toEqual([3])
  expect(notifiersFor(1, [one(2, false, false, null), one(3, false, false, 7), one(4, false, false, 9)])).toEqual([4])
  expect(notifiersFor(1, [one(1, true, false, 5)])).toEqual([])
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.option(fc.integer(), { nil: null })), { maxLength: 30 }),
      (some) => {
        const all = some.map(([isDefault, isFailing, at], i) => one(i + 1, isDefault, isFailing, at))
        const told = notifiersFor(1, all)
        expect(told.length).toBeLessThanOrEqual(3)
        expect(told).not.toContain(1)
        for (const id of told) expect(all[id - 1]?.isFailing).toBe(false)
        expect(told.length > 0).toBe(all.some(({ id, isFailing }) => id !== 1 && !isFailing))
      },
    ),
  )
})

describe('on a database', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await testDatabase()
    await database.store.sql`
      insert into alert_transports (transport_id, transport_name, transport_type, is_default)
      values (1, 'mail', 'mail', 1), (2, 'chat', 'slack', 1), (3, 'pager', 'pagerduty', 0)`
  }, 60_000)
  afterEach(async () => {
    await database?.drop()
  }, 60_000)

  /** Stores a notification for a transport and returns its id. */
  async function notify(transport: number): Promise<number> {
    const [row] = await database.store.sql<{ id: number }[]>`
      insert into alert_outbox (key, transport_id, kind, context)
      values (gen_random_uuid()::text, ${transport}, 'alert', '{"title": "t"}') returning id`
    return row?.id ?? 0
  }

  const finish = async (transport: number, id: number, result: OutboxResult, at: number) =>
    await finishSending(
      database.store,
      { notifications: new Map([[id, { transportId: transport, result }]]), messages: new Map() },
      RULES,
      T + at,
    )

  /** What is stored about transports: `2 alert 1` is an alert about 1 for 2. */
  async function notices(): Promise<string[]> {
    const rows = await database.store.sql<{ text: string }[]>`
      select concat_ws(' ', transport_id, kind, about_transport_id,
        case when sent_at is not null then 'sent' when dead_at is not null then 'dead' end) as text
      from alert_outbox where about_transport_id is not null order by id`
    return rows.map(({ text }) => text)
  }
  const noticeOf = async (transport: number) => {
    const [row] = await database.store.sql<{ id: number }[]>`
      select id from alert_outbox where about_transport_id is not null and transport_id = ${transport} order by id desc limit 1`
    return row?.id ?? 0
  }

  test('a failing transport is told once on another one, and that it works again once', async () => {
    await finish(1, await notify(1), DEAD, 0)
    expect(await tellFailing(database.store, T)).toBe(1)
    expect(await tellFailing(database.store, T + 1000)).toBe(0)
    expect(await notices()).toEqual(['2 alert 1'])
    await finish(2, await noticeOf(2), SENT, 2000)
    await finish(1, await notify(1), DEAD, 3000)
    expect(await tellFailing(database.store, T + TELL_AGAIN_MS * 2)).toBe(0)
    await finish(1, await notify(1), SENT, 4000)
    await finish(1, await notify(1), SENT, 5000)
    expect(await notices()).toEqual(['2 alert 1 sent', '2 recovery 1'])
  })

  test('what a transport that fails itself should have told is told by a third', async () => {
    await finish(1, await notify(1), DEAD, 0)
    await tellFailing(database.store, T)
    await finish(2, await noticeOf(2), DEAD, 1000)
    expect(await tellFailing(database.store, T + 2000)).toBe(2)
    expect((await notices()).filter((text) => !text.endsWith('dead'))).toEqual(['3 alert 1', '3 alert 2'])
    // nothing is left that could tell
    await finish(3, await noticeOf(3), DEAD, 3000)
    expect(await tellFailing(database.store, T + 4000)).toBe(0)
    // it works again, and tells of both: what it gave up is stored again
    await finish(3, await notify(3), SENT, 5000)
    expect(await tellFailing(database.store, T + 6000)).toBe(1)
    expect((await notices()).filter((text) => !text.endsWith('dead'))).toEqual(['3 alert 1', '3 alert 2'])
  })

  test('a failure that was over before it was told is not told', async () => {
    await finish(1, await notify(1), DEAD, 0)
    await tellFailing(database.store, T)
    await finish(1, await notify(1), SENT, 1000)
    expect(await notices()).toEqual([])
  })

  test('deleting the transport deletes what is said about it', async () => {
    await finish(1, await notify(1), DEAD, 0)
    await tellFailing(database.store, T)
    await database.store.sql`delete from alert_transports where transport_id = 1`
    expect(await notices()).toEqual([])
  })

  test('failures of several transports at the same time are one message that says so', async () => {
    for (const id of [2, 3]) await finish(id, await notify(id), DEAD, 0)
    expect(await tellFailing(database.store, T)).toBe(2)
    const group = createGrouper({ store: database.store, defaults: () => USUAL_DEFAULTS, now: () => T + 20_000 })
    const [message] = (await group.claim(new Map(), 16)).messages
    expect(message?.parts.map(({ title, device, rule }) => [title, device, rule])).toEqual([
      ['Notifications by chat are not sent', 'Portlight', 'Notifications'],
      ['Notifications by pager are not sent', 'Portlight', 'Notifications'],
    ])
  })

  test('end to end: the dispatcher tells by mail that the chat refuses, and that it works again', async () => {
    const sent: [string, AlertNotification][] = []
    let refuses = true
    const deliver = async ({ kind }: Transport, notification: AlertNotification): Promise<Delivery> => {
      if (kind === 'slack' && refuses) return { kind: 'refused', reason: 'the receiver answered 404' }
      sent.push([kind, notification])
      return { kind: 'delivered' }
    }
    const dispatcher = createDispatcher({
      store: database.store,
      log: createLog('silent'),
      deliver,
      defaults: () => USUAL_DEFAULTS,
    })
    const settled = () =>
      eventually(async () => ((await outboxCounts(database.store)).waiting === 0 && sent.length > 0 ? true : null))
    const context = {
      title: 'Alert: sw1: down',
      hostname: 'sw1',
      display: '',
      name: 'down',
      severity: 'critical',
      state: 1,
    }
    const add = async (contexts: object) => {
      await database.store.sql`insert into alert_outbox (key, transport_id, kind, context)
        select gen_random_uuid()::text, 2, 'alert', ${JSON.stringify(contexts)}::text::jsonb from generate_series(1, 2)`
      dispatcher.wake()
    }
    dispatcher.start()
    try {
      await add(context)
      await settled()
      expect(sent).toHaveLength(1)
      expect(sent[0]).toMatchObject(['mail', { kind: 'alert', title: 'Notifications by chat are not sent' }])
      expect(sent[0]?.[1].text).toContain('Last answer: the receiver answered 404')
      refuses = false
      await add(context)
      await eventually(async () => (sent.length === 3 ? true : null))
      expect(sent.map(([kind, { title }]) => `${kind}: ${title}`).toSorted()).toEqual([
        'mail: Notifications by chat are not sent',
        'mail: Notifications by chat are sent again',
        expect.stringMatching(/^slack: /),
      ])
    } finally {
      await dispatcher.stop()
    }
  })
})
