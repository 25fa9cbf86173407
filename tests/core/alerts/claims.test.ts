import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { claimOutbox } from '../../../src/core/alerts/write-outbox.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(120_000)

const RULES = 100
const EACH = 12
const ROOM = 32

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`insert into devices (device_id, hostname, status) select n, 'sw' || n, 1 from generate_series(1, ${EACH}::int) n`
  await sql`insert into alert_rules (id, severity, extra, name, query, builder) overriding system value
    select n, 'critical', '{}', 'rule ' || n, '', '{}' from generate_series(1, ${RULES + 1}::int) n`
  await sql`insert into alert_transports (transport_id, transport_name, transport_type) overriding system value
    values (1, 'one', 'webhook'), (2, 'two', 'webhook')`
  await sql`insert into alerts (id, device_id, rule_id, state) overriding system value
    select r * 1000 + d, d, r, 1 from generate_series(1, ${RULES + 1}::int) r, generate_series(1, ${EACH}::int) d`
})
afterAll(async () => {
  await database?.drop()
}, 60_000)
beforeEach(async () => {
  await database.store.sql`truncate alert_outbox, alert_messages, alert_attempts`
})

/**
 * Stores one notification about each of the first devices for a rule and transport; the first device's is the oldest.
 * `minutes`: since when it waits.
 */
const notify = (rule: number, devices: number, transport = 1, minutes = 5) =>
  database.store.sql`
    insert into alert_outbox (key, alert_id, rule_id, device_id, transport_id, kind, context, created_at, next_at)
    select gen_random_uuid()::text, ${rule}::int * 1000 + d, ${rule}, d, ${transport}, 'alert', '{}',
      now() - ${minutes}::int * interval '1 minute' + d * interval '1 second', now() - ${minutes}::int * interval '1 minute' + d * interval '1 second'
    from generate_series(1, ${devices}::int) d`

async function claim(capacities: readonly number[] = [ROOM, ROOM]) {
  const items = await claimOutbox(database.store, { ids: [1, 2], capacities, others: 0 })
  const ids = `{${items.map(({ id }) => id).join()}}`
  await database.store.sql`update alert_outbox set sent_at = now() where id = any(${ids}::text::bigint[])`
  return items
}

test('a rule with one notification is claimed before a hundred rules with many', async () => {
  for (let rule = 1; rule <= RULES; rule++) await notify(rule, EACH)
  await notify(RULES + 1, 1)
  const [first] = await claim()
  expect(first?.rule_id).toBe(RULES + 1)
})

test('all are claimed once, as many as there is room for, those of a rule in their order', async () => {
  for (let rule = 1; rule <= RULES; rule++) {
    await notify(rule, 1 + (rule % EACH))
    if (rule % 3 === 0) await notify(rule, EACH, 2)
  }
  const claimed = new Map<number, number>()
  const last = new Map<string, number>()
  for (let items = await claim(); items.length > 0; items = await claim()) {
    for (const transport of [1, 2])
      expect(items.filter((one) => one.transport_id === transport).length).toBeLessThanOrEqual(ROOM)
    for (const { id, rule_id, device_id, transport_id } of items) {
      const key = `${rule_id} ${transport_id}`
      expect(device_id).toBe((last.get(key) ?? 0) + 1)
      last.set(key, device_id ?? 0)
      claimed.set(id, (claimed.get(id) ?? 0) + 1)
    }
  }
  const [stored] = await database.store.sql<{ n: number }[]>`select count(*)::int as n from alert_outbox`
  expect(claimed.size).toBe(stored?.n ?? 0)
  expect([...claimed.values()].every((times) => times === 1)).toBe(true)
})

test('one rule alone fills the room, and a room of one takes one', async () => {
  await notify(1, EACH)
  expect((await claim([10, 10])).length).toBe(10)
  expect((await claim([1, 1])).length).toBe(1)
  expect((await claim([0, 0])).length).toBe(0)
  expect((await claim()).length).toBe(1)
})

test('a rule with many is sent although others have as many new notifications as there is room for', async () => {
  await notify(1, EACH, 1, 60)
  const sent: (number | null)[] = []
  for (let round = 0; round < 400 && sent.filter((rule) => rule === 1).length < EACH; round++) {
    for (const rule of [2, 3]) await notify(rule, 1, 1, 1)
    const items = await claim([2, 2])
    expect(items).toHaveLength(2)
    sent.push(...items.map(({ rule_id }) => rule_id))
  }
  expect(sent.filter((rule) => rule === 1)).toHaveLength(EACH)
  // and those go first most of the time
  expect(sent.filter((rule) => rule !== 1).length).toBeGreaterThan(EACH)
})
