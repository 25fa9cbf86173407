import type { Store } from '../src/core/database/client.ts'
import { indexPorts } from '../src/core/logs/write-search-index.ts'
import { withDatabase } from './support/database.ts'
import { firstViews } from './support/first-view.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'
import { PASSWORD, withPages } from './support/web-server.ts'

/** Time to first byte of the pages and the search with 1,000 devices of 100 ports (`--devices N`, `--ports N`). */
const WARM = 5
const RUNS = 40

export async function run(): Promise<BenchResult[]> {
  const [devices, ports] = [option('devices', 1000), option('ports', 100)]
  return await withDatabase(8, async (store) => {
    await fill(store, devices, ports)
    return await withPages(store, (origin) => measured(origin, devices, ports))
  })
}

async function measured(origin: string, devices: number, ports: number): Promise<BenchResult[]> {
  const signedIn = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ username: 'admin', password: PASSWORD }),
  })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const out: BenchResult[] = []
  for (const [name, path] of [
    ['overview', '/'],
    [`list of ${devices} devices`, '/devices'],
    [`list of ${devices} devices by ports`, '/devices?sort=-ports'],
    [`list of ${devices} devices by traffic`, '/devices?sort=-in'],
    [`device with ${ports} ports`, '/device/1/ports'],
    ['summary of a device', '/device/1'],
    ['port', '/port/1'],
    ['event log', '/logs'],
    ['event log, rare text', '/logs?q=event%2077777&from=all'],
    [`search for an alias in ${devices * ports} ports`, '/search?format=json&q=uplink%20777'],
    [`list of ${devices * ports} ports`, '/ports'],
    [`list of ${devices * ports} ports, those of a text`, '/ports?q=uplink%20777&sort=-used'],
    [`list of ${devices * ports} ports, those of a device`, '/ports?q=device-77&sort=-used'],
    [`list of ${devices * ports} ports, all have the text`, '/ports?state=up&q=uplink&sort=-used'],
    [`search for a name in ${devices * ports} ports`, '/search?format=json&q=device-77'],
  ] as const) {
    const times: number[] = []
    let firstMs = 0
    for (let i = 0; i < WARM + RUNS; i++) {
      const beganMs = performance.now()
      const answer = await fetch(origin + path, { headers: { cookie, accept: 'text/html' } })
      await answer.text()
      if (!answer.ok) throw new Error(`${path} answers ${answer.status}`)
      if (i === 0) firstMs = performance.now() - beganMs
      if (i >= WARM) times.push(performance.now() - beganMs)
    }
    times.sort((a, b) => a - b)
    out.push(result(`web: ${name}, the first time`, firstMs, 'ms'))
    out.push(result(`web: ${name}, median`, times[Math.floor(RUNS / 2)] ?? 0, 'ms'))
    out.push(result(`web: ${name}, 95th`, times[Math.floor(RUNS * 0.95)] ?? 0, 'ms'))
  }
  out.push(
    ...(await firstViews(origin, cookie, [
      ['the overview', '/'],
      [`the list of ${devices} devices`, '/devices'],
      [`a device with ${ports} ports`, '/device/1/ports'],
      ['the event log', '/logs'],
    ])),
  )
  return out
}

/** Inserts devices with ports, and one sample of each port. */
export async function fill(store: Store, devices: number, ports: number): Promise<void> {
  const { sql } = store
  await sql`
    insert into devices (device_id, hostname, display, "sysDescr", os, hardware, status, type, last_polled, uptime, ip)
    select d, 'device-' || d || '.example.net', 'device-' || d, repeat('x', 120), (array['ios', 'junos', 'linux'])[1 + d % 3], 'C9300',
      case when d % 100 = 0 then 0 else 1 end, 'network', now(), d * 100, ('10.0.' || d / 250 || '.' || 1 + d % 250)::inet
    from generate_series(1, ${devices}) d`
  await sql`
    insert into ports (port_id, device_id, "ifIndex", "ifName", "ifDescr", "ifAlias", "ifType", "ifOperStatus", "ifAdminStatus", "ifSpeed")
    select (d - 1) * ${ports} + p, d, p, 'Gi1/0/' || p, 'GigabitEthernet1/0/' || p, 'uplink ' || (d - 1) * ${ports} + p, 'ethernetCsmacd',
      case when p % 7 = 0 then 'down' else 'up' end, 'up', 1000000000
    from generate_series(1, ${devices}) d, generate_series(1, ${ports}) p`
  await sql`
    insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets, in_pkts, out_pkts, in_err, out_err, in_disc, out_disc)
    select date_trunc('second', now()), port_id, 300000, 1e9, 5e8, 1e6, 5e5, 0, 0, 0, 0 from ports`
  await sql`
    insert into ts.port_state (device_id, "time", port_id, ticks, present, counters)
    select device_id, (select max("time") from ts.port_samples), array_agg(port_id), array_agg(0), array_agg(0), ''
    from ports group by device_id`
  await sql`
    insert into eventlog (device_id, message, type, severity) select 1 + n % ${devices}, 'event ' || n, 'system', 2
    from generate_series(1, 100000) n`
  // as autovacuum does within a minute of the inserts
  await sql`vacuum analyze`
  await indexPorts(store)
}
