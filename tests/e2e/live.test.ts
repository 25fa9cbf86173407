import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { type EventClient, listenTo, type Received } from '../core/live/support.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// The real server polls Debian's snmpd; a client of its live events reconnects each time the server has ended.

setDefaultTimeout(180_000)

const path = findSnmpd()
const WAIT_S = 60

describe.skipIf(path === null)('a client of live events', () => {
  let agent: Snmpd
  let server: TestServer
  let client: EventClient

  beforeAll(async () => {
    agent = await startSnmpd(path ?? '', () => '')
    server = await startTestServer(
      ['poller.interval=5', 'snmp.timeout=0.5', 'snmp.retries=1', 'icmp_check=false', 'api.v1.enabled=true'].flatMap(
        (set) => ['--set', set],
      ),
    )
  }, 120_000)
  afterAll(async () => {
    client?.close()
    await server?.stop()
    await agent?.stop()
  }, 60_000)

  const seen = (what: string, is: (received: Received) => boolean) =>
    until(WAIT_S, what, async () => client.events.find(is))

  test('sees a device added, polled, down when its agent stops, and the alert', async () => {
    client = await listenTo(server.url, server.token)
    const device = { hostname: '127.0.0.1', port: agent.port, version: 'v2c', community: 'public' }
    expect(await server.call('POST', '/devices', device)).toMatchObject({ status: 200 })
    await seen('the device', ({ event, data }) => event === 'device' && data['change'] === 'added')
    const poll = await seen('a poll', ({ event, data }) => event === 'poll' && data['answered'] === true)
    expect(poll.data['duration']).toBeNumber()
    expect(poll.data['uptime']).toBeNumber()
    await agent.stop()
    await seen('the device down', ({ event, data }) => event === 'device' && data['status'] === 0)
    await seen('the alert', ({ event, data }) => event === 'alert' && data['change'] === 'opened')
    await seen('a silent poll', ({ event, data }) => event === 'poll' && data['answered'] === false)
    expect(JSON.stringify(client.events)).not.toContain('public')
  })

  test('is notified of the stop, and gets the events it missed after the next start', async () => {
    const { port } = agent
    const before = client
    await server.restart('SIGTERM')
    expect(before.events.at(-1)).toMatchObject({ event: 'end', data: { reason: 'stopping' } })
    expect(before.ended()).toBe('closed')
    agent = await startSnmpd(path ?? '', () => '', port)
    // up again before the client reconnects
    await until(WAIT_S, 'the device up', async () => {
      const { json } = await server.call('GET', '/devices/127.0.0.1')
      return (json['devices'] as Record<string, unknown>[])[0]?.['status'] === true
    })
    client = await listenTo(server.url, server.token, { lastId: before.lastId() })
    await seen('the missed change', ({ event, data }) => event === 'device' && data['status'] === 1)
    expect(client.events[0]).toMatchObject({ event: 'ready', data: { resumed: true } })
  })

  test('resumes after the server was killed', async () => {
    const before = client
    await server.restart('SIGKILL')
    await until(WAIT_S, 'the connection to break', async () => before.ended() !== 'open')
    client = await listenTo(server.url, server.token, { lastId: before.lastId() })
    await seen('the first event', () => true)
    expect(client.events[0]).toMatchObject({ event: 'ready', data: { resumed: true } })
    await seen('a poll', ({ event }) => event === 'poll')
  })
})
