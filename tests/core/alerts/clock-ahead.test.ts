import { expect, test } from 'bun:test'
import { correctTimesAhead } from '../../../src/core/system/write-times-ahead.ts'
import {
  addRule,
  database,
  engine,
  later,
  MINUTE_MS,
  now,
  outbox,
  setStatus,
  states,
  useEngine,
} from './engine-setup.ts'

// The clock was ahead while an alert began or was notified, and is set back: delays, reminders and recoveries come when
// they would have come without that, and not when the wrong time is reached.

useEngine()

/** The clock is right again; what housekeeping corrects each minute is corrected. */
async function setBack(start: number): Promise<void> {
  await correctTimesAhead(database.store)
  await later(start + MINUTE_MS - now)
}

const AHEAD_MS = [30 * MINUTE_MS, 3 * 24 * 60 * MINUTE_MS, 90 * 24 * 60 * MINUTE_MS]

test.each(AHEAD_MS)('an alert that began %i ms ahead is notified after its delay', async (aheadMs) => {
  await addRule('down', { extra: { delay: 300, interval: 600, count: -1 } })
  const start = now
  await setStatus(1, 0)
  await later(aheadMs)
  expect(await outbox()).toEqual([])
  await setBack(start)
  await later(7 * MINUTE_MS)
  expect(await outbox()).toEqual(['alert'])
  // a reminder is for receivers that got the notification
  await database.store.sql`update alert_outbox set sent_at = now()`
  await later(11 * MINUTE_MS)
  expect(await outbox()).toEqual(['alert', 'repeat'])
})

test.each(AHEAD_MS)(
  'one that was notified %i ms ahead is reminded of, and its recovery is notified',
  async (aheadMs) => {
    await addRule('down', { extra: { delay: 0, interval: 600, count: -1 } })
    const start = now
    await later(aheadMs)
    await setStatus(1, 0)
    await later(MINUTE_MS)
    expect(await outbox()).toEqual(['alert'])
    await setBack(start)
    expect(await outbox()).toEqual(['alert'])
    // a reminder is for receivers that got the notification
    await database.store.sql`update alert_outbox set sent_at = now()`
    await later(11 * MINUTE_MS)
    expect(await outbox()).toEqual(['alert', 'repeat'])
    await setStatus(1, 1)
    await later(MINUTE_MS)
    expect(await outbox()).toEqual(['alert', 'repeat', 'recovery'])
    expect(Object.values(await states())).toEqual([0])
    const [fault] = await database.store.sql<{ told: number; ended: number }[]>`
    select extract(epoch from told_at)::float8 * 1000 as told, extract(epoch from ended_at)::float8 * 1000 as ended from faults`
    expect(fault?.told).toBeLessThanOrEqual(now)
    expect(fault?.ended).toBeLessThanOrEqual(now)
  },
)

test('an alert that is as it was is not written again', async () => {
  await addRule('down', {})
  await setStatus(1, 0)
  await later(MINUTE_MS)
  const before = engine.stats().changes
  await later(MINUTE_MS)
  await later(-MINUTE_MS / 30)
  expect(engine.stats().changes).toBe(before)
})
