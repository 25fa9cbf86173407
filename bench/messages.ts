import { createSettings } from '../src/config/settings.ts'
import { createDispatcher } from '../src/core/alerts/dispatcher.ts'
import { createEngine } from '../src/core/alerts/engine.ts'
import { createGrouper } from '../src/core/alerts/messages/grouper.ts'
import { USUAL_DEFAULTS } from '../src/core/alerts/messages/limits.ts'
import { sendingTransports, waitingAlerts } from '../src/core/alerts/messages/read-waiting.ts'
import { finishSending } from '../src/core/alerts/messages/write-results.ts'
import type { AlertNotification } from '../src/core/alerts/transports/notification.ts'
import { outboxCounts } from '../src/core/alerts/write-outbox.ts'
import { writeStatus } from '../src/core/availability/write.ts'
import type { Store } from '../src/core/database/client.ts'
import { createLog } from '../src/observe/log.ts'
import { withDatabase } from './support/database.ts'
import { type BenchResult, result } from './support/result.ts'
import { quantile } from './support/watch.ts'

/**
 * Messages of a storm: 50 ports down on each of 100 switches behind one core, at the same moment and over the interval of
 * their polls; the time from a device's status to a transport that groups, for alerts that are alone; and what looking for
 * messages costs with 25,000 notifications waiting.
 */

const SWITCHES = 100
const PORTS = 50

export async function run(): Promise<BenchResult[]> {
  return await withDatabase(8, async (store) => {
    await fill(store)
    return [
      ...(await storm(store)),
      ...(await scattered(store, 60)),
      ...(await scattered(store, 300)),
      ...(await alone(store)),
      ...(await looking(store)),
    ]
  })
}

async function fill({ sql }: Store): Promise<void> {
  await sql`insert into devices (device_id, hostname, status) select n, 'sw-' || n, 1 from generate_series(1, ${SWITCHES}) n`
  await sql`insert into ports (device_id, "ifIndex", "ifName", "ifOperStatus", "ifAdminStatus")
    select d, p, 'Gi1/0/' || p, 'up', 'up' from generate_series(1, ${SWITCHES}) d, generate_series(1, ${PORTS}) p`
  await sql`insert into alert_transports (transport_id, transport_name, transport_type, is_default)
    overriding system value values (1, 'NOC', 'mail', 1)`
  const rules = [
    { name: 'Port down', field: 'ports.ifOperStatus', value: 'down' },
    { name: 'Device down', field: 'devices.status', value: '0' },
  ]
  for (const { name, field, value } of rules)
    await sql`insert into alert_rules (severity, extra, name, query, builder) values ('critical', '{}', ${name}, '',
      ${JSON.stringify({ condition: 'AND', rules: [{ field, operator: 'equal', value }] })})`
  await sql`analyze`
}

/** An engine and a dispatcher that run while `work` does. */
async function running(
  store: Store,
  deliver: (notification: AlertNotification) => void,
  work: (engine: ReturnType<typeof createEngine>) => Promise<void>,
): Promise<void> {
  const log = createLog('silent')
  const dispatcher = createDispatcher({
    store,
    log,
    async deliver(_, notification) {
      deliver(notification)
      return { kind: 'delivered' }
    },
  })
  const engine = createEngine({ store, settings: createSettings({}), log, notified: dispatcher.wake })
  engine.start()
  dispatcher.start()
  try {
    await until(async () => engine.stats().rounds > 0)
    await work(engine)
  } finally {
    await engine.stop()
    await dispatcher.stop()
  }
}

async function storm(store: Store): Promise<BenchResult[]> {
  const sent: AlertNotification[] = []
  const counts: number[] = []
  let tookMs = 0
  await running(
    store,
    (notification) => sent.push(notification),
    async (engine) => {
      for (const state of ['down', 'up']) {
        const began = performance.now()
        const before = engine.stats().notifications
        await store.sql`update ports set "ifOperStatus" = ${state}`
        await engine.round()
        await until(async () => engine.stats().notifications - before >= SWITCHES)
        await until(async () => (await outboxCounts(store)).waiting === 0)
        counts.push(sent.length)
        if (state === 'down') tookMs = performance.now() - began
      }
    },
  )
  const [down = 0, all = 0] = counts
  return [
    result('5,000 ports down on 100 switches: messages', down, '', null, { text: '1', met: down === 1 }),
    result('their recovery: messages', all - down, '', null, { text: '1', met: all - down === 1 }),
    result('until the message was sent', tookMs / 1000, 's'),
  ]
}

/** The same over the interval of polls, by a clock of its own: a switch after another. */
async function scattered(store: Store, seconds: number): Promise<BenchResult[]> {
  const { sql } = store
  await clear(store)
  const start = Date.UTC(2026, 0, 1)
  let clock = start
  const grouper = createGrouper({ store, defaults: () => USUAL_DEFAULTS, now: () => clock })
  const counts: number[] = []
  let latest = 0
  for (const [kind, state] of [
    ['alert', 1],
    ['recovery', 0],
  ] as const) {
    let messages = 0
    for (let step = 0; step < SWITCHES + 500; step++) {
      clock += step < SWITCHES ? (seconds * 1000) / SWITCHES : 2000
      if (step < SWITCHES) {
        await sql`insert into alerts (id, device_id, rule_id, state) overriding system value
          values (${step + 1}, ${step + 1}, 1, ${state})
          on conflict (device_id, rule_id) do update set state = excluded.state, open = 0`
        const at = new Date(clock)
        await sql`insert into alert_outbox (key, alert_id, rule_id, device_id, transport_id, kind, context, created_at, next_at)
          values (gen_random_uuid()::text, ${step + 1}, 1, ${step + 1}, 1, ${kind}, '{"name": "Port down", "fault_count": 50}', ${at}, ${at})`
      }
      const claimed = (await grouper.claim(new Map(), 16)).messages
      for (const one of claimed) latest = Math.max(latest, clock - (one.parts[0]?.decided ?? clock))
      messages += claimed.length
      const results = new Map(claimed.map(({ id }) => [id, { transportId: 1, result: { kind: 'sent' } as const }]))
      await finishSending(store, { notifications: new Map(), messages: results }, { failures: 0 }, clock)
      if (step >= SWITCHES && (await outboxCounts(store)).waiting === 0) break
    }
    counts.push(messages)
    // as long as it takes for the pauses to be over
    clock += 600_000
  }
  return [
    result(`the same over ${seconds} s: messages`, counts[0] ?? Number.NaN, ''),
    result(`the same over ${seconds} s: messages of the recovery`, counts[1] ?? Number.NaN, ''),
    result(`the same over ${seconds} s: longest wait, recoveries included`, latest / 1000, 's'),
  ]
}

async function alone(store: Store): Promise<BenchResult[]> {
  await clear(store)
  const handed = new Map<number, number>()
  const began = new Map<number, number>()
  await running(
    store,
    ({ device, kind }) => {
      if (kind === 'alert') handed.set(device.id, performance.now())
    },
    async (engine) => {
      for (let id = 1; id <= 40; id++) {
        // as if nothing had been sent for a while
        await store.sql`update alert_messages set formed_at = formed_at - interval '1 hour' where ended_at is not null`
        began.set(id, performance.now())
        await writeStatus(store, { deviceId: id, up: false, reason: 'icmp', at: Date.now() })
        engine.written([id], ['status'])
        await until(async () => handed.has(id))
      }
    },
  )
  const took = [...began].flatMap(([id, at]) => (handed.has(id) ? [(handed.get(id) ?? 0) - at] : []))
  const p99 = quantile(took, 0.99)
  return [
    result('alone: devices that went down and were notified', took.length / began.size, ''),
    result('alone, from stored status to mail: median', quantile(took, 0.5), 'ms'),
    result('alone, from stored status to mail: p99', p99, 'ms', null, { text: 'at most 1 s', met: p99 <= 1000 }),
  ]
}

async function looking(store: Store): Promise<BenchResult[]> {
  const { sql } = store
  await clear(store)
  await sql`insert into devices (device_id, hostname, status) select n, 'more-' || n, 1 from generate_series(1000, 25999) n`
  await sql`insert into alerts (device_id, rule_id, state) select n, 1, 1 from generate_series(1000, 25999) n`
  await sql`insert into alert_outbox (key, alert_id, rule_id, device_id, transport_id, kind, context)
    select gen_random_uuid()::text, id, 1, device_id, 1, 'alert', '{}' from alerts where device_id >= 1000`
  await sql`analyze`
  const timed = async (work: () => Promise<unknown>) => {
    const took: number[] = []
    for (let i = 0; i < 20; i++) {
      const at = performance.now()
      await work()
      took.push(performance.now() - at)
    }
    return quantile(took, 0.5)
  }
  return [
    result(
      '25,000 wait: looking whether anything is due, median',
      await timed(() => sendingTransports(store, null)),
      'ms',
    ),
    result('25,000 wait: reading what a message takes, median', await timed(() => waitingAlerts(store, 1)), 'ms'),
  ]
}

async function clear({ sql }: Store): Promise<void> {
  await sql`truncate alert_outbox, alert_messages, alert_attempts`
  await sql`delete from alerts`
}

/** Waits at most two minutes for a condition. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await condition()) && performance.now() < deadline) await Bun.sleep(10)
}
