import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { createLog } from '../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/postgres/embedded.ts'
import { temporaryFolder } from '../cli/support.ts'
import { type MailSink, startMailSink } from '../support/mail-sink.ts'
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// Debian's snmpd stops and starts again; mail and webhook arrive at real servers, with the texts of a template. The
// same while the server is killed, or the database is unavailable, at every step. Receivers recognise repetitions by
// the key.

setDefaultTimeout(300_000)

const path = findSnmpd()
const WAIT_S = 90
const DELAY_S = 4
const silent = createLog('silent')

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
}, 60_000)

interface Stage {
  server: TestServer
  agent: Snmpd
  readonly mails: MailSink
  readonly hooks: WebhookSink
}

/** Runs a step of the scenario while disturbing the server. */
type Disturb = (stage: Stage, step: () => Promise<unknown>) => Promise<void>

const nothing: Disturb = async (_, step) => void (await step())

const kill: Disturb = async ({ server }, step) => {
  await step()
  await server.restart('SIGKILL')
}

/** An embedded database that `disturb` stops and starts again after each step. */
function outages(dataDir: string): { start(): Promise<EmbeddedServer>; disturb: Disturb } {
  let database: EmbeddedServer | null = null
  const start = async (): Promise<EmbeddedServer> => {
    database = await startEmbedded({ dataDir, log: silent })
    return database
  }
  cleanups.push(() => database?.stop())
  return {
    start,
    async disturb({ server }, step) {
      await step()
      await database?.stop()
      await ready(server, 503)
      await start()
      await ready(server, 200)
    },
  }
}

const ready = (server: TestServer, status: number) =>
  until(WAIT_S, `/readyz is ${status}`, async () => (await fetch(`${server.url}/readyz`)).status === status)

async function prepare(database: { readonly url: string } | null): Promise<Stage> {
  const hooks = startWebhookSink()
  cleanups.push(() => hooks.stop())
  const mails = await startMailSink()
  cleanups.push(() => mails.stop())
  const agent = await startSnmpd(path ?? '', () => '')
  const settings = [
    'outgoing.allow=127.0.0.0/8',
    'poller.interval=5',
    'snmp.timeout=0.5',
    'snmp.retries=1',
    'icmp_check=false',
    'alert.tolerance_window=0',
    'alert.graph_url=https://monitor.example.net',
  ]
  const server = await startTestServer(
    settings.flatMap((set) => ['--set', set]),
    database,
  )
  const stage: Stage = { server, agent, mails, hooks }
  cleanups.push(() => stage.server.stop())
  cleanups.push(() => stage.agent.stop())
  const { sql } = await server.store()
  // only the test's own rule must apply, not those of a new installation
  await sql`delete from alert_rules`
  const configs = {
    webhook: { url: hooks.url },
    mail: { host: '127.0.0.1', port: mails.port, security: 'none', from: 'nms@example.net', to: 'noc@example.net' },
  }
  for (const [kind, config] of Object.entries(configs))
    await sql`insert into alert_transports (transport_name, transport_type, is_default, transport_config)
      values (${kind}, ${kind}, 1, ${JSON.stringify(config)}::text::jsonb)`
  const rule = {
    name: 'no answer',
    severity: 'critical',
    devices: [-1],
    delay: `${DELAY_S} s`,
    builder: { condition: 'AND', rules: [{ field: 'macros.device_down', operator: 'equal', value: '1' }] },
  }
  expect(await server.call('POST', '/rules', rule)).toMatchObject({ status: 200 })
  const [{ id } = { id: 0 }] = await sql<{ id: number }[]>`select id from alert_rules`
  const template = {
    name: 'agents',
    alert_rules: [id],
    title: '{{ $alert->severity }}: {{ $alert->hostname }} {{ $alert->name }}',
    title_rec: 'Ended: {{ $alert->hostname }}',
    template: [
      '@if ($alert->state == 0)',
      'answers again',
      '@else',
      '@foreach ($alert->faults as $key => $value)',
      '#{{ $key }} {{ $value["hostname"] }} is down',
      '@endforeach',
      '@endif',
    ].join('\n'),
  }
  expect(await server.call('POST', '/alert_templates', template)).toMatchObject({ status: 201 })
  const device = { hostname: '127.0.0.1', port: agent.port, version: 'v2c', community: 'public' }
  expect(await server.call('POST', '/devices', device)).toMatchObject({ status: 200 })
  return stage
}

/** The only alert, in any state; null: there is none, or the API does not answer now. */
async function alert({ server }: Stage): Promise<Record<string, unknown> | null> {
  const { status, json } = await server.call('GET', '/alerts?state=0,1,2,3,4,5')
  return status === 200 ? ((json['alerts'] as Record<string, unknown>[])[0] ?? null) : null
}

async function inState(stage: Stage, state: number): Promise<Record<string, unknown>> {
  return await until(WAIT_S, `an alert in state ${state}`, async () => {
    const found = await alert(stage)
    return found?.['state'] === state ? found : null
  })
}

/** Waits until both receivers have got these notifications, each key once, and no others. */
async function heard({ mails, hooks }: Stage, kinds: readonly string[]): Promise<void> {
  await until(WAIT_S, `${kinds.at(-1)} at both receivers`, async () =>
    [mails.kinds(), hooks.kinds()].every((heardOf) => heardOf.length >= kinds.length),
  )
  expect([mails.kinds(), hooks.kinds()]).toEqual([[...kinds], [...kinds]])
}

async function scenario(stage: Stage, disturb: Disturb): Promise<void> {
  const { server, mails, hooks } = stage
  const { port } = stage.agent
  await disturb(stage, () => stage.agent.stop())
  await inState(stage, 1)
  // while the delay lasts
  await disturb(stage, async () => undefined)
  await heard(stage, ['alert'])
  expect(mails.received[0]?.subject).toBe('critical: 127.0.0.1 no answer')
  expect(mails.received[0]?.raw).toContain('#1 127.0.0.1 is down')
  expect(hooks.received[0]?.body).toMatchObject({
    kind: 'alert',
    title: 'critical: 127.0.0.1 no answer',
    text: expect.stringContaining('#1 127.0.0.1 is down'),
    url: expect.stringMatching(/^https:\/\/monitor\.example\.net\/alerts\/\d+$/),
    device: { url: expect.stringMatching(/^https:\/\/monitor\.example\.net\/device\/\d+$/) },
  })
  const { sql } = await server.store()
  const [waited] = await sql<{ seconds: number }[]>`
    select extract(epoch from min(o.created_at) - min(l.time_logged))::float8 as seconds
    from alert_outbox o join alert_log l using (device_id) where o.kind = 'alert' and l.state = 1`
  // alert_log has whole seconds
  expect(waited?.seconds).toBeGreaterThan(DELAY_S - 1)

  await disturb(stage, async () => undefined)
  const { id } = await inState(stage, 1)
  await disturb(stage, async () => {
    const answer = await server.call('PUT', `/alerts/${id}`, { note: 'looking', until_clear: true })
    expect(answer).toMatchObject({ status: 200 })
  })
  await heard(stage, ['alert', 'ack'])
  expect(await inState(stage, 2)).toMatchObject({ open: 0 })

  await disturb(stage, async () => {
    stage.agent = await startSnmpd(path ?? '', () => '', port)
  })
  await heard(stage, ['alert', 'ack', 'recovery'])
  expect(mails.received.at(-1)).toMatchObject({ kind: 'recovery', subject: 'Ended: 127.0.0.1' })
  expect(hooks.received.at(-1)?.body).toMatchObject({ state: 0, text: expect.stringContaining('answers again') })
  await disturb(stage, async () => undefined)
  await polls(stage, 2)
  expect(await inState(stage, 0)).toMatchObject({ alerted: 0, open: 0, note: '' })

  // the acknowledgement ended with the problem, so the next problem is notified
  await stage.agent.stop()
  await heard(stage, ['alert', 'ack', 'recovery', 'alert'])
  const { json } = await server.call('GET', '/logs/alertlog/127.0.0.1')
  expect((json['logs'] as Record<string, unknown>[]).map(({ state }) => state).toSorted()).toEqual([0, 1, 1, 2])
}

/** Waits for `count` more polls that the device answers. */
async function polls({ server }: Stage, count: number): Promise<void> {
  const answered = async (): Promise<number> => {
    const { sql } = await server.store()
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from ts.device_samples where uptime_s is not null`
    return row?.n ?? 0
  }
  const before = await answered()
  await until(WAIT_S, `${count} polls`, async () => (await answered()) >= before + count)
}

describe.skipIf(path === null)('an agent that stops and starts again: one mail and one webhook each', () => {
  test('undisturbed', async () => {
    await scenario(await prepare(null), nothing)
  })

  test('while the server is killed at every step', async () => {
    await scenario(await prepare(null), kill)
  })

  test('while the database is stopped and started at every step', async () => {
    const folder = temporaryFolder()
    cleanups.push(() => folder.remove())
    const { start, disturb } = outages(join(folder.path, 'database'))
    await scenario(await prepare(await start()), disturb)
  })
})
