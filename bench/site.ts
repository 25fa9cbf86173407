import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { siteNames } from '../src/core/pollers/remote/link/names.ts'
import { serveFleet } from '../src/demo/serve.ts'
import { until } from '../tests/e2e/server.ts'
import { findNats } from '../tests/support/nats.ts'
import { metricOf, startSite } from '../tests/support/site.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * A remote site that loses its link for `--minutes N` (10): `--devices N` (95) of the demo's models at `--interval N`
 * seconds (10), a remote poller, two NATS servers, and the centre with its database, all on this machine. Every poll
 * made by the poller must be stored exactly once.
 */
export async function run(): Promise<BenchResult[]> {
  const program = findNats()
  if (program === null) {
    console.warn('SKIPPED: nats-server is not installed')
    return []
  }
  const [minutes, devices, interval] = [option('minutes', 10), option('devices', 95), option('interval', 10)]
  const site = await startSite({
    program,
    settings: [`poller.interval=${interval}`, 'snmp.timeout=1', 'icmp_check=false'],
    pollerSettings: ['nats.stream_mb=512'],
  })
  const fleet = await serveFleet({ base: '127.43.0.1', port: 2161 })
  const nats = await connect({ port: site.leaf.port })
  const manager = await jetstreamManager(nats)
  const waiting = async (): Promise<{ messages: number; bytes: number }> =>
    (await manager.streams.info(siteNames(site.name).stream)).state
  const made = (): Promise<number> => site.poller.metric('portlight_samples_written_total{kind="device"}')
  const stored = async (): Promise<number> => {
    const { sql } = await site.centre.store()
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ts.device_samples`
    return row?.n ?? 0
  }
  const centre = async (name: string): Promise<number> =>
    metricOf(await (await fetch(`${site.centre.url}/metrics`)).text(), `portlight_remote_poller_${name}`)
  try {
    const first = await site.centre.store()
    for (let i = 0; i < devices; i++) {
      const at = fleet.devices[i % fleet.devices.length]
      if (at === undefined) continue
      await first.sql`
        insert into devices (hostname, overwrite_ip, port, community, snmpver, poller_group)
        values (${`site-${i}`}, ${at.address}, ${at.port}, ${at.community}, 'v2c', ${site.groupId})`
    }
    // the server finds devices inserted directly into the database when it starts
    await site.centre.restart('SIGTERM')
    const { sql } = await site.centre.store()
    const everywhere = async (): Promise<boolean> => {
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from devices where last_discovered is not null and last_polled is not null`
      return row?.n === devices
    }
    await until(600, 'every device is discovered and polled', everywhere)
    await until(120, 'an empty stream', async () => (await waiting()).messages === 0)

    const before = { made: await made(), published: await site.poller.metric('portlight_site_published_total') }
    site.link.cut()
    const cutAt = performance.now()
    await Bun.sleep(minutes * 60_000)
    const cutS = (performance.now() - cutAt) / 1000
    const held = await waiting()
    const during = {
      made: (await made()) - before.made,
      published: (await site.poller.metric('portlight_site_published_total')) - before.published,
    }
    const rowsBefore = await centre('rows_total')
    site.link.mend()
    await until(120, 'the link', async () => (await centre('linked')) === 1)
    const linkedAt = performance.now()
    await until(1200, 'an empty stream', async () => (await waiting()).messages < 10)
    const caughtS = (performance.now() - linkedAt) / 1000
    const rows = (await centre('rows_total')) - rowsBefore
    const goal = await made()
    await until(120, 'the rest', async () => (await stored()) >= goal)
    await site.poller.stop()
    await until(60, 'an empty stream', async () => (await waiting()).messages === 0)
    const [twice] = await sql<{ n: number }[]>`
      select (count(*) - count(distinct (device_id, time)))::int as n from ts.device_samples`
    const lost = Math.max(0, goal - (await stored()))
    return [
      result(`messages a second from ${devices} devices at ${interval} s`, during.published / cutS, 'messages/s'),
      result(`polls made during ${minutes} minutes without a link`, during.made, 'polls'),
      result('held by the stream of the site then', held.messages, 'messages'),
      result('held by the stream of the site then', held.bytes / 1e6, 'MB'),
      result('until all of it was stored', caughtS, 's'),
      result('stored while catching up', held.messages / caughtS, 'messages/s'),
      result('rows of samples stored while catching up', rows / caughtS, 'rows/s'),
      result('polls lost', lost, 'polls', null, { text: '0', met: lost === 0 }),
      result('polls stored twice', twice?.n ?? -1, 'polls', null, { text: '0', met: twice?.n === 0 }),
    ]
  } finally {
    await nats.close()
    await fleet.stop()
    await site.stop()
  }
}
