import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { portlight } from '../cli/support.ts'
import { type Listening, serveTcp } from '../core/checks/support.ts'
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// The real server checks services of a device with Debian's snmpd; an alert rule reads them.

setDefaultTimeout(180_000)

const path = findSnmpd()
const WAIT_S = 60

describe.skipIf(path === null)('services of a device', () => {
  let agent: Snmpd
  let server: TestServer
  let sink: WebhookSink
  let listener: Listening
  let tcp = 0

  beforeAll(async () => {
    sink = startWebhookSink()
    agent = await startSnmpd(path ?? '', () => '')
    listener = await serveTcp((socket) => socket.end('hello\n'))
    const checks = ['services.interval=5', 'services.retry_interval=1']
    const settings = [...checks, 'poller.interval=5', 'icmp_check=false', 'outgoing.allow=127.0.0.0/8']
    server = await startTestServer(settings.flatMap((set) => ['--set', set]))
    const { sql } = await server.store()
    await sql`delete from alert_rules`
    await sql`
      insert into alert_transports (transport_name, transport_type, is_default, transport_config)
      values ('sink', 'webhook', 1, ${JSON.stringify({ url: sink.url })}::text::jsonb)`
    const rules = [
      { field: 'services.service_status', operator: 'equal', value: '2' },
      { field: 'macros.service', operator: 'equal', value: '1' },
    ]
    const rule = { name: 'service', severity: 'critical', devices: [-1], builder: { condition: 'AND', rules } }
    expect(await server.call('POST', '/rules', rule)).toMatchObject({ status: 200 })
    const device = { hostname: '127.0.0.1', port: agent.port, version: 'v2c', community: 'public' }
    expect(await server.call('POST', '/devices', device)).toMatchObject({ status: 200 })
  }, 120_000)
  afterAll(async () => {
    listener?.close()
    await server?.stop()
    await agent?.stop()
    sink?.stop()
  }, 60_000)

  async function service(type: string): Promise<Record<string, unknown> | undefined> {
    const { json } = await server.call('GET', '/services/127.0.0.1')
    return (json['services'] as Record<string, unknown>[][]).flat().find((one) => one['service_type'] === type)
  }

  const inState = (type: string, status: number) =>
    until(WAIT_S, `${type} in state ${status}`, async () => {
      const found = await service(type)
      return found?.['service_status'] === status && found['service_message'] !== 'Service not yet checked'
        ? found
        : null
    })

  test('added through the API and checked without delay, one of them with the credentials of the device', async () => {
    const added = await server.call('POST', '/services/127.0.0.1', { type: 'tcp', param: `-p ${listener.port}` })
    expect(added.status).toBe(201)
    const snmp = { type: 'snmp', param: '-o .1.3.6.1.2.1.1.5.0 -s portlight-test' }
    expect((await server.call('POST', '/services/127.0.0.1', snmp)).status).toBe(201)
    const ok = await inState('tcp', 0)
    tcp = Number(ok['service_id'])
    expect(ok).toMatchObject({ service_ds: '{"time":"s"}', service_message: expect.stringContaining('TCP OK') })
    expect(await inState('snmp', 0)).toMatchObject({ service_message: 'SNMP OK: value portlight-test' })
  })

  test('its values have a graph', async () => {
    const graph = await until(WAIT_S, 'a graph', async () => {
      const url = `${server.url}/api/v0/devices/127.0.0.1/services/${tcp}/graphs/time?from=-600`
      const answer = await fetch(url, { headers: { 'X-Auth-Token': server.token } })
      const octets = new Uint8Array(await answer.arrayBuffer())
      return answer.headers.get('content-type') === 'image/png' ? octets : null
    })
    expect([...graph.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
  })

  test('down: its state changes after three checks, and the rule notifies', async () => {
    listener.close()
    expect(await inState('tcp', 2)).toMatchObject({ service_message: 'TCP CRITICAL: Connection refused' })
    await until(WAIT_S, 'a notification', async () => sink.received.length > 0)
    expect(sink.received[0]?.body).toMatchObject({ kind: 'alert', rule: { name: 'service' } })
    const { json } = await server.call('GET', '/logs/eventlog/127.0.0.1?limit=100')
    const messages = (json['logs'] as { type: string; message: string }[]).filter(({ type }) => type === 'service')
    expect(messages.map(({ message }) => message)).toContain(
      'Service tcp changed from ok to critical: TCP CRITICAL: Connection refused',
    )
  })

  test('the command checks it now and prints what it ran', async () => {
    const { out, code } = await portlight(['service', 'check', String(tcp), '--data-dir', server.dataDir])
    expect(out).toContain(`built-in check tcp of 127.0.0.1 -p ${listener.port}`)
    expect(out).toContain('critical')
    expect(code).toBe(1)
    const list = await portlight(['service', 'list', '--device', '127.0.0.1', '--data-dir', server.dataDir])
    expect(list.out).toMatch(/tcp +127\.0\.0\.1 .*critical/)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('portlight_services{status="critical"} 1')
  })

  test('it recovers after the server and then the database were killed', async () => {
    await server.restart('SIGKILL')
    process.kill(server.postmaster(), 'SIGKILL')
    listener = await serveTcp((socket) => socket.end('hello\n'), null, listener.port)
    await until(
      WAIT_S,
      'the service is ok',
      async () => (await service('tcp').catch(() => undefined))?.['service_status'] === 0,
    )
    await until(WAIT_S, 'a recovery', async () => sink.kinds().includes('recovery'))
    expect(sink.kinds()).toEqual(['alert', 'recovery'])
  })
})
