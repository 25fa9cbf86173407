import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { correctTimesAhead } from '../../../src/core/system/write-times-ahead.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// The clock of the database was ahead for a while, and is right again: nothing that was stored meanwhile may wait until
// those times come, and what people chose is left alone.

const DAY_S = 86_400
let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
  await store.sql`insert into devices (device_id, hostname, status) values (1, 'sw1', 0)`
  await store.sql`insert into users (user_id, username, auth_type) values (1, 'erin', 'local')`
  await store.sql`insert into alert_transports (transport_id, transport_name, transport_type) values (1, 't', 'api')`
  await store.sql`insert into alert_rules (id, name, severity, extra, query, builder) values (1, 'r', 'critical', '{}', '', '{}')`
}, 120_000)
afterAll(() => database.drop())

/** Rows with times so many seconds ahead, and what is left of them; in seconds from now. */
const KINDS: readonly {
  readonly name: string
  readonly insert: (aheadS: number) => Promise<unknown>
  readonly times: string
  readonly from: string
}[] = [
  {
    name: 'a notification that was not tried',
    insert: (s) => store.sql`insert into alert_outbox (key, transport_id, kind, context, created_at, next_at)
      values ('a', 1, 'alert', '{}', now() + ${s} * interval '1 s', now() + ${s} * interval '1 s')`,
    times: 'next_at, created_at',
    from: 'alert_outbox',
  },
  {
    name: 'a notification that failed',
    insert: (s) => store.sql`insert into alert_outbox (key, transport_id, kind, context, attempts, created_at, next_at)
      values ('b', 1, 'alert', '{}', 12, now() + ${s} * interval '1 s', now() + ${s + 3600} * interval '1 s')`,
    times: 'next_at, created_at',
    from: 'alert_outbox',
  },
  {
    name: 'a message',
    insert: (s) => store.sql`insert into alert_messages (transport_id, alerts, formed_at, next_at, attempts)
      values (1, 2, now() + ${s} * interval '1 s', now() + ${s + 60} * interval '1 s', 3)`,
    times: 'next_at, formed_at',
    from: 'alert_messages',
  },
  {
    name: 'a failing transport',
    insert: (s) => store.sql`insert into alert_paths (transport_id, failures, since, last_told_at)
      values (1, 3, now() + ${s} * interval '1 s', now() + ${s} * interval '1 s')`,
    times: 'since, last_told_at',
    from: 'alert_paths',
  },
  {
    name: 'an alert that waits for its delay',
    insert: (s) => store.sql`insert into alerts (rule_id, device_id, state, open, "timestamp", next_at)
      values (1, 1, 1, 1, now() + ${s} * interval '1 s', now() + ${s + 300} * interval '1 s')`,
    times: 'next_at',
    from: 'alerts',
  },
  {
    name: 'a scan that runs',
    insert: (
      s,
    ) => store.sql`insert into scans (networks, rate, started_by, state, added_at, started_at, heard_at) values ('{192.0.2.0/24}', 100, 'erin', 'running',
      now() + ${s} * interval '1 s', now() + ${s} * interval '1 s', now() + ${s} * interval '1 s')`,
    times: 'added_at, started_at, heard_at',
    from: 'scans',
  },
  {
    name: 'what was learned',
    insert: (s) => store.sql`insert into learned_values (kind, line, subject_id, device_id, usual_at)
      values ('port', 'in', 1, 1, now() + ${s} * interval '1 s')`,
    times: 'usual_at',
    from: 'learned_values',
  },
  {
    name: 'a session',
    insert: (
      s,
    ) => store.sql`insert into sessions (user_id, secret_hash, stage, method, address, agent, created_at, seen_at)
      values (1, ${`h${s}`}, 'open', 'password', '', '', now() + ${s} * interval '1 s', now() + ${s} * interval '1 s')`,
    times: 'created_at, seen_at',
    from: 'sessions',
  },
  ...['device_outages', 'device_unreachable'].flatMap((table) => [
    {
      name: `a row of ${table} that lasts`,
      insert: (s: number) =>
        store.sql`insert into ${store.sql(table)} (device_id, going_down) values (1, extract(epoch from now())::bigint + ${s})`,
      times: 'to_timestamp(going_down)',
      from: table,
    },
    {
      name: `a row of ${table} that ended while the clock was ahead`,
      insert: (s: number) =>
        store.sql`insert into ${store.sql(table)} (device_id, going_down, up_again)
          values (1, extract(epoch from now())::bigint - 60, extract(epoch from now())::bigint + ${s})`,
      times: 'to_timestamp(up_again)',
      from: table,
    },
    {
      name: `a row of ${table} that began and ended meanwhile`,
      insert: (s: number) =>
        store.sql`insert into ${store.sql(table)} (device_id, going_down, up_again)
          values (1, extract(epoch from now())::bigint + ${s}, extract(epoch from now())::bigint + ${s + 60})`,
      times: 'to_timestamp(going_down), to_timestamp(up_again)',
      from: table,
    },
  ]),
]

describe.each(KINDS)('$name', ({ insert, times, from }) => {
  const left = async (): Promise<number[]> => {
    const columns = times.split(', ').map((one, i) => `extract(epoch from ${one} - now())::float8 as t${i}`)
    const rows = await store.sql.unsafe<Record<string, number>[]>(`select ${columns.join()} from ${from}`)
    return rows.flatMap((row) => Object.values(row))
  }

  test.each([2 * 3600, 3 * DAY_S, 90 * DAY_S])('%i s ahead waits for minutes at most', async (aheadS) => {
    await store.sql.unsafe(`delete from ${from}`)
    await insert(aheadS)
    expect(await correctTimesAhead(store)).toBeGreaterThan(0)
    for (const time of await left()) expect(time).toBeLessThanOrEqual(0)
    // once is enough
    expect(await correctTimesAhead(store)).toBe(0)
    await store.sql.unsafe(`delete from ${from}`)
  })

  test('is left alone by a clock that is right', async () => {
    await store.sql.unsafe(`delete from ${from}`)
    await insert(-3600)
    const before = await left()
    expect(await correctTimesAhead(store)).toBe(0)
    const after = await left()
    for (const [i, time] of after.entries()) expect(Math.abs(time - (before[i] ?? 0))).toBeLessThan(30)
    await store.sql.unsafe(`delete from ${from}`)
  })
})

test('reminders that are due in a month, and mutes, are left alone', async () => {
  await store.sql`insert into alerts (id, rule_id, device_id, state, open, "timestamp", notified_at, next_at)
    values (9, 1, 1, 1, 0, now() - interval '1 day', now() - interval '1 day', now() + interval '29 days')`
  await store.sql`insert into faults (alert_id, rule_id, device_id, key, state, severity, message, began_at, muted_until)
    values (9, 1, 1, 'k', 1, 'critical', 'm', now() - interval '1 day', now() + interval '90 days')`
  expect(await correctTimesAhead(store)).toBe(0)
})
