import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { portlight } from '../cli/support.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// Debian's snmpd, added through the API with each SNMP version and monitored by the real server.

setDefaultTimeout(120_000)

const path = findSnmpd()
const PASSPHRASE = 'correct horse battery'
const WRITE = 'e2e-write'
const DEVICES = [
  { hostname: '127.0.0.1', body: { version: 'v2c', community: 'public' } },
  { hostname: '127.0.0.2', body: { version: 'v1', community: 'public' } },
  {
    hostname: '127.0.0.3',
    body: {
      version: 'v3',
      authlevel: 'authPriv',
      authname: 'watcher',
      authpass: PASSPHRASE,
      authalgo: 'SHA',
      cryptopass: PASSPHRASE,
      cryptoalgo: 'AES',
    },
  },
] as const

describe.skipIf(path === null)('a real agent, from adding it to rates', () => {
  let agent: Snmpd
  let server: TestServer

  beforeAll(async () => {
    agent = await startSnmpd(path ?? '', (port) =>
      [
        `agentaddress udp:127.0.0.2:${port},udp:127.0.0.3:${port}`,
        `rwcommunity ${WRITE}`,
        `createUser watcher SHA "${PASSPHRASE}" AES "${PASSPHRASE}"`,
        'rouser watcher authpriv',
      ].join('\n'),
    )
    // one agent with three addresses has one sysName; polls run only when the test requests them
    server = await startTestServer(['--set', 'allow_duplicate_sysName=true', '--set', 'poller.interval=86400'])
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    await agent?.stop()
  }, 60_000)

  test.each(DEVICES)(
    '$body.version: added by POST /devices, its ports are in the API within 30 s',
    async ({ hostname, body }) => {
      const added = await server.call('POST', '/devices', { hostname, port: agent.port, ...body })
      expect(added.json).toMatchObject({ status: 'ok', count: 1 })
      expect(added.status).toBe(200)
      const ports = await until(30, 'ports in the API', async () => {
        const { status, json } = await server.call(
          'GET',
          `/devices/${hostname}/ports?columns=ifName,ifType,ifOperStatus,ifMtu`,
        )
        return status === 200 && (json['ports'] as Record<string, unknown>[])
      })
      expect(ports).toContainEqual({ ifName: 'lo', ifType: 'softwareLoopback', ifOperStatus: 'up', ifMtu: 65536 })
      const { json } = await server.call('GET', `/devices/${hostname}`)
      expect((json['devices'] as unknown[])[0]).toMatchObject({
        os: 'linux',
        snmpver: body.version,
        status: true,
        sysName: 'portlight-test',
      })
    },
  )

  test("wrong credentials are refused with the contract's message", async () => {
    const { status, json } = await server.call('POST', '/devices', {
      hostname: '127.0.0.4',
      port: agent.port,
      version: 'v2c',
      community: 'wrong',
    })
    expect(status).toBe(503)
    expect(String(json['message'])).toContain('Could not connect to 127.0.0.4')
  })

  test.each(DEVICES)(
    '$body.version: the stored rate of an interface with known traffic is correct',
    async ({ hostname }) => {
      await forgetAgentCache(agent.port)
      await pollNow(server, hostname)
      const before = loopbackOctets()
      await pollNow(server, hostname)
      const afterFirst = loopbackOctets()
      await sendOctets(4_000_000)
      await pollNow(server, hostname)
      await sendOctets(6_000_000)
      const beforeLast = loopbackOctets()
      await pollNow(server, hostname)
      const after = loopbackOctets()
      const store = await server.store()
      const rows = await store.sql<{ in_octets: number; out_octets: number; period_ms: number }[]>`
      select in_octets, out_octets, period_ms from ts.port_samples join ports using (port_id) join devices using (device_id)
      where hostname = ${hostname} and "ifName" = 'lo' order by time desc limit 2`
      expect(rows).toHaveLength(2)
      const sum = rows.reduce((total, row) => total + row.in_octets, 0)
      // traffic between a time around the first poll and one around the last
      expect(sum).toBeGreaterThanOrEqual(beforeLast - afterFirst)
      expect(sum).toBeLessThanOrEqual(after - before)
      expect(beforeLast - afterFirst).toBeGreaterThan(10_000_000)
      // loopback receives what it sends
      expect(rows.map((row) => row.out_octets)).toEqual(rows.map((row) => row.in_octets))
      const { json } = await server.call('GET', `/devices/${hostname}/ports/lo`)
      const port = json['port'] as Record<string, number>
      expect(port['ifInOctets_delta']).toBe(rows[0]?.in_octets ?? Number.NaN)
      expect(port['ifInOctets_rate']).toBe(Math.round(((rows[0]?.in_octets ?? 0) * 1000) / (rows[0]?.period_ms ?? 1)))
    },
  )

  test('the graph of the interface is an image', async () => {
    const answer = await fetch(`${server.url}/api/v0/devices/127.0.0.1/ports/lo/port_bits?from=-10m`, {
      headers: { 'X-Auth-Token': server.token },
    })
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect((await answer.bytes()).slice(0, 4)).toEqual(Uint8Array.from([0x89, 0x50, 0x4e, 0x47]))
  })

  test('secrets are not in the log', () => {
    expect(server.log()).not.toContain(PASSPHRASE)
  })
})

async function pollNow(server: TestServer, hostname: string): Promise<void> {
  const { code, err } = await portlight(['device', 'poll', hostname, '--data-dir', server.dataDir])
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
}

/**
 * Turns off snmpd's cache of interface counters, which returns counters up to three seconds old with a current
 * sysUpTime.
 */
async function forgetAgentCache(port: number): Promise<void> {
  const nsCacheTimeoutOfIfTable = '1.3.6.1.4.1.8072.1.5.3.1.2.1.3.6.1.2.1.2.2'
  const set = Bun.spawn(
    ['snmpset', '-v2c', '-c', WRITE, '-On', `127.0.0.1:${port}`, nsCacheTimeoutOfIfTable, 'i', '0'],
    {
      env: { ...process.env, MIBS: '', MIBDIRS: '/nonexistent' },
      stdout: 'ignore',
      stderr: 'ignore',
    },
  )
  expect(await set.exited).toBe(0)
}

/** Octets received by loopback according to the kernel. */
function loopbackOctets(): number {
  const line = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .find((l) => l.trim().startsWith('lo:'))
  return Number(line?.trim().split(/[\s:]+/)[1])
}

/** Sends at least this many octets through loopback. */
async function sendOctets(octets: number): Promise<void> {
  const sink = createSocket('udp4')
  await new Promise<void>((resolve) => sink.bind(0, '127.0.0.1', resolve))
  const { port } = sink.address()
  const source = createSocket('udp4')
  const datagram = new Uint8Array(8000)
  for (let sent = 0; sent < octets; sent += datagram.length) {
    await new Promise<void>((resolve, reject) =>
      source.send(datagram, port, '127.0.0.1', (error) => (error ? reject(error) : resolve())),
    )
  }
  source.close()
  sink.close()
}
