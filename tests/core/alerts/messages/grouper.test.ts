import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createGrouper } from '../../../../src/core/alerts/messages/grouper.ts'
import { USUAL_DEFAULTS } from '../../../../src/core/alerts/messages/limits.ts'
import type { OutboxResult } from '../../../../src/core/alerts/messages/result.ts'
import { finishSending } from '../../../../src/core/alerts/messages/write-results.ts'
import { claimOutbox, releaseClaims } from '../../../../src/core/alerts/write-outbox.ts'
import { type Rng, rng } from '../../../random/rng.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

// The times are made up: `clock` is the only clock of what is tested, on a real database.

setDefaultTimeout(300_000)

const START = Date.UTC(2026, 0, 1)
const [PLAIN, RATED, SINGLE, WINDOW] = [1, 2, 3, 4]
const RATES = new Map([
  [RATED, 3],
  [SINGLE, 2],
])
const ALERTS = 12

let database: TestDatabase
let clock = START

beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`insert into devices (device_id, hostname, status) select n, 'sw' || n, 1 from generate_series(1, ${ALERTS}) n`
  await sql`insert into alert_rules (id, severity, extra, name, query, builder)
    values (1, 'critical', '{}', 'down', '', '{}'), (2, 'warning', '{}', 'hot', '', '{}')`
  await sql`insert into alert_transports (transport_id, transport_name, transport_type, group_window, rate_per_minute)
    values (${PLAIN}, 'plain', 'mail', null, null), (${RATED}, 'rated', 'slack', null, 3),
      (${SINGLE}, 'single', 'webhook', null, 2), (${WINDOW}, 'window', 'mail', 60, null)`
  await sql`insert into alerts (id, device_id, rule_id, state) select n, n, 1 + n % 2, 0 from generate_series(1, ${ALERTS}) n`
}, 120_000)
afterAll(async () => {
  await database?.drop()
}, 60_000)
beforeEach(async () => {
  clock = START
  const { sql } = database.store
  await sql`truncate alert_outbox, alert_messages, alert_attempts`
  await sql`update alerts set state = 0, open = 0`
})

const grouper = () => createGrouper({ store: database.store, defaults: () => USUAL_DEFAULTS, now: () => clock })

/** Stores a notification of an alert for a transport, as the engine does, and returns its id. */
async function notify(alert: number, kind: string, transport: number, faults = 1): Promise<number> {
  const { sql } = database.store
  const at = new Date(clock)
  const context = {
    title: `${kind}: sw${alert}`,
    hostname: `sw${alert}`,
    name: alert % 2 === 0 ? 'down' : 'hot',
    severity: 'critical',
    elapsed: '2m',
    fault_count: faults,
    faults: [{ string: `Gi1/0/${alert}` }],
  }
  const [row] = await sql<{ id: number }[]>`
    insert into alert_outbox (key, alert_id, rule_id, device_id, transport_id, kind, context, created_at, next_at)
    values (gen_random_uuid()::text, ${alert}, ${1 + (alert % 2)}, ${alert}, ${transport}, ${kind},
      ${JSON.stringify(context)}::text::jsonb, ${at}, ${at}) returning id`
  return row?.id ?? 0
}

const setState = (alert: number, state: number) =>
  database.store.sql`update alerts set state = ${state} where id = ${alert}`

interface Attempt {
  readonly transport: number
  readonly key: string
  readonly rows: readonly number[]
  readonly at: number
  readonly what: 'notification' | 'message'
  readonly id: number
}

/** What may be sent now, by the same steps as the dispatcher. */
async function attempts(group: ReturnType<typeof grouper>, taken = new Map<number, number>()): Promise<Attempt[]> {
  const { messages, capacities } = await group.claim(taken, 16)
  const singles = await claimOutbox(database.store, capacities)
  return [
    ...messages.map((one) => ({
      transport: one.transport_id,
      key: one.single?.key ?? one.key,
      rows: one.parts.map(({ id }) => id),
      at: clock,
      what: 'message' as const,
      id: one.id,
    })),
    ...singles.map((one) => ({
      transport: one.transport_id,
      key: one.key,
      rows: [one.id],
      at: clock,
      what: 'notification' as const,
      id: one.id,
    })),
  ]
}

async function finish(some: readonly (readonly [Attempt, OutboxResult])[]): Promise<void> {
  const of = (what: Attempt['what']) =>
    new Map(
      some.flatMap(([attempt, result]) =>
        attempt.what === what ? [[attempt.id, { transportId: attempt.transport, result }] as const] : [],
      ),
    )
  await finishSending(
    database.store,
    { notifications: of('notification'), messages: of('message') },
    { failures: 0 },
    clock,
  )
}

const SENT: OutboxResult = { kind: 'sent' }

test('a group is one message, and so is its recovery', async () => {
  const group = grouper()
  for (let alert = 1; alert <= 10; alert++) {
    await setState(alert, 1)
    await notify(alert, 'alert', PLAIN)
    clock += 20
  }
  expect(await attempts(group)).toEqual([])
  clock += 3400
  const [down, ...others] = await attempts(group)
  expect(others).toEqual([])
  expect(down?.rows).toHaveLength(10)
  if (down !== undefined) await finish([[down, SENT]])
  // they recover one after another, over two minutes
  for (let alert = 1; alert <= 10; alert++) {
    clock += 12_000
    await setState(alert, 0)
    await notify(alert, 'recovery', PLAIN)
    if (alert < 10) expect(await attempts(group)).toEqual([])
  }
  const up = await attempts(group)
  expect(up.map(({ rows }) => rows.length)).toEqual([10])
})

test('what does not recover holds up the recovery of its group only for alert.recovery_window', async () => {
  const group = grouper()
  for (const alert of [1, 2, 3]) await setState(alert, 1)
  for (const alert of [1, 2, 3]) await notify(alert, 'alert', PLAIN)
  await attempts(group)
  clock += 1000
  await finish((await attempts(group)).map((one) => [one, SENT]))
  await setState(1, 0)
  const first = await notify(1, 'recovery', PLAIN)
  await attempts(group)
  clock += 299_000
  expect(await attempts(group)).toEqual([])
  clock += 1001
  expect((await attempts(group)).map(({ rows }) => rows)).toEqual([[first]])
})

test('an alert that began again after a recovery that waits is told with it, in order', async () => {
  const group = grouper()
  for (const alert of [1, 2]) await setState(alert, 1)
  for (const alert of [1, 2]) await notify(alert, 'alert', PLAIN)
  await attempts(group)
  clock += 1000
  await finish((await attempts(group)).map((one) => [one, SENT]))
  const ids = [await notify(1, 'recovery', PLAIN)]
  await attempts(group)
  clock += 10_000
  ids.push(await notify(1, 'alert', PLAIN))
  await attempts(group)
  clock += 400
  expect((await attempts(group)).map(({ rows }) => rows)).toEqual([ids])
})

test('a message is tried again as it was, with the same key, while others gather', async () => {
  const group = grouper()
  const first = await notify(1, 'alert', PLAIN)
  await attempts(group)
  clock += 400
  const [tried] = await attempts(group)
  const again: OutboxResult = { kind: 'again', afterMs: 2000, error: 'busy', countsAgainstTransport: true }
  if (tried !== undefined) await finish([[tried, again]])
  const others = [await notify(2, 'alert', PLAIN), await notify(1, 'recovery', PLAIN)]
  clock += 1000
  expect(await attempts(group)).toEqual([])
  clock += 1000
  const [second] = await attempts(group)
  expect(second).toMatchObject({ rows: [first], key: tried?.key })
  if (second !== undefined) await finish([[second, SENT]])
  await attempts(group)
  clock += 400
  expect((await attempts(group)).map(({ rows }) => rows)).toEqual([others])
})

test('notifications stay in order when a transport begins to group while one of them is sent alone', async () => {
  const { sql } = database.store
  const group = grouper()
  const ids = [await notify(1, 'alert', PLAIN)]
  await sql`update alert_transports set grouping = 0 where transport_id = ${PLAIN}`
  const [alone] = await attempts(group)
  expect(alone).toMatchObject({ what: 'notification', rows: ids })
  await sql`update alert_transports set grouping = null where transport_id = ${PLAIN}`
  ids.push(await notify(1, 'recovery', PLAIN))
  for (let i = 0; i < 3; i++) {
    expect(await attempts(group)).toEqual([])
    clock += 10_000
  }
  if (alone !== undefined)
    await finish([[alone, { kind: 'again', afterMs: 2000, error: 'busy', countsAgainstTransport: true }]])
  clock += 10_001
  expect((await attempts(group)).map(({ what, rows }) => ({ what, rows }))).toEqual([{ what: 'message', rows: ids }])
})

test('a message whose receiver keeps failing does not hold up other alerts for ever, and few of them are kept', async () => {
  const group = grouper()
  const again: OutboxResult = { kind: 'again', afterMs: 3_600_000, error: 'busy', countsAgainstTransport: true }
  const keys = new Set<string>()
  for (let i = 0; i < 40; i++) {
    const alert = 1 + (i % ALERTS)
    await notify(alert, 'alert', WINDOW)
    clock += 600_000
    const tried = await attempts(group)
    for (const { key } of tried) keys.add(key)
    await finish(tried.map((one) => [one, again]))
  }
  expect(keys.size).toBeGreaterThan(1)
  expect(keys.size).toBeLessThanOrEqual(5)
})

test('what a rate held back says so, where each alert is a message too', async () => {
  const group = grouper()
  for (const alert of [1, 2, 3]) await notify(alert, 'alert', SINGLE)
  await finish((await attempts(group)).map((one) => [one, SENT]))
  clock += 30_000
  const full = await group.claim(new Map(), 16)
  expect(full.capacities.capacities[full.capacities.ids.indexOf(SINGLE)]).toBe(0)
  expect(full.waitMs).toBe(30_000)
  clock += 30_000
  const free = await group.claim(new Map(), 16)
  expect(free.capacities.capacities[free.capacities.ids.indexOf(SINGLE)]).toBe(2)
  expect(free.heldByRate(SINGLE, 60_000)).toEqual({ why: 'rate', seconds: 60 })
  expect(free.heldByRate(SINGLE, 20_000)).toBeNull()
  expect(free.heldByRate(PLAIN, 60_000)).toBeNull()
})

test('a clock that is set back by an hour does not hold up what is new', async () => {
  const group = grouper()
  for (const alert of [1, 2, 3, 4]) {
    for (const transport of [PLAIN, SINGLE]) await notify(alert, 'alert', transport)
    await finish((await attempts(group)).map((one) => [one, SENT]))
    clock += 1000
    await finish((await attempts(group)).map((one) => [one, SENT]))
  }
  await notify(5, 'alert', PLAIN)
  await attempts(group)
  clock -= 3_600_000
  const late = [await notify(6, 'alert', PLAIN), await notify(6, 'alert', SINGLE)]
  const sent: number[] = []
  for (let i = 0; i < 60; i++) {
    clock += 5000
    const some = await attempts(group)
    sent.push(...some.flatMap(({ rows }) => rows))
    await finish(some.map((one) => [one, SENT]))
  }
  expect(sent).toEqual(expect.arrayContaining(late))
})

test('of thousands of notifications of one alert a message reads the first and the last, and all are sent', async () => {
  const { sql } = database.store
  await sql`insert into alert_outbox (key, alert_id, rule_id, device_id, transport_id, kind, context, created_at, next_at)
    select gen_random_uuid()::text, 1, 2, 1, ${PLAIN}::int, case n when 1 then 'alert' when 22000 then 'recovery' else 'repeat' end,
      '{"title": "down"}', ${new Date(clock)}, ${new Date(clock)} from generate_series(1, 22000) n`
  const group = grouper()
  await group.claim(new Map(), 16)
  clock += 11_000
  const { messages } = await group.claim(new Map(), 16)
  const [message] = messages
  expect(message?.parts).toHaveLength(20_000)
  expect([message?.parts[0]?.kind, message?.parts.at(-1)?.kind]).toEqual(['alert', 'recovery'])
  const sent = new Map([[message?.id ?? 0, { transportId: PLAIN, result: SENT }]])
  await finishSending(database.store, { notifications: new Map(), messages: sent }, { failures: 0 }, clock)
  expect((await sql`select count(*)::int as n from alert_outbox where sent_at is null`)[0]).toEqual({ n: 0 })
})

/** One random history. Everything that was stored is in `all`, in order by transport and alert. */
async function history(random: Rng): Promise<void> {
  let group = grouper()
  const all = new Map<string, number[]>()
  const made: Attempt[] = []
  const sent = new Map<number, string>()
  const dead = new Set<number>()
  const order = new Map<string, number[]>()
  let under: Attempt[] = []
  const { sql } = database.store

  async function change(): Promise<void> {
    const alert = 1 + random.below(ALERTS)
    const [row] = await sql<{ state: number }[]>`select state from alerts where id = ${alert}`
    const begins = row?.state === 0
    const kind = begins ? 'alert' : random.chance(0.3) ? random.pick(['worse', 'better', 'ack']) : 'recovery'
    await setState(alert, kind === 'recovery' ? 0 : 1)
    for (const transport of [PLAIN, RATED, SINGLE, WINDOW]) {
      const key = `${transport} ${alert}`
      all.set(key, [...(all.get(key) ?? []), await notify(alert, kind, transport)])
    }
  }

  async function claim(): Promise<void> {
    const taken = new Map<number, number>()
    for (const { transport } of under) taken.set(transport, (taken.get(transport) ?? 0) + 1)
    const some = await attempts(group, taken)
    made.push(...some)
    under.push(...some)
  }

  async function settle(fails: boolean): Promise<void> {
    const results: (readonly [Attempt, OutboxResult])[] = []
    const kept: Attempt[] = []
    for (const attempt of under) {
      if (fails && random.chance(0.3)) {
        kept.push(attempt)
        continue
      }
      const chance = fails ? random.next() : 0
      const result: OutboxResult =
        chance < 0.7
          ? SENT
          : chance < 0.95
            ? { kind: 'again', afterMs: random.below(30_000), error: 'busy', countsAgainstTransport: true }
            : { kind: 'dead', error: 'refused', countsAgainstTransport: true }
      if (result.kind === 'sent') delivered(attempt)
      if (result.kind === 'dead') for (const id of attempt.rows) dead.add(id)
      results.push([attempt, result])
    }
    under = kept
    await finish(results)
  }

  function delivered({ rows, key, transport }: Attempt): void {
    for (const id of rows) {
      // again only with the same key, after a kill
      expect(sent.get(id) ?? key).toBe(key)
      if (sent.has(id)) continue
      sent.set(id, key)
      order.set(String(transport), [...(order.get(String(transport)) ?? []), id])
    }
  }

  for (let step = 0; step < 120; step++) {
    clock += random.chance(0.5) ? random.below(400) : random.below(20_000)
    const storm = random.chance(0.1)
    for (let i = storm ? 15 : random.below(2); i > 0; i--) await change()
    await claim()
    if (random.chance(0.7)) await settle(true)
    if (random.chance(0.04)) {
      // killed: the receivers got what was under way, or did not
      for (const attempt of under) if (random.chance(0.5)) delivered(attempt)
      under = []
      group = grouper()
      clock += random.below(5000)
      await sql`update alert_attempts set ended_at = to_timestamp(${clock / 1000}) where ended_at is null`
      await releaseClaims(database.store, [])
    }
    const busy = under.filter(({ what }) => what === 'message').map(({ transport }) => transport)
    expect(new Set(busy).size).toBe(busy.length)
  }
  for (let i = 0; i < 400; i++) {
    clock += 40_000
    await claim()
    await settle(false)
    if (i % 20 === 19) {
      const [left] = await sql<{ n: number }[]>`
        select count(*)::int as n from alert_outbox where sent_at is null and dead_at is null`
      if (left?.n === 0) break
    }
  }

  // nothing is lost, and nothing is sent that was given up
  for (const [key, ids] of all) {
    const [transport = ''] = key.split(' ')
    expect(ids.filter((id) => !sent.has(id) && !dead.has(id))).toEqual([])
    // in order by alert
    const came = (order.get(transport) ?? []).filter((id) => ids.includes(id))
    expect(came).toEqual(came.toSorted((a, b) => a - b))
  }
  // the rate is kept
  for (const [transport, rate] of RATES) {
    const times = made.filter((one) => one.transport === transport).map(({ at }) => at)
    for (const at of times)
      expect(times.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(rate)
  }
  // grouped transports need fewer messages than there were notifications
  const grouped = made.filter(({ transport }) => transport === WINDOW).length
  expect(grouped).toBeLessThan(
    [...all].filter(([key]) => key.startsWith(`${WINDOW} `)).flatMap(([, ids]) => ids).length,
  )
}

for (const seed of [1, 2, 3])
  test(`random arrivals, failures and kills: nothing lost, nothing twice, rates kept, in order (${seed})`, async () => {
    await history(rng(seed))
  })
