import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import { placeHere } from '../../src/app/place.ts'
import { encodeDelivery } from '../../src/core/pollers/remote/link/message.ts'
import { siteNames } from '../../src/core/pollers/remote/link/names.ts'
import { POSITION_HEADER } from '../../src/core/pollers/remote/link/outbox.ts'
import { createSeal } from '../../src/core/pollers/remote/link/seal.ts'
import { pollerKey } from '../../src/core/pollers/remote/link/site-folder.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { parsePrivateKey, sharedSecret } from '../../src/lib/site-keys.ts'
import { definitionsFolder, readIndex } from '../../src/librenms/store.ts'
import { portlight, projectDir } from '../cli/support.ts'
import { treeFolder } from '../librenms/tree.ts'
import { findNats } from '../support/nats.ts'
import { metricOf, type Site, startSite } from '../support/site.ts'
import { breaksOf } from './cluster-nodes.ts'
import { until } from './server.ts'

// A remote poller without a database, two NATS servers with the link between them, and the centre, all real processes.

setDefaultTimeout(180_000)

const program = findNats()
if (program === null) console.warn('SKIPPED: nats-server is not installed; remote sites are not tested')
const COMMUNITY = 'only-at-this-site'
const NAMES = siteNames('oslo')

describe.skipIf(program === null)('a site that cannot reach the database', () => {
  let site: Site
  let agent: DemoAgent
  /** A client of the site's NATS server, such as anybody with the credentials. */
  let nats: NatsConnection
  let deviceId = 0

  beforeAll(async () => {
    site = await startSite({
      program: program ?? '',
      settings: ['poller.interval=5', 'snmp.timeout=0.5', 'snmp.retries=1', 'icmp_check=false'],
    })
    agent = await openDemoAgent('edge-1', { community: COMMUNITY })
    const { sql } = await site.centre.store()
    const [row] = await sql<{ device_id: number }[]>`
      insert into devices (hostname, overwrite_ip, port, community, snmpver, poller_group, poll_interval)
      values ('edge-1', ${agent.address}, ${agent.port}, ${COMMUNITY}, 'v2c', ${site.groupId}, 2) returning device_id`
    deviceId = row?.device_id ?? 0
    // notifies the server, as `device add` does
    await site.centre.call('GET', '/devices/edge-1/discover')
    nats = await connect({ port: site.leaf.port, maxReconnectAttempts: -1, reconnectTimeWait: 200 })
  }, 120_000)
  afterAll(async () => {
    await nats?.close()
    agent?.stop()
    await site?.stop()
  }, 60_000)

  async function polls(): Promise<number> {
    const { sql } = await site.centre.store()
    const [row] = await sql<
      { n: number }[]
    >`select count(*)::int as n from ts.device_samples where device_id = ${deviceId}`
    return row?.n ?? 0
  }
  const made = () => site.poller.metric('portlight_samples_written_total{kind="device"}')
  const stored = (count: number, what: string) => until(60, what, async () => (await polls()) >= count)
  const centreMetric = async (name: string): Promise<number> =>
    metricOf(await (await fetch(`${site.centre.url}/metrics`)).text(), name)

  test('its devices are discovered and polled at the site, and stored at the centre', async () => {
    const { sql } = await site.centre.store()
    await stored(3, 'polls of the site')
    const found = await until(30, 'samples of its ports', async () => {
      const [row] = await sql<{ ports: number; samples: number; os: string }[]>`
        select count(distinct p.port_id)::int as ports, count(s.time)::int as samples, min(d.os) as os
        from devices d join ports p using (device_id) left join ts.port_samples s using (port_id) where d.device_id = ${deviceId}`
      return row !== undefined && row.samples > 0 && row
    })
    expect(found.ports).toBeGreaterThan(3)
    expect(found.os).not.toBe('')
    expect(readdirSync(site.pollerDir).sort()).toEqual(['poller-epoch', 'poller-key.pem', 'poller.lock'])
    expect(await centreMetric('portlight_devices')).toBe(0)
    const ready = await fetch(`${site.poller.url}/readyz`)
    expect(ready.status).toBe(200)
    expect((await fetch(`${site.poller.url}/api/v0/devices`)).status).toBe(404)
  })

  test('neither streams nor logs contain credentials', async () => {
    const manager = await jetstreamManager(nats)
    const plan = await manager.streams.getMessage(`KV_${NAMES.bucket}`, {
      last_by_subj: `$KV.${NAMES.bucket}.device.${deviceId}`,
    })
    expect(plan?.data.length).toBeGreaterThan(100)
    expect(Buffer.from(plan?.data ?? new Uint8Array()).includes(COMMUNITY)).toBe(false)
    expect(site.poller.log() + site.centre.log()).not.toContain(COMMUNITY)
    expect(site.poller.log()).not.toContain('PRIVATE KEY')
  })

  test('the metrics of both ends are in the reference', async () => {
    const page = readFileSync(join(projectDir, 'docs', 'reference', 'metrics.md'), 'utf8')
    for (const url of [site.centre.url, site.poller.url]) {
      const text = await (await fetch(`${url}/metrics`)).text()
      const names = [...text.matchAll(/^# TYPE (portlight_(?:nats|remote|site)_\w+)/gm)].map(([, name]) => name ?? '')
      expect(names.length).toBeGreaterThan(5)
      expect(names.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([])
    }
  })

  test('poll now: the response is sent once the samples are stored', async () => {
    const before = await polls()
    const run = await portlight(['device', 'poll', 'edge-1', '--data-dir', site.centre.dataDir])
    expect(run).toMatchObject({ code: 0 })
    expect(await polls()).toBeGreaterThan(before)
  })

  test('explain: the device is contacted from its site', async () => {
    const run = await portlight(['device', 'explain', 'edge-1', '--data-dir', site.centre.dataDir])
    expect(run.out).toMatch(/^now +from poller oslo: 127\.0\.0\.1 .*, answers SNMP$/m)
    const json = await portlight(['device', 'explain', 'edge-1', '--json', '--data-dir', site.centre.dataDir])
    expect(JSON.parse(json.out)).toMatchObject({
      now: { by: 'oslo', problem: null, address: '127.0.0.1', probe: { kind: 'answer', sysName: 'edge-1' } },
    })
    expect(json.out).not.toContain(COMMUNITY)
  })

  test('the API shows the poller with its version and load', async () => {
    const shown = await until(60, 'its report', async () => {
      const { json } = await site.centre.call('GET', '/pollers')
      const pollers = json['pollers'] as Record<string, unknown>[]
      const remote = pollers.find(({ node_id }) => node_id === 'oslo')
      return remote !== undefined && (remote['stats'] as unknown[]).length > 0 && remote
    })
    expect(shown).toMatchObject({ poller_version: '0.1.0', poller_groups: String(site.groupId), master: 0 })
    // where the site's devices are reached from
    const { sql } = await site.centre.store()
    const [place] = await sql<
      { macs: string[] }[]
    >`select report -> 'place' -> 'macs' as macs from remote_pollers where name = 'oslo'`
    expect(place?.macs).toEqual([...placeHere().macs])
    // the first report may have been sent before the first poll had ended
    await until(60, 'a poll', async () => (await centreMetric('portlight_remote_poller_polls_total')) > 0)
    expect(await centreMetric('portlight_remote_poller_devices')).toBe(1)
    expect(await centreMetric('portlight_remote_poller_too_old_total')).toBe(0)
  })

  test('a setting, added definitions and a change of the device reach it', async () => {
    const { sql } = await site.centre.store()
    const tree = treeFolder()
    expect(await portlight(['definitions', 'add', tree, '--data-dir', site.centre.dataDir])).toMatchObject({ code: 0 })
    rmSync(tree, { recursive: true, force: true })
    const done = await portlight(['config', 'set', 'poller.deadline', '4', '--data-dir', site.centre.dataDir])
    expect(done.code).toBe(0)
    await until(30, 'the definitions', () => Promise.resolve(readIndex(definitionsFolder(site.pollerDir))))
    await sql`update devices set disabled = 1 where device_id = ${deviceId}`
    await site.centre.call('GET', '/devices/edge-1/discover')
    await until(30, 'the poller no longer polls it', async () => (await site.poller.metric('portlight_devices')) === 0)
    await sql`update devices set disabled = 0 where device_id = ${deviceId}`
    await site.centre.call('GET', '/devices/edge-1/discover')
    await until(30, 'the poller polls it again', async () => (await site.poller.metric('portlight_devices')) === 1)
  })

  test('without the link polling continues, and everything arrives later, exactly once', async () => {
    const manager = await jetstreamManager(nats)
    await until(20, 'an empty stream', async () => (await manager.streams.info(NAMES.stream)).state.messages === 0)
    site.link.cut()
    const before = await polls()
    await until(60, 'five messages wait', async () => (await manager.streams.info(NAMES.stream)).state.messages >= 5)
    expect(await polls()).toBe(before)
    // messages in the stream are copied, to arrive a second time
    const { state } = await manager.streams.info(NAMES.stream)
    const copies = await Promise.all(
      Array.from({ length: state.messages }, (_, i) =>
        manager.streams.getMessage(NAMES.stream, { seq: state.first_seq + i }),
      ),
    )
    await until(
      30,
      'the centre reports the lost link',
      async () => (await centreMetric('portlight_remote_poller_linked')) === 0,
    )
    const goal = await made()
    site.link.mend()
    await stored(goal, 'samples measured without the link')
    for (const copy of copies) {
      const head = headers()
      head.set(POSITION_HEADER, copy?.header.get(POSITION_HEADER) ?? '')
      await nats.request(NAMES.subject, copy?.data ?? new Uint8Array(), { headers: head, timeout: 5000 })
    }
    await until(
      30,
      'the copies are recognised',
      async () => (await centreMetric('portlight_remote_poller_duplicates_total')) >= copies.length,
    )
    const { sql } = await site.centre.store()
    const [row] = await sql<{ n: number; distinct: number; gap: number }[]>`
      select count(*)::int as n, count(distinct time)::int as distinct, max(gap)::float8 as gap from (
        select time, extract(epoch from time - lag(time) over (order by time)) as gap from ts.device_samples
        where device_id = ${deviceId}) s`
    expect(row?.n).toBe(row?.distinct ?? -1)
  })

  test('its NATS server killed and started again: nothing is lost', async () => {
    await site.leaf.stop('SIGKILL')
    const before = await made()
    await until(30, 'the poller is not ready', async () => (await fetch(`${site.poller.url}/readyz`)).status === 503)
    await site.leaf.start()
    await until(30, 'polling continues', async () => (await made()) > before + 1)
    await stored(await made(), 'samples measured in the meantime')
    expect(await site.poller.metric('portlight_samples_dropped_total')).toBe(0)
    expect(await site.poller.metric('portlight_site_refused_total')).toBe(0)
  })

  test('the centre killed and started again: nothing is lost or stored twice', async () => {
    await site.centre.restart('SIGKILL')
    await stored(await made(), 'samples measured in the meantime')
    const { sql } = await site.centre.store()
    const [row] = await sql<{ n: number; distinct: number }[]>`
      select count(*)::int as n, count(distinct (device_id, time))::int as distinct from ts.device_samples`
    expect(row?.n).toBe(row?.distinct ?? -1)
    const [poller] = await sql<{ missing: number }[]>`select missing from remote_pollers`
    expect(poller?.missing).toBe(0)
  })

  test('messages that others put into the stream are refused, set aside, and block nothing', async () => {
    const send = async (position: string | null, octets: Uint8Array): Promise<void> => {
      const head = headers()
      if (position !== null) head.set(POSITION_HEADER, position)
      await nats.request(NAMES.subject, octets, { headers: head, timeout: 5000 })
    }
    await send(null, Buffer.from('garbage'))
    await send('1.1.0.1', Buffer.alloc(300, 7))
    await send('9999999999999.1.0.1', new Uint8Array())
    const { sql } = await site.centre.store()
    const rows = await until(30, 'three refusals', async () => {
      const found = await sql<
        { reason: string; octets: number }[]
      >`select reason, octets from remote_poller_refusals order by id`
      return found.length >= 3 && found
    })
    expect(rows.map(({ reason, octets }) => [reason, octets])).toEqual([
      ['garbled', 7],
      ['unsealed', 300],
      ['unsealed', 0],
    ])
    await stored((await polls()) + 2, 'polls after that')
    expect(site.centre.log()).not.toContain('garbage')
    const { out } = await portlight(['remote-poller', 'refused', 'oslo', '--data-dir', site.centre.dataDir])
    expect(out).toContain('unsealed')
  })

  test("neither an earlier run of the poller nor a hostile one can write to others' devices", async () => {
    const { sql } = await site.centre.store()
    const [other] = await sql<{ device_id: number }[]>`
      insert into devices (hostname, poller_group, disabled) values ('elsewhere', 0, 1) returning device_id`
    await site.poller.stop()
    const [key] = await sql<{ private_key: string }[]>`select private_key from site_keys where name = 'centre'`
    const centre = parsePrivateKey(key?.private_key ?? '')
    const seal = createSeal(sharedSecret(pollerKey(site.pollerDir), centre.publicText), 'oslo')
    const position = `${Date.now()}.1.0.1`
    const head = headers()
    head.set(POSITION_HEADER, position)
    const status = {
      kind: 'status',
      deviceId: other?.device_id ?? 0,
      up: false,
      reason: 'snmp',
      at: Date.now(),
    } as const
    await nats.request(NAMES.subject, seal.close('to-centre', position, encodeDelivery(status)), {
      headers: head,
      timeout: 5000,
    })
    await until(30, 'the refusal', async () => {
      const [row] = await sql`select from remote_poller_refusals where reason = 'foreign_device'`
      return row !== undefined
    })
    const [device] = await sql<{ status_reason: string }[]>`
      select status_reason from devices where device_id = ${other?.device_id ?? 0}`
    expect(device?.status_reason).toBe('')
    // a refused message does not count as missing: the sequence number has moved past it
    const mark = await sql<{ sequence: number }[]>`select sequence::int from remote_pollers`
    expect([...mark]).toEqual([{ sequence: 1 }])
    await site.startPoller()
    await stored((await polls()) + 1, 'polls of the poller started again')
  })

  test('a device moves to the pollers of the centre and back, and no time is counted twice', async () => {
    const { sql } = await site.centre.store()
    /** The poller that has claimed the device; negative: a remote poller. */
    const claimed = async (): Promise<number> => {
      const [row] = await sql<{ poller: number }[]>`select poller from device_claims where device_id = ${deviceId}`
      return row?.poller ?? 0
    }
    const move = (group: number) =>
      site.centre.call('PATCH', '/devices/edge-1', { field: 'poller_group', data: String(group) })
    expect(await claimed()).toBeLessThan(0)
    expect(await move(0)).toMatchObject({ status: 200 })
    await until(30, 'the centre has it', async () => (await claimed()) > 0)
    await stored((await polls()) + 3, 'polls of the centre')
    expect(await move(site.groupId)).toMatchObject({ status: 200 })
    await until(30, 'the site has it', async () => (await claimed()) < 0)
    await stored((await polls()) + 3, 'polls of the site again')
    // less than the time between polls, more than a busy machine is late with one
    const overlaps = await breaksOf({ sql }, 1.5)
    expect(overlaps.filter(({ off }) => off < 0)).toEqual([])
  })
})
