import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// Debian's snmpd stops and starts again; the real server, killed at each step, notifies a real HTTP receiver.

setDefaultTimeout(180_000)

const path = findSnmpd()
const WAIT_S = 60

describe.skipIf(path === null)('an agent that stops and starts again', () => {
  let agent: Snmpd
  let server: TestServer
  let sink: WebhookSink
  let port = 0

  beforeAll(async () => {
    sink = startWebhookSink()
    agent = await startSnmpd(path ?? '', () => '')
    port = agent.port
    server = await startTestServer(
      [
        'outgoing.allow=127.0.0.0/8',
        'poller.interval=5',
        'snmp.timeout=0.5',
        'snmp.retries=1',
        'icmp_check=false',
      ].flatMap((set) => ['--set', set]),
    )
    const { sql } = await server.store()
    // only the test's own rule must apply, not those of a new installation
    await sql`delete from alert_rules`
    await sql`
      insert into alert_transports (transport_name, transport_type, is_default, transport_config)
      values ('sink', 'webhook', 1, ${JSON.stringify({ url: sink.url })}::text::jsonb)`
    const rule = {
      name: 'no answer',
      severity: 'critical',
      devices: [-1],
      builder: { condition: 'AND', rules: [{ field: 'macros.device_down', operator: 'equal', value: '1' }] },
    }
    expect(await server.call('POST', '/rules', rule)).toMatchObject({ status: 200 })
    const device = { hostname: '127.0.0.1', port, version: 'v2c', community: 'public' }
    expect(await server.call('POST', '/devices', device)).toMatchObject({ status: 200 })
  }, 120_000)
  afterAll(async () => {
    await server?.stop()
    await agent?.stop()
    sink?.stop()
  }, 60_000)

  /** The only alert, in any state. */
  async function alert(): Promise<Record<string, unknown> | null> {
    const { json } = await server.call('GET', '/alerts?state=0,1,2,3,4,5')
    const [found] = json['alerts'] as Record<string, unknown>[]
    return found ?? null
  }

  test('stopped: one notification is sent', async () => {
    await agent.stop()
    await until(WAIT_S, 'a notification', async () => sink.received.length > 0)
    expect(sink.received[0]?.body).toMatchObject({
      kind: 'alert',
      severity: 'critical',
      state: 1,
      device: { hostname: '127.0.0.1' },
      rule: { name: 'no answer' },
    })
    expect(await alert()).toMatchObject({ state: 1, open: 0, alerted: 1, severity: 'critical' })
    expect(JSON.stringify(sink.received)).not.toContain('public')
  })

  test('server killed: nothing is sent again', async () => {
    await server.restart('SIGKILL')
    await until(WAIT_S, 'another failed poll', async () => {
      const { sql } = await server.store()
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from ts.device_samples where uptime_s is null and time > now() - interval '4 seconds'`
      return (row?.n ?? 0) > 0
    })
    expect(sink.kinds()).toEqual(['alert'])
  })

  test('acknowledged: receivers are notified once', async () => {
    const id = (await alert())?.['id']
    expect(await server.call('PUT', `/alerts/${id}`, { note: 'looking', until_clear: true })).toMatchObject({
      status: 200,
    })
    await until(WAIT_S, 'the acknowledgement', async () => sink.kinds().length === 2)
    expect(sink.kinds()).toEqual(['alert', 'ack'])
    expect(await alert()).toMatchObject({ state: 2, open: 0 })
  })

  test('agent back while the database is unavailable: one recovery once it is available again', async () => {
    process.kill(server.postmaster(), 'SIGKILL')
    agent = await startSnmpd(path ?? '', () => '', port)
    await until(WAIT_S, 'the recovery', async () => sink.kinds().length === 3)
    expect(sink.kinds()).toEqual(['alert', 'ack', 'recovery'])
    await server.restart('SIGKILL')
    await until(WAIT_S, 'the alert to be over', async () => (await alert())?.['state'] === 0)
    expect(await alert()).toMatchObject({ state: 0, alerted: 0, open: 0, note: '' })
    expect(sink.kinds()).toEqual(['alert', 'ack', 'recovery'])
    // a notification delivered just before the kill may be sent again, with the same key
    expect(new Set(sink.received.map(({ key }) => key)).size).toBe(3)
    const { json } = await server.call('GET', '/logs/alertlog/127.0.0.1')
    expect((json['logs'] as Record<string, unknown>[]).map(({ state }) => state)).toEqual([1, 2, 0])
  })
})
