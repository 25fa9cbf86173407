import { createSettings } from '../src/config/settings.ts'
import { createDispatcher } from '../src/core/alerts/dispatcher.ts'
import { createEngine } from '../src/core/alerts/engine.ts'
import { writeStatus } from '../src/core/availability/write.ts'
import type { Store } from '../src/core/database/client.ts'
import { createLog } from '../src/observe/log.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'
import { quantile, residentMib } from './support/watch.ts'

/**
 * Notifications that wait, as after a night without a way out: 100,000 (`--waiting N`) for four transports that answer at
 * once, of 25 rules on 1,000 devices. How fast they leave, against 4,000 in the same run; meanwhile two devices a second go
 * down, and the time from their status to the transports is measured, with none waiting as well. Theirs is another rule: of
 * one rule, what was stored first is sent first.
 */

const DEVICES = 1000
const RULES = 25
const TRANSPORTS = 4
const FEW = 4000
/** Devices beside those of the waiting notifications, which go down meanwhile. */
const OTHERS = 400
const MAX_MS = 300_000

export async function run(): Promise<BenchResult[]> {
  return await withDatabase(8, async (store) => {
    await fill(store)
    const context = await sample(store)
    const none = await drained(store, context, 0)
    const few = await drained(store, context, FEW)
    const many = await drained(store, context, option('waiting', 100_000))
    const p99 = quantile(many.took, 0.99)
    return [
      result('waiting notifications', many.waiting, ''),
      result('sent', many.rate, 'a second', { name: `with ${FEW} waiting`, value: few.rate }),
      result('CPU of the program', (many.cpuS / many.waiting) * 1000, 'ms each', {
        name: `with ${FEW} waiting`,
        value: (few.cpuS / FEW) * 1000,
      }),
      result('memory added meanwhile', many.addedMib, 'MiB', null, {
        text: 'at most 100 MiB',
        met: many.addedMib <= 100,
      }),
      result('devices down meanwhile and notified', many.took.length / many.down, ''),
      result('from their status to all transports, median', quantile(many.took, 0.5), 'ms', {
        name: 'none waiting',
        value: quantile(none.took, 0.5),
      }),
      result(
        'from their status to all transports, p99',
        p99,
        'ms',
        { name: 'none waiting', value: quantile(none.took, 0.99) },
        {
          text: 'at most 1 s',
          met: p99 <= 1000,
        },
      ),
    ]
  })
}

async function fill({ sql }: Store): Promise<void> {
  await sql`insert into devices (device_id, hostname, status, "sysDescr", hardware, os)
    select n, 'sw-' || n, 1, repeat('x', 120), 'C9300', 'ios' from generate_series(1, ${DEVICES + OTHERS}) n`
  await sql`insert into alert_transports (transport_id, transport_name, transport_type, is_default)
    overriding system value select n, 'webhook ' || n, 'webhook', 1 from generate_series(1, ${TRANSPORTS}) n`
  const builder = JSON.stringify({
    condition: 'AND',
    rules: [{ field: 'devices.status', operator: 'equal', value: '0' }],
  })
  // one rule is evaluated; those of the waiting notifications only have their names
  await sql`insert into alert_rules (id, severity, extra, name, query, builder, disabled) overriding system value
    select n, 'critical', '{}', 'rule ' || n, '', ${builder}, case when n = 1 then 0 else 1 end from generate_series(1, ${RULES + 1}) n`
  await sql`insert into alerts (rule_id, device_id, state, open, alerted)
    select r, d, 0, 0, 0 from generate_series(2, ${RULES + 1}) r, generate_series(1, ${DEVICES}) d`
  await sql`analyze`
}

/** The context of a notification, as the engine stores it. */
async function sample(store: Store): Promise<string> {
  const { sql } = store
  const engine = createEngine({
    store,
    settings: createSettings({}),
    log: createLog('silent'),
    notified: () => undefined,
  })
  await writeStatus(store, { deviceId: 1, up: false, reason: 'icmp', at: Date.now() })
  await engine.round()
  await writeStatus(store, { deviceId: 1, up: true, reason: '', at: Date.now() })
  await engine.round()
  await engine.stop()
  const [row] = await sql<{ context: string }[]>`select context::text as context from alert_outbox order by id limit 1`
  await sql`delete from alert_outbox`
  if (row === undefined) throw new Error('the engine stored no notification')
  return row.context
}

interface Drained {
  readonly waiting: number
  /** Notifications a second. */
  readonly rate: number
  readonly cpuS: number
  readonly addedMib: number
  readonly down: number
  /** ms of each device from its status to the last of the transports. */
  readonly took: readonly number[]
}

async function drained(store: Store, context: string, waiting: number): Promise<Drained> {
  const { sql } = store
  await sql`delete from alert_outbox`
  await sql`
    insert into alert_outbox (key, alert_id, rule_id, device_id, transport_id, kind, context, created_at, next_at)
    select gen_random_uuid()::text, a.id, a.rule_id, a.device_id, t, 'alert', ${context}::text::jsonb, now() - interval '1 hour', now()
    from (select * from alerts where device_id <= ${DEVICES} and rule_id > 1 order by rule_id, device_id limit ${Math.ceil(waiting / TRANSPORTS)}) a,
      generate_series(1, ${TRANSPORTS}) t`
  await sql`update devices set status = 1`
  const log = createLog('silent')
  const arrived = new Map<number, number[]>()
  let sent = 0
  const dispatcher = createDispatcher({
    store,
    log,
    async deliver(_, { device, kind }) {
      if (device.id > DEVICES && kind === 'alert')
        arrived.set(device.id, [...(arrived.get(device.id) ?? []), performance.now()])
      else if (device.id <= DEVICES) sent++
      return { kind: 'delivered' }
    },
  })
  const engine = createEngine({ store, settings: createSettings({}), log, notified: dispatcher.wake })
  engine.start()
  const deadline = performance.now() + MAX_MS
  while (engine.stats().rounds === 0 && performance.now() < deadline) await Bun.sleep(20)
  Bun.gc(true)
  const [before, cpu, began] = [residentMib(process.pid), process.cpuUsage(), performance.now()]
  let most = before
  let allAt: number | null = null
  dispatcher.start()
  const down = new Map<number, number>()
  for (let i = 0; performance.now() < deadline && (i < 20 || (allAt === null && i < OTHERS)); i++) {
    const id = DEVICES + 1 + i
    const at = performance.now()
    down.set(id, at)
    await writeStatus(store, { deviceId: id, up: false, reason: 'icmp', at: Date.now() })
    engine.written([id], ['status'])
    while (performance.now() - at < 500) {
      most = Math.max(most, residentMib(process.pid))
      if (allAt === null && sent >= waiting) allAt = performance.now()
      await Bun.sleep(20)
    }
  }
  const complete = () => [...down.keys()].every((id) => arrived.get(id)?.length === TRANSPORTS)
  while (!complete() && performance.now() < deadline) await Bun.sleep(20)
  const { user, system } = process.cpuUsage(cpu)
  await engine.stop()
  await dispatcher.stop()
  const seconds = ((allAt ?? performance.now()) - began) / 1000
  return {
    waiting,
    rate: sent / seconds,
    cpuS: (user + system) / 1e6,
    addedMib: most - before,
    down: down.size,
    took: [...down].flatMap(([id, at]) => {
      const of = arrived.get(id) ?? []
      return of.length === TRANSPORTS ? [Math.max(...of) - at] : []
    }),
  }
}
