import { expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { createEngine } from '../../../src/core/alerts/engine.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type Rng, rng } from '../../random/rng.ts'
import { type Person, type TestWeb, testWeb } from '../../web/support.ts'
import { type ModelAlert, modelAcknowledged, modelAlert, modelRound, modelUnmuted } from './model.ts'

// Random faults, and acknowledgements in every way that a person or program has: in time, too late, doubled, and from
// pages that were opened during an earlier problem. States and notifications must match those of a small model.

setDefaultTimeout(300_000)

const settings = createSettings({ flags: { 'alert.flap_count': '0', 'alert.tolerance_window': '0' } })
const STEP_MS = 60_000
const DEVICES = [1, 2]
const PORTS = 3
const RULES = [
  { id: 1, delayMs: 0 },
  { id: 2, delayMs: 2 * STEP_MS },
]

/** An alert of the model, and where it is stored. */
interface KnownAlert extends ModelAlert {
  readonly id: number
  readonly rule: number
  readonly device: number
}

/** A page as it was opened: what its form sends, and the problem that it showed. */
interface OpenedPage {
  readonly alert: KnownAlert
  readonly problem: number
  readonly path: string
  readonly form: Readonly<Record<string, string>>
}

async function world(web: TestWeb, random: Rng): Promise<KnownAlert[]> {
  const { sql } = web.api.store
  await sql`delete from alert_rules`
  await sql`delete from alert_transports`
  for (const device of DEVICES) {
    await sql`insert into devices (device_id, hostname, status) overriding system value values (${device}, ${`d${device}`}, 1)`
    for (let port = 1; port <= PORTS; port++) {
      await sql`insert into ports (port_id, device_id, "ifIndex", "ifOperStatus")
        values (${device * 10 + port}, ${device}, ${port}, 'up')`
    }
  }
  const builder = { condition: 'AND', rules: [{ field: 'ports.ifOperStatus', operator: 'equal', value: 'down' }] }
  for (const { id, delayMs } of RULES) {
    await sql`insert into alert_rules (id, severity, extra, name, query, builder)
      values (${id}, 'critical', ${JSON.stringify({ delay: delayMs / 1000 })}, ${`rule ${id}`}, '', ${JSON.stringify(builder)})`
  }
  await sql`insert into alert_transports (transport_name, transport_type, is_default) values ('sink', 'webhook', 1)`
  const alerts: KnownAlert[] = []
  for (const { id: rule, delayMs } of RULES) {
    for (const device of DEVICES) {
      // half of them begin as an import leaves them: notified elsewhere, with faults that are not known
      const state = random.chance(0.5) ? random.below(6) : 0
      const untilClear = random.chance(0.5)
      const [row] = await sql<{ id: number }[]>`
        insert into alerts (device_id, rule_id, state, alerted, open, info)
        values (${device}, ${rule}, ${state}, ${state}, 0, ${state === 2 ? JSON.stringify({ until_clear: untilClear }) : ''})
        returning id`
      const imported = modelAlert({
        delayMs,
        state,
        heard: state !== 0,
        untilClear: state === 2 ? untilClear : true,
        faults: state === 0 ? new Map() : null,
        unknown: {
          since: 0,
          told: true,
          speaks: false,
          acknowledged: state === 2 ? { until: untilClear ? 'clear' : 'worse', count: null } : null,
        },
      })
      alerts.push({ ...imported, id: row?.id ?? 0, rule, device })
    }
  }
  return alerts
}

/** Opens the page of an alert, or the list of open ones; null: it offers no acknowledgement. */
async function opened(web: TestWeb, person: Person, alert: KnownAlert, list: boolean): Promise<OpenedPage | null> {
  const path = list ? '/alerts' : `/alerts/${alert.id}`
  const text = await (await web.send(path, { cookie: person.cookie })).text()
  const shown = list
    ? new RegExp(`name="alert-${alert.id}" value="(\\d+)"`).exec(text)?.[1]
    : /name="seen" value="(\d+)"/.exec(text)?.[1]
  expect({ path, offered: shown !== undefined }).toEqual({ path, offered: alert.state !== 0 })
  if (shown === undefined) return null
  const form = list ? { [`alert-${alert.id}`]: shown } : { seen: shown }
  return { alert, problem: alert.problem, path, form }
}

async function act(web: TestWeb, person: Person, token: string, alert: KnownAlert, pages: OpenedPage[], random: Rng) {
  const untilClear = random.chance(0.5)
  const call = (path: string, body: object) => web.api.call('PUT', `/api/v0/alerts/${path}`, { body, token })
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    web.post(
      path,
      { csrf: person.csrf, note: 'n', ...(untilClear && { until_clear: '1', until: 'clear' }), ...form },
      { cookie: person.cookie },
    )
  const way = random.below(6)
  const times = random.chance(0.3) ? 2 : 1
  for (let i = 0; i < times; i++) {
    if (way === 0) {
      const { json } = await call(String(alert.id), { note: 'late?', ...(untilClear && { until_clear: true }) })
      expect(json).toMatchObject({
        status: 'ok',
        message: alert.state === 0 ? expect.stringContaining('already ended') : 'Alert has been acknowledged',
      })
      modelAcknowledged(alert, untilClear)
    } else if (way === 1) {
      await call(`unmute/${alert.id}`, {})
      modelUnmuted(alert)
    } else if (way === 2) {
      await post(`/alerts/${alert.id}`, { do: 'unmute' })
      modelUnmuted(alert)
    } else if (way === 3) {
      // a form without the time at which the problem began, as a script sends it
      await post('/alerts', { do: 'acknowledge', [`alert-${alert.id}`]: 'on' })
      modelAcknowledged(alert, untilClear)
    } else if (way === 4 || pages.length === 0) {
      const page = await opened(web, person, alert, random.chance(0.5))
      if (page !== null) pages.push(page)
    } else {
      const page = random.pick(pages)
      await post(page.path, { do: 'acknowledge', ...page.form })
      if (page.problem === page.alert.problem) modelAcknowledged(page.alert, untilClear)
    }
  }
}

test.each([1, 2, 3, 4, 5, 6])(
  'history %d: an acknowledgement applies to the problem that it meant, and to no other',
  async (seed) => {
    const random = rng(seed * 104_729)
    const web = await testWeb()
    const { store } = web.api
    let now = Date.UTC(2026, 7, 1)
    const engine = createEngine({
      store,
      settings,
      log: createLog('silent'),
      now: () => now,
      notified: () => undefined,
    })
    try {
      const person = await web.signedIn(['admin'])
      const { token } = await web.api.token(['admin'])
      const alerts = await world(web, random)
      const down = new Map(DEVICES.map((device) => [device, new Set<number>()]))
      const pages: OpenedPage[] = []
      let late = 0
      for (let i = 0; i < 25; i++) {
        now += STEP_MS
        for (const device of DEVICES) {
          const ports = down.get(device) ?? new Set()
          const all = random.chance(0.3)
          for (let port = 1; port <= PORTS; port++) {
            if (all ? !ports.delete(port) : !random.chance(0.2)) continue
            if (!all && !ports.delete(port)) ports.add(port)
            await store.sql`update ports set "ifOperStatus" = ${ports.has(port) ? 'down' : 'up'} where port_id = ${device * 10 + port}`
          }
        }
        await engine.round()
        for (const alert of alerts) modelRound(alert, new Set(down.get(alert.device)), now)
        for (let n = random.below(5); n > 0; n--) {
          const alert = random.pick(alerts)
          if (alert.state === 0) late++
          await act(web, person, token, alert, pages, random)
        }
        const rows = await store.sql<{ id: number; state: number; sent: string[] }[]>`
        select a.id, a.state, array(select o.kind from alert_outbox o where o.alert_id = a.id order by o.id) as sent
        from alerts a order by a.rule_id, a.device_id`
        expect({ step: i, rows: [...rows] }).toEqual({
          step: i,
          rows: alerts.map(({ id, state, sent }) => ({ id, state, sent })),
        })
      }
      expect(late).toBeGreaterThan(0)
    } finally {
      await engine.stop()
      await web.drop()
    }
  },
)
