import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// A core and three leaves with LLDP tables: real agents on loopback, a real server and a real HTTP receiver. While the core is
// off, or a leaf is, its agent does not answer; no leaf answers while the core is off.

setDefaultTimeout(180_000)

const WAIT_S = 60
const LEAVES = [1, 2, 3]
const NAMES = ['core', 'leaf-1', 'leaf-2', 'leaf-3']

const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })
const integer = (value: number): SnmpValue => ({ kind: 'Integer32', value })

function interfaces(names: readonly string[]): Record<string, SnmpValue> {
  return Object.fromEntries(
    names.flatMap((name, i): [string, SnmpValue][] => {
      const entry = (column: number, value: SnmpValue): [string, SnmpValue] => [
        `1.3.6.1.2.1.2.2.1.${column}.${i + 1}`,
        value,
      ]
      return [
        entry(1, integer(i + 1)),
        entry(2, text(name)),
        entry(3, integer(6)),
        entry(7, integer(1)),
        entry(8, integer(1)),
        [`1.3.6.1.2.1.31.1.1.1.1.${i + 1}`, text(name)],
      ]
    }),
  )
}

/** A neighbour at a port: its name, and the name of its port. */
function neighbour(port: number, name: string, remotePort: string): Record<string, SnmpValue> {
  const column = (n: number): string => `1.0.8802.1.1.2.1.4.1.1.${n}.0.${port}.1`
  return {
    [column(4)]: integer(7),
    [column(5)]: text(name),
    [column(6)]: integer(5),
    [column(7)]: text(remotePort),
    [column(9)]: text(name),
  }
}

function mibOf(i: number): Record<string, SnmpValue> {
  const name = NAMES[i] ?? ''
  return {
    '1.3.6.1.2.1.1.1.0': text(`Switch ${name}`),
    '1.3.6.1.2.1.1.2.0': { kind: 'ObjectIdentifier', value: '1.3.6.1.4.1.99999.1' },
    '1.3.6.1.2.1.1.3.0': { kind: 'TimeTicks', value: Math.floor(performance.now() / 10) + 100_000 },
    '1.3.6.1.2.1.1.5.0': text(name),
    ...(i === 0
      ? Object.assign(
          interfaces(['Gi1/0/1', 'Gi1/0/2', 'Gi1/0/3']),
          ...LEAVES.map((n) => neighbour(n, NAMES[n] ?? '', 'Gi0/1')),
        )
      : { ...interfaces(['Gi0/1']), ...neighbour(1, 'core', `Gi1/0/${i}`) }),
  }
}

describe('a core that goes off, and the leaves behind it', () => {
  const off = new Set<number>()
  let agents: TestAgent[]
  let server: TestServer
  let sink: WebhookSink

  beforeAll(async () => {
    sink = startWebhookSink()
    agents = await Promise.all(
      NAMES.map((_, i) =>
        startAgent(
          () => mibOf(i),
          { reply: (answer, _request, send) => (off.has(i) || off.has(0) ? undefined : send(answer)) },
          `127.77.0.${i + 1}`,
        ),
      ),
    )
    server = await startTestServer(
      [
        'outgoing.allow=127.0.0.0/8',
        'dependencies.attached=["127.77.0.1"]',
        'dependencies.wait=10',
        'poller.interval=5',
        'status.retry=2',
        'snmp.timeout=0.5',
        'snmp.retries=1',
        'icmp_check=false',
      ].flatMap((set) => ['--set', set]),
    )
    const { sql } = await server.store()
    await sql`delete from alert_rules`
    await sql`
      insert into alert_transports (transport_name, transport_type, is_default, transport_config)
      values ('sink', 'webhook', 1, ${JSON.stringify({ url: sink.url })}::text::jsonb)`
    const rule = {
      name: 'Device down',
      severity: 'critical',
      devices: [-1],
      builder: { condition: 'AND', rules: [{ field: 'macros.device_down', operator: 'equal', value: '1' }] },
    }
    expect(await server.call('POST', '/rules', rule)).toMatchObject({ status: 200 })
    for (const [i, { port }] of agents.entries()) {
      const device = { hostname: `127.77.0.${i + 1}`, port, version: 'v2c', community: 'public' }
      expect(await server.call('POST', '/devices', device)).toMatchObject({ status: 200 })
    }
  }, 120_000)
  afterAll(async () => {
    await server?.stop()
    for (const agent of agents ?? []) agent.stop()
    sink?.stop()
  }, 60_000)

  const titles = (): unknown[] => sink.received.map(({ body }) => (body as { title: unknown }).title)

  async function unreachable(): Promise<string[]> {
    const { sql } = await server.store()
    const rows = await sql<{ name: string }[]>`
      select d."sysName" as name from device_unreachable u join devices d using (device_id) where u.up_again is null order by 1`
    return rows.map(({ name }) => name)
  }

  test('the parents are found by themselves, and are in list_devices', async () => {
    await until(WAIT_S, 'the parents', async () => {
      const { sql } = await server.store()
      const rows = await sql`select from device_relationships where computed = 1`
      return rows.length === LEAVES.length
    })
    const { json } = await server.call('GET', '/devices')
    const devices = json['devices'] as Record<string, unknown>[]
    expect(devices.map((one) => [one['sysName'], one['dependency_parent_hostname']])).toEqual([
      ['core', null],
      ['leaf-1', '127.77.0.1'],
      ['leaf-2', '127.77.0.1'],
      ['leaf-3', '127.77.0.1'],
    ])
  })

  test('the core goes off: one alert, and the leaves are unreachable', async () => {
    off.add(0)
    await until(WAIT_S, 'the leaves to be unreachable', async () => (await unreachable()).length === LEAVES.length)
    await until(WAIT_S, 'a notification', () => Promise.resolve(sink.received.length > 0))
    // twice the time for which alerts wait
    const { sql } = await server.store()
    await until(WAIT_S, 'the time to pass', async () => {
      const [row] = await sql<{ over: boolean }[]>`
        select min(going_down) < extract(epoch from now()) - 20 as over from device_outages where up_again is null`
      return row?.over === true
    })
    expect(titles()).toEqual(['Alert: core (127.77.0.1) is down, 3 behind it'])
    const { json } = await server.call('GET', '/devices')
    const devices = json['devices'] as Record<string, unknown>[]
    expect(devices.map(({ status, status_reason: reason }) => [status, reason])).toEqual(NAMES.map(() => [0, 'snmp']))
  })

  test('the core is back, and one leaf is not: an alert for that leaf', async () => {
    off.add(2)
    off.delete(0)
    await until(WAIT_S, 'the alert of the leaf', () => Promise.resolve(sink.received.length >= 3))
    expect(titles().toSorted()).toEqual([
      'Alert: core (127.77.0.1) is down, 3 behind it',
      'Alert: leaf-2 (127.77.0.3) is down',
      'Recovered: core (127.77.0.1) was down',
    ])
    await until(WAIT_S, 'nothing to be unreachable', async () => (await unreachable()).length === 0)
  })
})
