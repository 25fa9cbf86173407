import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { loadavg } from 'node:os'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { portlight } from '../cli/support.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// Statistics of Debian's snmpd about its own system, from discovery to graphs.

setDefaultTimeout(120_000)

const path = findSnmpd()
const HOST = '127.0.0.1'

describe.skipIf(path === null)('statistics of a real agent', () => {
  let agent: Snmpd
  let server: TestServer
  let graphs: readonly string[] = []

  beforeAll(async () => {
    agent = await startSnmpd(path ?? '', () => '')
    server = await startTestServer(['--set', 'poller.interval=86400'])
    const body = { hostname: HOST, port: agent.port, version: 'v2c', community: 'public' }
    expect((await server.call('POST', '/devices', body)).status).toBe(200)
    graphs = await until(30, 'statistics among the graphs', async () => {
      const { json } = await server.call('GET', `/devices/${HOST}/graphs`)
      const names = ((json['graphs'] ?? []) as { name: string }[]).map((graph) => graph.name)
      return names.includes('device_ucd_load') && names
    })
  }, 100_000)
  afterAll(async () => {
    await server?.stop()
    await agent?.stop()
  }, 60_000)

  test('each group that the agent has is a graph', () => {
    const wanted = 'ucd_load ucd_cpu ucd_io ucd_contexts hr_processes hr_users netstat_ip netstat_icmp netstat_tcp'
    for (const name of [...wanted.split(' '), 'netstat_udp', 'netstat_snmp', 'netstat_snmp_pkt', 'ipsystemstats_ipv4'])
      expect(graphs).toContain(`device_${name}`)
  })

  test('a poll stores them: gauges as on the system, counters per second', async () => {
    // snmpd refreshes the UDP counters every half minute; until they change they are unknown
    const row = await until(100, 'a row with the counters of UDP', async () => {
      const { code, err } = await portlight(['device', 'poll', HOST, '--data-dir', server.dataDir])
      expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
      const { sql } = await server.store()
      const rows = await sql<Record<string, number | null>[]>`
        select s.* from ts.stats_samples s join devices using (device_id) where hostname = ${HOST} order by time desc`
      return rows.find((found) => found['udpOutDatagrams'] !== null && found['snmpInPkts'] !== null)
    })
    // the agent reads the load every few seconds, and this machine does other work as well
    expect(row['load15']).toBeWithin(0, (loadavg()[2] ?? 0) * 2 + 4)
    expect(row['hrSystemProcesses']).toBeGreaterThan(2)
    // our own requests and responses
    expect(row['snmpInPkts']).toBeGreaterThan(0)
    expect(row['udpOutDatagrams']).toBeGreaterThan(0)
  })

  test('all statistics take only a few requests', async () => {
    const { sql } = await server.store()
    const [row] = await sql<{ requests: number }[]>`
      select requests from ts.device_samples join devices using (device_id) where hostname = ${HOST} order by time desc limit 1`
    console.info(`a poll of snmpd took ${row?.requests} requests`)
    expect(row?.requests).toBeLessThanOrEqual(9)
  })

  // groups of counters that do not change on this machine, such as those of ICMP, are unknown for two minutes
  test('every listed graph is an image', async () => {
    const failed: string[] = []
    for (const name of graphs.filter((graph) =>
      /ucd_load|hr_|netstat_(udp|snmp)|modules_perf|availability/.test(graph),
    )) {
      const { status, headers } = await fetch(`${server.url}/api/v0/devices/${HOST}/${name}?from=-10m`, {
        headers: { 'X-Auth-Token': server.token },
      })
      if (status !== 200 || headers.get('content-type') !== 'image/png') failed.push(`${name}: ${status}`)
    }
    expect(failed).toEqual([])
  })
})
