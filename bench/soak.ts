import { type Fleet, freePort, startFleet } from './support/fleet.ts'
import { type BenchResult, result } from './support/result.ts'
import { type BenchServer, startServer } from './support/server.ts'
import { type Load, type LoadOptions, startLoad } from './support/soak-load.ts'
import { residentMib } from './support/watch.ts'

/**
 * Monitors a fleet with the real server, 1,000 devices with 48 ports at 30 s for ten minutes, then compares the
 * database with the simulator's documented rates. `--minutes N`, `--devices N`, `--interval S`, `--loss PCT`, `--dead
 * PCT`; in addition `--rules N`, `--services N` checked each minute, `--syslog N` messages, `--api N` requests and
 * `--pages N` pages a second, with a line each minute. `--log FILE` keeps the server's
 * log.
 */

interface Options extends LoadOptions {
  readonly minutes: number
  readonly devices: number
  readonly interval: number
  readonly loss: number
  readonly dead: number
}

const PORTS = 48

function argument(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`)
  const value = at < 0 ? fallback : Number(process.argv[at + 1])
  if (!Number.isFinite(value)) throw new Error(`--${name} must be a number`)
  return value
}

/** Whether a device never answers, by the simulator's rule. */
function isDead(device: number, percent: number): boolean {
  return Math.floor(((device + 1) * percent) / 100) > Math.floor((device * percent) / 100)
}

export async function run(): Promise<BenchResult[]> {
  const options: Options = {
    minutes: argument('minutes', 10),
    devices: argument('devices', 1000),
    interval: argument('interval', 30),
    loss: argument('loss', 0),
    dead: argument('dead', 0),
    rules: argument('rules', 0),
    services: argument('services', 0),
    syslog: argument('syslog', 0),
    api: argument('api', 0),
    pages: argument('pages', 0),
  }
  const duration = String(Math.ceil(options.minutes * 60 + 600))
  const fleet = await startFleet([
    '--devices',
    String(options.devices),
    '--ports',
    String(PORTS),
    '--loss',
    String(options.loss),
    '--dead',
    String(options.dead),
    '--duration',
    duration,
  ])
  if (fleet === null) return []
  const syslogPort = options.syslog > 0 ? await freePort() : 0
  const settings = [
    `poller.interval=${options.interval}`,
    'services.interval=60',
    'services.attempts=1',
    'outgoing.allow=127.0.0.0/8',
    // alerts of the flaky services must not be damped
    'alert.flap_count=0',
    ...(syslogPort > 0 ? [`syslog.udp=127.0.0.1:${syslogPort}`] : []),
  ]
  const server = await startServer(settings.flatMap((set) => ['--set', set]))
  try {
    return await watch(options, fleet, server, syslogPort)
  } finally {
    await server.stop()
    await fleet.stop()
  }
}

async function watch(options: Options, fleet: Fleet, server: BenchServer, syslogPort: number): Promise<BenchResult[]> {
  const { url, token } = server
  const { sql } = server.store
  const began = performance.now()
  for (let from = 0; from < options.devices; from += 20) {
    await Promise.all(
      Array.from({ length: Math.min(20, options.devices - from) }, (_, i) =>
        add(url, token, fleet.address(from + i), fleet.port),
      ),
    )
  }
  const alive = Array.from({ length: options.devices }, (_, d) => d).filter((d) => !isDead(d, options.dead)).length
  while ((await one(sql`select count(*)::int as n from devices where last_discovered is not null`)) < alive) {
    if (performance.now() - began > 600_000) throw new Error('not all devices discovered within 10 minutes')
    await Bun.sleep(1000)
  }
  const discoveredS = (performance.now() - began) / 1000
  const load = await startLoad(options, server, syslogPort)
  try {
    // some intervals to settle before the measurement
    await Bun.sleep(Math.max(2 * options.interval, 60) * 1000)
    const [from, rss] = await measure(options, server, load)
    const to = Date.now()
    const beside = await load.results()
    return [...(await check(server, options, from, to, rss, discoveredS, alive)), ...beside]
  } finally {
    await load.stop()
  }
}

/** Returns the start of the measurement, epoch ms, and the RSS every two seconds. */
async function measure(options: Options, { pid }: BenchServer, load: Load): Promise<[number, number[]]> {
  await load.begin()
  const from = Date.now()
  const rss: number[] = []
  let line = from
  while (Date.now() - from < options.minutes * 60_000) {
    rss.push(residentMib(pid))
    if (Date.now() >= line) {
      await load.minute()
      line += 60_000
    }
    await Bun.sleep(2000)
  }
  return [from, rss]
}

async function add(url: string, token: string, hostname: string, port: number): Promise<void> {
  const response = await fetch(`${url}/api/v0/devices`, {
    method: 'POST',
    headers: { 'X-Auth-Token': token },
    body: JSON.stringify({ hostname, port, version: 'v2c', community: 'public', force_add: true }),
  })
  if (response.status !== 200) throw new Error(`${hostname}: ${response.status} ${await response.text()}`)
}

async function check(
  { store: { sql }, log }: BenchServer,
  o: Options,
  from: number,
  to: number,
  rss: readonly number[],
  discoveredS: number,
  alive: number,
): Promise<BenchResult[]> {
  const start = new Date(from).toISOString()
  const end = new Date(to).toISOString()
  // device d answers at 127.16.0.1 + d
  const [rates] = await sql<{ samples: number; wrong: number; unknown: number; devices: number; worst: number }[]>`
    with s as (
      select p.device_id, p."ifIndex" as i, d.hostname::inet - '127.16.0.1'::inet as d, x.in_octets, x.out_octets, x.period_ms
      from ts.port_samples x join ports p using (port_id) join devices d using (device_id)
      where x.time >= ${start}::timestamptz and x.time < ${end}::timestamptz
    ), r as (
      select *, in_octets * 1000.0 / period_ms / (100000 * i + 100 * d) as in_ratio, out_octets * 1000.0 / period_ms / (200000 * i + 100 * d) as out_ratio from s
    )
    select count(*)::int as samples, count(distinct device_id)::int as devices,
      count(*) filter (where in_octets is null or out_octets is null)::int as unknown,
      count(*) filter (where abs(in_ratio - 1) > 0.001 or abs(out_ratio - 1) > 0.001)::int as wrong,
      coalesce(max(greatest(abs(in_ratio - 1), abs(out_ratio - 1))), 0)::float8 as worst from r`
  const [gaps] = await sql<{ missed: number; longest: number }[]>`
    with t as (
      select device_id, time, lag(time) over (partition by device_id order by time) as before
      from ts.device_samples where uptime_s is not null and time >= ${new Date(from - o.interval * 1000).toISOString()}::timestamptz and time < ${end}::timestamptz
    )
    select count(*) filter (where time - before > make_interval(secs => ${o.interval * 1.5}))::int as missed,
      coalesce(max(extract(epoch from time - before)), 0)::float8 as longest from t where before is not null`
  const down = await one(sql`select count(*)::int as n from devices where status = 0`)
  const intervals = Math.floor((to - from) / 1000 / o.interval)
  const polls = await one(
    sql`select count(*)::int as n from ts.device_samples where uptime_s is not null and time >= ${start}::timestamptz and time < ${end}::timestamptz`,
  )
  const minute = 30
  const first = mean(rss.slice(0, minute))
  const last = mean(rss.slice(-minute))
  // reports cover the preceding minute
  const late = log().filter(
    (line) => line.includes('polls are late') && Date.parse(JSON.parse(line).time) > from + 60_000,
  )
  for (const line of late.slice(0, 3)) console.warn(line)
  const at = process.argv.indexOf('--log')
  if (at > 0) await Bun.write(process.argv[at + 1] ?? 'soak.log', log().join('\n'))
  const dead = o.devices - alive
  return [
    result('devices discovered after adding them', discoveredS, 's'),
    result(
      'devices polled',
      rates?.devices ?? 0,
      'devices',
      { name: 'that answer', value: alive },
      goal('all', rates?.devices === alive),
    ),
    result(
      'polls stored',
      polls,
      'polls',
      { name: 'intervals x devices', value: intervals * alive },
      goal('one each interval', polls >= intervals * alive),
    ),
    result('intervals without a poll', gaps?.missed ?? -1, '', null, goal('0', gaps?.missed === 0)),
    result('longest time between two polls of a device', gaps?.longest ?? -1, 's'),
    result('port samples', rates?.samples ?? 0, 'rows'),
    result('port samples more than 0.1 % off', rates?.wrong ?? -1, 'rows', null, goal('0', rates?.wrong === 0)),
    result('port samples without octets', rates?.unknown ?? -1, 'rows', null, goal('0', rates?.unknown === 0)),
    result('largest error of a rate', (rates?.worst ?? Number.NaN) * 100, '%'),
    result('minutes with late polls', late.length, '', null, goal('0', late.length === 0)),
    result('devices marked down', down, 'devices', { name: 'dead', value: dead }, goal('the dead', down === dead)),
    result(
      'RSS in the last minute',
      last,
      'MiB',
      { name: 'first minute', value: first },
      goal('flat: ratio <= 1.1', last <= first * 1.1),
    ),
  ]
}

function goal(text: string, met: boolean): { text: string; met: boolean } {
  return { text, met }
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}

async function one(query: PromiseLike<readonly { n?: number }[]>): Promise<number> {
  return Number((await query)[0]?.n ?? 0)
}
