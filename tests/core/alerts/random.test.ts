import { expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { createDispatcher } from '../../../src/core/alerts/dispatcher.ts'
import { createEngine } from '../../../src/core/alerts/engine.ts'
import type { AlertNotification, Delivery } from '../../../src/core/alerts/transports/notification.ts'
import { changeAlert } from '../../../src/core/alerts/write.ts'
import { connect } from '../../../src/core/database/client.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type Rng, rng } from '../../random/rng.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { type ModelAlert, modelAcknowledged, modelAlert, modelRound } from './model.ts'

// Random faults and acknowledgements, with the engine and the dispatcher killed at random moments: in the end, states
// and notifications must match those of a small model.

setDefaultTimeout(300_000)

const log = createLog('silent')
const settings = createSettings({ flags: { 'alert.flap_count': '0', 'alert.tolerance_window': '0' } })
const STEP_MS = 60_000
const DEVICES = [1, 2, 3]
const PORTS = 4

interface Rule {
  readonly id: number
  readonly delayMs: number
  readonly invert: boolean
  /** The faults of a rule on a device. */
  readonly faults: (world: World, device: number) => ReadonlySet<number>
}

/** Ports that are down, by device. */
type World = ReadonlyMap<number, Set<number>>

const down = (world: World, device: number) => world.get(device) ?? new Set<number>()
const RULES: readonly Rule[] = [
  { id: 1, delayMs: 0, invert: false, faults: down },
  { id: 2, delayMs: 2 * STEP_MS, invert: false, faults: down },
  { id: 3, delayMs: 0, invert: true, faults: (world, device) => new Set(down(world, device).size === 0 ? [0] : []) },
]

/** Runs the engine and the dispatcher until they have nothing left to do or are killed. */
async function live(
  url: string,
  now: number,
  killAfterMs: number | null,
  deliver: (notification: AlertNotification) => Delivery,
): Promise<boolean> {
  const store = connect(url, { max: 4 })
  let wake = (): void => undefined
  const engine = createEngine({ store, settings, log, now: () => now, notified: () => wake() })
  const dispatcher = createDispatcher({
    store,
    log,
    deliver: async (_, notification) => deliver(notification),
  })
  wake = dispatcher.wake
  const work = async (): Promise<boolean> => {
    await engine.round()
    for (;;) {
      // skips the time until the next attempt
      await store.sql`update alert_outbox set next_at = now()
        where sent_at is null and dead_at is null and claimed_at is null and next_at > now()`
      dispatcher.wake()
      const [left] = await store.sql<{ n: number }[]>`
        select count(*)::int as n from alert_outbox where sent_at is null and dead_at is null`
      if (left?.n === 0) return true
      await Bun.sleep(2)
    }
  }
  const killed = Promise.withResolvers<boolean>()
  const timer = killAfterMs === null ? null : setTimeout(() => killed.resolve(false), killAfterMs)
  try {
    return await Promise.race([work().catch(() => false), killed.promise])
  } finally {
    if (timer !== null) clearTimeout(timer)
    // Cuts every connection at once: open transactions are lost, as with kill -9.
    await store.close(0)
    await dispatcher.stop()
    await engine.stop()
  }
}

async function prepare({ store: { sql } }: TestDatabase): Promise<void> {
  const builder = {
    condition: 'AND',
    rules: [{ field: 'ports.ifOperStatus', operator: 'equal', value: 'down' }],
  }
  for (const device of DEVICES) {
    await sql`insert into devices (device_id, hostname, status) values (${device}, ${`d${device}`}, 1)`
    for (let port = 1; port <= PORTS; port++) {
      await sql`insert into ports (port_id, device_id, "ifIndex", "ifOperStatus")
        values (${device * 10 + port}, ${device}, ${port}, 'up')`
    }
  }
  for (const { id, delayMs, invert } of RULES) {
    await sql`insert into alert_rules (id, severity, extra, name, query, builder)
      values (${id}, 'critical', ${JSON.stringify({ delay: delayMs / 1000, invert })}, ${`rule ${id}`}, '',
        ${JSON.stringify(builder)})`
  }
  await sql`insert into alert_transports (transport_name, transport_type, is_default) values ('sink', 'webhook', 1)`
}

function turnPorts(world: World, random: Rng): number[] {
  const turned: number[] = []
  for (const device of DEVICES) {
    const ports = world.get(device) ?? new Set()
    const all = random.chance(0.15)
    for (let port = 1; port <= PORTS; port++) {
      if (!all && !random.chance(0.2)) continue
      turned.push(device * 10 + port)
      if (all) ports.delete(port)
      else if (!ports.delete(port)) ports.add(port)
    }
  }
  return turned
}

test.each([1, 2, 3, 4])('history %d', async (seed) => {
  const random = rng(seed * 7919)
  const database = await testDatabase()
  try {
    const { store, url } = database
    await prepare(database)
    const world: World = new Map(DEVICES.map((device) => [device, new Set<number>()]))
    const model = new Map<string, ModelAlert>()
    const received: { key: string; alert: string; kind: string }[] = []
    const deliver = (n: AlertNotification): Delivery => {
      if (random.chance(0.2)) return { kind: 'retry', reason: 'busy', afterMs: 0 }
      received.push({ key: n.key, alert: `${n.rule.id}/${n.device.id}`, kind: n.kind })
      return { kind: 'delivered' }
    }
    let now = Date.UTC(2026, 7, 1)
    let kills = 0
    for (let i = 0; i < 12; i++) {
      now += STEP_MS
      const turned = turnPorts(world, random)
      for (const id of turned) {
        const isDown = world.get(Math.floor(id / 10))?.has(id % 10) === true
        await store.sql`update ports set "ifOperStatus" = ${isDown ? 'down' : 'up'} where port_id = ${id}`
      }
      if (random.chance(0.3)) await acknowledge(database, model, random)
      // runs longer after each kill, so that a slow machine finishes too
      for (let ms = 40; !(await live(url, now, random.chance(0.7) ? random.below(ms) : null, deliver)); ms *= 1.5)
        kills++
      for (const rule of RULES) {
        for (const device of DEVICES) {
          const key = `${rule.id}/${device}`
          const alert = model.get(key) ?? modelAlert({ delayMs: rule.delayMs, inverted: rule.invert })
          model.set(key, alert)
          modelRound(alert, new Set(rule.faults(world, device)), now)
        }
      }
    }
    const stored = await store.sql<{ key: string; state: number; faults: string[] }[]>`
      select rule_id || '/' || device_id as key, state, array(select jsonb_object_keys(faults)) as faults from alerts`
    const states = new Map(stored.map(({ key, state, faults }) => [key, { state, faults: faults.length }]))
    const once = [...new Map(received.map((one) => [one.key, one])).values()]
    for (const [key, alert] of model) {
      const sent = once.filter((one) => one.alert === key).map(({ kind }) => kind)
      expect({ key, ...(states.get(key) ?? { state: 0, faults: 0 }), sent }).toEqual({
        key,
        state: alert.state,
        faults: alert.faults?.size ?? 0,
        sent: alert.sent,
      })
    }
    expect(kills).toBeGreaterThan(0)
  } finally {
    await database.drop()
  }
})

/** A user acknowledges an alert that was notified. */
async function acknowledge({ store }: TestDatabase, model: ReadonlyMap<string, ModelAlert>, random: Rng) {
  const heard = [...model].filter(([, alert]) => alert.state !== 0 && alert.state !== 2)
  if (heard.length === 0) return
  const [key, alert] = random.pick(heard)
  const [rule = '', device = ''] = key.split('/')
  const [row] = await store.sql<{ id: number }[]>`
    select id from alerts where rule_id = ${Number(rule)} and device_id = ${Number(device)}`
  const untilClear = random.chance(0.5)
  await changeAlert(
    store,
    { kind: 'all' },
    {
      id: row?.id ?? 0,
      state: 2,
      line: 'seen',
      until: untilClear ? 'clear' : 'worse',
      event: 'Alert acknowledged',
      username: 'someone',
    },
  )
  modelAcknowledged(alert, untilClear)
}
