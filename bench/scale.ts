import { startBare } from './support/bare.ts'
import { type Fleet, startFleet } from './support/fleet.ts'
import { option, settingsGiven } from './support/option.ts'
import { cpuSeconds, memoryOf } from './support/processes.ts'
import { type BenchResult, result } from './support/result.ts'
import type { Asked, ClientReport } from './support/scale-clients.ts'
import { type BenchServer, startServer } from './support/server.ts'
import { quantile, residentMib } from './support/watch.ts'

/**
 * Many devices on one machine, which also runs the agents and the embedded database: 20,000 devices of 48 ports, added
 * in one statement, discovered, then polled every minute while API clients page through list_devices and send pings.
 * Prints a line each minute. `--devices N` (20,000), `--minutes N` (30), `--interval S` (60), `--no-icmp`: without echo
 * requests, `--idle N`: N additional, disabled devices in the lists, `--reread`: all devices are read again after half
 * the time, as happens every ten minutes, `--set NAME=VALUE`: a setting of the server.
 */

const PORTS = 48
/** Sensors, processors and file systems of each device. */
const PARTS = ['--sensors', '2', '--cpus', '1', '--storages', '1'] as const
const LATENCY_MS = 20
const DISCOVERY_GOAL_S = 600
const RSS_GOAL_MB = 600
const LIST_GOAL_MS = 100
const PING_GOAL_MS = 10
const PAGE = 100
const DAY_S = 86_400
const MB = 1e6
const MIB = 2 ** 20

/** Counters and sizes at one time. */
interface Reading {
  /** Epoch ms. */
  readonly at: number
  readonly polls: number
  readonly late: number
  readonly skipped: number
  readonly lost: number
  readonly samples: number
  readonly dropped: number
  /** Rows and changes waiting for the database. */
  readonly waiting: number
  readonly lagS: number
  /** CPU seconds. */
  readonly cpu: { readonly own: number; readonly postgres: number; readonly agent: number }
  /** Bytes. */
  readonly memory: { readonly own: number; readonly postgres: number }
  readonly wal: number
  /** Full-page images in the WAL, one for each page changed after a checkpoint. */
  readonly images: number
  readonly checkpoints: number
  readonly database: number
  /**
   * Delays of a timer of the main thread (`portlight_event_loop_delay_seconds`): cumulative number by upper bound, ms.
   */
  readonly delays: ReadonlyMap<number, number>
}

/** Response times of the clients' requests, ms. */
interface Waits {
  readonly list: number[]
  readonly ping: number[]
  /** Pings of a server that does nothing else: what the machine itself adds. */
  readonly bare: number[]
  failed: number
}

export async function run(): Promise<BenchResult[]> {
  const devices = option('devices', 20_000)
  const minutes = option('minutes', 30)
  const interval = option('interval', 60)
  const idle = option('idle', 0)
  const duration = String(minutes * 60 + 2400)
  const fleet = await startFleet([
    ...['--devices', String(devices), '--ports', String(PORTS), ...PARTS],
    ...['--latency', String(LATENCY_MS), '--duration', duration],
  ])
  if (fleet === null) return []
  const icmp = !process.argv.includes('--no-icmp')
  const server = await startServer([
    '--set',
    `poller.interval=${interval}`,
    '--set',
    `icmp_check=${icmp}`,
    ...settingsGiven(),
  ])
  try {
    const discovered = await discover(server, fleet, devices)
    // every device gets two readings of its counters before the measurement
    await Bun.sleep(2 * interval * 1000)
    await addIdle(server, idle)
    return [...discovered, ...(await poll(server, fleet, { devices, idle, minutes, interval }))]
  } finally {
    await server.stop()
    await fleet.stop()
  }
}

/** Adds all devices at once and waits until each has been discovered. */
async function discover(server: BenchServer, fleet: Fleet, devices: number): Promise<BenchResult[]> {
  const { sql } = server.store
  const before = await read(server, fleet)
  await sql`
    insert into devices (hostname, display, port, community, snmpver, os, status)
    select host(fleet.first + d), host(fleet.first + d), ${fleet.port}, 'public', 'v2c', 'generic', 1
    from generate_series(0, ${devices - 1}) d, (select ${fleet.address(0)}::inet as first) fleet`
  // notify the server of the new devices
  await sql`select pg_notify('portlight_sites', '')`
  let line = before.at + 60_000
  let found = 0
  let highest = 0
  while (found < devices) {
    await Bun.sleep(1000)
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from devices where last_discovered is not null`
    found = row?.n ?? 0
    highest = Math.max(highest, residentMib(server.pid) * MIB)
    const now = Date.now()
    if (now - before.at > 3 * DISCOVERY_GOAL_S * 1000) {
      console.warn(
        `${found} of ${devices} devices discovered after ${3 * DISCOVERY_GOAL_S} s: going on without the others`,
      )
      break
    }
    if (now < line) continue
    line += 60_000
    console.log(`  ${seconds(before.at, now)} s: ${found} devices discovered, RSS ${megabytes(highest)} MB at most`)
  }
  const after = await read(server, fleet)
  const tookS = (after.at - before.at) / 1000
  const perDevice = (name: 'own' | 'postgres') => ((after.cpu[name] - before.cpu[name]) / devices) * 1000
  return [
    result('first discovery of all devices', tookS, 's', null, {
      text: `<= ${DISCOVERY_GOAL_S}`,
      met: found === devices && tookS <= DISCOVERY_GOAL_S,
    }),
    result('  devices', found, '', { name: 'added', value: devices }),
    result('  rate', found / tookS, 'devices/s'),
    result('  CPU a device: server', perDevice('own'), 'ms'),
    result('  CPU a device: PostgreSQL, polls meanwhile included', perDevice('postgres'), 'ms'),
    result('  RSS of the server at most', highest / MB, 'MB'),
    result('  database, octets a device', (after.database - before.database) / devices, 'octets'),
    result('  WAL, octets a device', (after.wal - before.wal) / devices, 'octets'),
  ]
}

async function addIdle({ store: { sql } }: BenchServer, idle: number): Promise<void> {
  if (idle === 0) return
  await sql`
    insert into devices (hostname, display, os, hardware, "sysName", status, disabled)
    select h, h, 'generic', repeat('x', 100), h, 0, 1
    from generate_series(1, ${idle}) d, format('idle-%s.example.net', d) h`
  await sql`vacuum analyze devices`
}

interface Load {
  readonly devices: number
  readonly idle: number
  readonly minutes: number
  /** Seconds. */
  readonly interval: number
}

async function poll(server: BenchServer, fleet: Fleet, load: Load): Promise<BenchResult[]> {
  const { devices, idle, minutes, interval } = load
  const waits: Waits = { list: [], ping: [], bare: [], failed: 0 }
  const bare = await startBare(new Map([['/api/v0/ping', await pong(server)]]))
  const clients = startClients(server, { devices: devices + idle, bare: bare.url }, waits)
  const first = await read(server, fleet)
  let last = first
  let counted = { list: 0, ping: 0, bare: 0 }
  let lagS = 0
  let rss = 0
  const rereadAt = process.argv.includes('--reread') ? Math.ceil(minutes / 2) : null
  for (let minute = 1; minute <= minutes; minute++) {
    if (minute - 1 === rereadAt) await reread(server)
    const end = first.at + minute * 60_000
    while (Date.now() < end) {
      await Bun.sleep(Math.min(2000, Math.max(1, end - Date.now())))
      rss = Math.max(rss, residentMib(server.pid) * MIB)
      lagS = Math.max(lagS, metrics(await metricsText(server)).get('portlight_poll_lag_seconds') ?? 0)
    }
    const now = await read(server, fleet)
    console.log(minuteLine(minute, last, now, waits, counted))
    counted = { list: waits.list.length, ping: waits.ping.length, bare: waits.bare.length }
    last = now
  }
  clients.terminate()
  bare.stop()
  return figures(first, last, { devices, listed: devices + idle, interval, lagS, rss, waits })
}

/** `counted`: the numbers of response times at the end of the minute before. */
function minuteLine(
  minute: number,
  before: Reading,
  now: Reading,
  waits: Waits,
  counted: Record<'list' | 'ping' | 'bare', number>,
): string {
  const s = (now.at - before.at) / 1000
  const core = (name: keyof Reading['cpu']) => ((now.cpu[name] - before.cpu[name]) / s).toFixed(2)
  const p99 = (name: keyof typeof counted, from = counted[name]) => quantile(waits[name].slice(from), 0.99).toFixed(1)
  return [
    `  minute ${minute}: ${now.polls - before.polls} polls, ${now.late - before.late} late, ${now.skipped - before.skipped} skipped`,
    `lag ${now.lagS.toFixed(2)} s`,
    `RSS ${megabytes(now.memory.own)} MB, PostgreSQL ${megabytes(now.memory.postgres)}`,
    `cores ${core('own')} + ${core('postgres')}, agents ${core('agent')}`,
    `WAL ${megabytes(now.wal - before.wal)} MB, database +${megabytes(now.database - before.database)}`,
    `waiting ${now.waiting}, dropped ${now.dropped - before.dropped}`,
    `main thread late by at most ${[0.99, 0.999, 1].map((part) => delayedAtMost(before, now, part)).join(', ')} ms (99, 99.9, 100 %)`,
    `p99 so far: list ${p99('list', 0)} ms, ping ${p99('ping', 0)} ms, bare ${p99('bare', 0)} ms`,
    `this minute: ${p99('list')}, ${p99('ping')}, ${p99('bare')} ms`,
  ].join('; ')
}

function figures(
  first: Reading,
  last: Reading,
  o: { devices: number; listed: number; interval: number; lagS: number; rss: number; waits: Waits },
): BenchResult[] {
  const s = (last.at - first.at) / 1000
  const polls = last.polls - first.polls
  const perPoll = (octets: number) => octets / polls
  const perDay = (octets: number) => ((octets / s) * DAY_S) / 1e9
  const core = (name: keyof Reading['cpu']) => (last.cpu[name] - first.cpu[name]) / s
  const expected = (o.devices * s) / o.interval
  const none = (name: string, value: number) => result(name, value, '', null, { text: '0', met: value === 0 })
  const within = (name: string, values: readonly number[], goal: number, bare: readonly number[] = []) => {
    const p99 = quantile(values, 0.99)
    const baseline = (part: number) =>
      bare.length === 0 ? null : { name: 'bare Bun.serve', value: quantile(bare, part) }
    return [
      result(`${name}: p50`, quantile(values, 0.5), 'ms', baseline(0.5)),
      result(`${name}: p99`, p99, 'ms', baseline(0.99), { text: `<= ${goal}`, met: p99 <= goal }),
    ]
  }
  const rss = o.rss / MB
  return [
    result(
      'polls',
      polls,
      '',
      { name: 'devices x intervals', value: expected },
      goal('all, within 1 %', polls >= 0.99 * expected),
    ),
    none('late polls', last.late - first.late),
    none('skipped intervals', last.skipped - first.skipped),
    none('polls lost with a worker', last.lost - first.lost),
    none('samples dropped', last.dropped - first.dropped),
    result('longest overdue poll seen', o.lagS, 's'),
    result('samples stored', (last.samples - first.samples) / s, 'rows/s'),
    result('RSS of the server at most', rss, 'MB', null, goal(`<= ${RSS_GOAL_MB}`, rss <= RSS_GOAL_MB)),
    result('memory of PostgreSQL at the end', last.memory.postgres / MB, 'MB'),
    result('CPU of the server', core('own'), 'cores'),
    result('CPU of PostgreSQL', core('postgres'), 'cores'),
    result('CPU of the agents', core('agent'), 'cores'),
    result('WAL a poll', perPoll(last.wal - first.wal), 'octets'),
    result('  images of whole pages in it', (last.images - first.images) / polls, ''),
    result('  checkpoints meanwhile', last.checkpoints - first.checkpoints, ''),
    result('WAL a day', perDay(last.wal - first.wal), 'GB'),
    result('database a poll', perPoll(last.database - first.database), 'octets'),
    result('database a day, before retention and compression', perDay(last.database - first.database), 'GB'),
    ...within(`list_devices, ${PAGE} of ${o.listed.toLocaleString('en')}`, o.waits.list, LIST_GOAL_MS),
    ...within('ping', o.waits.ping, PING_GOAL_MS, o.waits.bare),
    none('requests that failed', o.waits.failed),
    ...[0.99, 0.999, 1].map((part) =>
      result(`main thread: ${part * 100} % of timers late by less than`, delayedAtMost(first, last, part), 'ms'),
    ),
  ]
}

function goal(text: string, met: boolean): { text: string; met: boolean } {
  return { text, met }
}

/** Clients that page through list_devices and send pings, until they are terminated. */
function startClients({ url, token }: BenchServer, asked: Pick<Asked, 'devices' | 'bare'>, waits: Waits): Worker {
  const clients = new Worker(new URL('./support/scale-clients.ts', import.meta.url).href)
  clients.onmessage = ({ data }: MessageEvent<ClientReport>) => {
    waits.list.push(...data.list)
    waits.ping.push(...data.ping)
    waits.bare.push(...data.bare)
    if (waits.failed === 0 && data.failed.length > 0) console.warn(data.failed[0])
    waits.failed += data.failed.length
  }
  clients.postMessage({ url, token, ...asked, page: PAGE } satisfies Asked)
  return clients
}

async function pong({ url, token }: BenchServer): Promise<Uint8Array> {
  return (await fetch(`${url}/api/v0/ping`, { headers: { 'X-Auth-Token': token } })).bytes()
}

/** Ends the listening connections: notifications may then have been lost, so the server reads all devices again. */
async function reread({ store }: BenchServer): Promise<void> {
  const ended = await store.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %' and pid <> pg_backend_pid()`
  console.log(`  ${ended.length} connections that listen were ended: devices are read again`)
}

async function read(server: BenchServer, fleet: Fleet): Promise<Reading> {
  const [text, [sizes]] = await Promise.all([
    metricsText(server),
    server.store.sql<{ wal: number; images: number; checkpoints: number; database: number }[]>`
      select (pg_current_wal_lsn() - '0/0')::float8 as wal, w.wal_fpi::float8 as images,
        (c.num_timed + c.num_requested)::float8 as checkpoints, pg_database_size(current_database())::float8 as database
      from pg_stat_wal w, pg_stat_checkpointer c`,
  ])
  const values = metrics(text)
  const of = (name: string) => values.get(`portlight_${name}`) ?? 0
  const { own, postgres } = cpuSeconds(server.pid)
  return {
    at: Date.now(),
    polls: of('polls_total'),
    late: of('polls_late_total'),
    skipped: of('polls_skipped_total'),
    lost: of('polls_lost_total'),
    samples: of('samples_written_total'),
    dropped: of('samples_dropped_total') + of('samples_refused_total'),
    waiting: of('samples_waiting') + of('changes_waiting'),
    lagS: of('poll_lag_seconds'),
    cpu: { own, postgres, agent: cpuSeconds(fleet.pid).own },
    memory: memoryOf(server.pid),
    wal: sizes?.wal ?? Number.NaN,
    images: sizes?.images ?? Number.NaN,
    checkpoints: sizes?.checkpoints ?? Number.NaN,
    delays: delays(text),
    database: sizes?.database ?? Number.NaN,
  }
}

async function metricsText({ url }: BenchServer): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text()
}

/** The server's metrics by name, summed over labels. */
function metrics(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+)(?:\{.*\})? (\S+)$/.exec(line) ?? []
    if (name !== undefined) found.set(name, (found.get(name) ?? 0) + Number(value))
  }
  return found
}

function delays(text: string): ReadonlyMap<number, number> {
  const lines = text.matchAll(/^portlight_event_loop_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)
  return new Map(
    Array.from(lines, ([, le, n]) => [le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) * 1000, Number(n)]),
  )
}

/** The bound, ms, that this share of the delays between two readings did not exceed. */
function delayedAtMost(before: Reading, now: Reading, part: number): number {
  const counted = [...now.delays].map(([bound, n]) => [bound, n - (before.delays.get(bound) ?? 0)] as const)
  const all = counted.at(-1)?.[1] ?? 0
  return counted.find(([, n]) => n >= all * part)?.[0] ?? Number.NaN
}

function megabytes(octets: number): string {
  return (octets / MB).toFixed(0)
}

function seconds(from: number, to: number): string {
  return ((to - from) / 1000).toFixed(0)
}
