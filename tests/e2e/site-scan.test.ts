import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { createScanService } from '../../src/core/scans/service.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { portlight } from '../cli/support.ts'
import { findNats } from '../support/nats.ts'
import { type Site, startSite } from '../support/site.ts'
import { until } from './server.ts'

// The scan of a site's network, with real processes, NATS servers and agents.

setDefaultTimeout(180_000)

const program = findNats()
if (program === null) console.warn('SKIPPED: nats-server is not installed; scans of remote sites are not tested')
const COMMUNITY = 'known-at-the-centre'
const ADDRESS = '127.83.4.2'
const NETS = '127.83.0.0/16'
const HEARS = '127.83.4.3'

describe.skipIf(program === null || process.platform !== 'linux')('a network at a site', () => {
  let site: Site
  let agent: DemoAgent
  /** Gets everything that is sent to HEARS, and answers nothing: the ports it came from. */
  let heard: Bun.udp.Socket<'uint8array'>
  const ports = new Set<number>()

  beforeAll(async () => {
    agent = await openDemoAgent('edge-1', { community: COMMUNITY, address: ADDRESS })
    heard = await Bun.udpSocket({
      hostname: HEARS,
      port: agent.port,
      binaryType: 'uint8array',
      socket: { data: (_socket, _data, port) => void ports.add(port), error: () => undefined },
    })
    site = await startSite({
      program: program ?? '',
      settings: ['poller.interval=5', 'icmp_check=false'],
      centreSettings: atCentre(),
    })
  }, 120_000)
  afterAll(async () => {
    heard?.close()
    agent?.stop()
    await site?.stop()
  }, 60_000)

  const atCentre = () => [
    ...[`nets=${NETS}`, `snmp.community=wrong,${COMMUNITY}`, 'snmp.version=v2c', 'snmp.timeout=1'],
    ...[`snmp.port=${agent.port}`, 'autodiscovery.nets-exclude=127.83.4.6'],
  ]
  const here = () => atCentre().flatMap((setting) => ['--set', setting])

  test('is found by the poller of the site, with the credentials of the centre, which sends nothing there', async () => {
    const store = await site.centre.store()
    const { sql } = store
    // as the page and the API do; the server begins it
    await createScanService({ store, settings: createSettings({ flags: { nets: NETS } }) }).start(SYSTEM, {
      ...{ networks: ['127.83.4.0/29'], pollerGroup: 'Oslo', ping: false },
    })
    const scan = await until(60, 'the end of the scan', async () => {
      const [row] = await sql<{ state: string; why: string | null; counts: Record<string, unknown> }[]>`
        select state, why, counts from scans`
      return row !== undefined && row.state !== 'running' && row.state !== 'waiting' && row
    })
    expect([scan.state, scan.why]).toEqual(['done', null])
    expect(scan.counts).toMatchObject({ total: 5, done: 5, answeredSnmp: 1, silent: 4, found: 1 })
    const rows = await sql`select address, sys_name, poller_group, snmp_version, snmp_index from candidates`
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { address: ADDRESS, sys_name: 'edge-1', poller_group: site.groupId, snmp_version: 'v2c', snmp_index: 1 },
    ])
    // each community once, from the sockets of the site's process, which stay open for a while
    expect(ports.size).toBeGreaterThan(0)
    const own = udpPorts(site.poller.pid)
    expect([...ports].filter((port) => !own.has(port))).toEqual([])
    expect(site.poller.log() + site.centre.log()).not.toContain(COMMUNITY)
  })

  test('becomes a device of the site', async () => {
    const { sql } = await site.centre.store()
    const [candidate] = await sql<{ id: number }[]>`select id from candidates`
    const accepted = await portlight([
      ...['candidate', 'accept', String(candidate?.id), '--name-by', 'address', '--data-dir', site.centre.dataDir],
      ...here(),
    ])
    expect([accepted.code, accepted.err]).toEqual([0, expect.stringContaining('is device')])
    const polled = await until(15, 'a poll at the site', async () => {
      const [row] = await sql<{ hostname: string; poller_group: number; status: boolean }[]>`
        select hostname, poller_group, status = 1 as status from devices where last_polled is not null`
      return row
    })
    expect(polled).toEqual({ hostname: ADDRESS, poller_group: site.groupId, status: true })
  })

  test('is scanned by command too, and the command says why it cannot be', async () => {
    const scan = [
      ...['scan', '127.83.4.0/29', '--group', 'Oslo', '--no-ping', '--json', '--data-dir', site.centre.dataDir],
      ...here(),
    ]
    const found = await portlight([...scan, '--set', `nats.url=nats://127.0.0.1:${site.hub.port}`])
    expect(JSON.parse(found.out.trim().split('\n').at(-1) ?? '{}')).toMatchObject({ address: ADDRESS, state: 'known' })
    const nowhere = await portlight(scan)
    expect(nowhere.out + nowhere.err).toContain('the site of remote poller oslo cannot be asked: nats.url')
  })
})

/** Local UDP ports of a process. */
function udpPorts(pid: number): Set<number> {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        return []
      }
    }),
  )
  return new Set(
    ['udp', 'udp6'].flatMap((file) =>
      readFileSync(`/proc/${pid}/net/${file}`, 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter((columns) => inodes.has(columns[9] ?? ''))
        .map((columns) => Number.parseInt(columns[1]?.split(':')[1] ?? '', 16)),
    ),
  )
}
