import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client, type Store } from '../src/core/database/client.ts'
import { createLog } from '../src/observe/log.ts'
import { startEmbedded } from '../src/postgres/embedded.ts'
import { portlight } from '../tests/cli/support.ts'
import { type Cluster, type Node, testCluster } from '../tests/e2e/cluster-nodes.ts'
import { until } from '../tests/e2e/server.ts'
import { type Fleet, startFleet } from './support/fleet.ts'
import { dataFolder } from './support/folder.ts'
import { option, textOption } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * Four processes with all roles on one database poll 1,000 devices of 48 ports every 10 s, while one after another is
 * killed and started again, or suspended for a while, at random. Then the samples are checked with SQL: none overlaps
 * another of its port, no gap is longer than a takeover and an interval, and everything acknowledged by the API is
 * stored. `--minutes N` (10), `--devices N`, `--processes N`, `--database URL` of a server on which a database may be
 * created (default: a separate embedded one), `--at-once N` processes disturbed at a time (1; with more, a device may
 * be taken over several times in a row), `--seed N`.
 */

const PORTS = 48
const INTERVAL_S = 10
const TAKEOVER_S = 30
/**
 * Tolerance beyond the duration of both polls, s: the agent's clock is stored once per poll, in whole seconds, while a
 * port may be read at any time during the poll.
 */
const TOLERANCE_S = 2
const WRITE_MS = 250
const SETTLE_MS = 5000

interface Options {
  readonly minutes: number
  readonly devices: number
  readonly processes: number
}

/** Writes of the devices' notes through the API, and which were acknowledged. */
interface Writes {
  acknowledged: number
  refused: number
  /** By device: the last acknowledged number, and the numbers sent after it that were not answered. */
  readonly last: Map<number, { sure: number; maybe: Set<number>; abandoned: boolean }>
}

export async function run(): Promise<BenchResult[]> {
  const options = {
    minutes: option('minutes', 10),
    devices: option('devices', 1000),
    processes: option('processes', 4),
  }
  const random = randomFrom(option('seed', 1))
  const fleet = await startFleet([
    ...['--devices', String(options.devices), '--ports', String(PORTS), '--sensors', '2', '--cpus', '1'],
    ...['--storages', '0', '--latency', '5', '--duration', String(Math.ceil(options.minutes * 60 + 1200))],
  ])
  if (fleet === null) return []
  const database = await startDatabase()
  const cluster = testCluster(database.url, [
    ...['--set', `poller.interval=${INTERVAL_S}`, '--set', 'icmp_check=false'],
  ])
  try {
    const names = Array.from({ length: options.processes }, (_, i) => `n${i + 1}`)
    const nodes = new Map<string, Node>()
    for (const name of names) nodes.set(name, await cluster.start(name, 'all'))
    const token = await makeToken(database.url)
    await addDevices(cluster, fleet, { url: nodes.get('n1')?.url ?? '', token, devices: options.devices })
    await Bun.sleep(3 * INTERVAL_S * 1000)
    await rememberCounters(cluster.store)
    const from = Date.now()
    const writes: Writes = { acknowledged: 0, refused: 0, last: new Map() }
    const writing = writeOften(nodes, token, options.devices, writes, random)
    const counts = await disturb(cluster, nodes, options.minutes, random)
    writing.stop()
    await until(60, 'all processes are living', async () => (await cluster.living()).length === options.processes)
    await Bun.sleep(4 * INTERVAL_S * 1000)
    return [
      result('kills', counts.kills, ''),
      result('stops', counts.stops, ''),
      result('longest time without a leader', counts.longestWithoutLeaderS, 's', null, {
        text: '<= 15',
        met: counts.longestWithoutLeaderS <= 15,
      }),
      ...(await check(cluster.store, from, options)),
      ...(await checkWrites(cluster.store, writes)),
    ]
  } finally {
    await cluster.stop()
    await database.stop()
    await fleet.stop()
  }
}

async function startDatabase(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = textOption('database')
  if (server !== undefined) {
    const url = new URL(server)
    const name = `cluster_${process.pid}`
    const admin = client(server, 1)
    await admin.unsafe(`create database ${name}`)
    url.pathname = `/${name}`
    return {
      url: url.href,
      async stop() {
        await admin.unsafe(`drop database ${name} with (force)`)
        await admin.end()
      },
    }
  }
  const folder = dataFolder('portlight-cluster-')
  const embedded = await startEmbedded({ dataDir: folder, log: createLog('silent') })
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function makeToken(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-cluster-'))
  const made = await portlight(['token', 'create', '--user', 'admin', '--data-dir', folder, '--database-url', url])
  rmSync(folder, { recursive: true, force: true })
  return made.out.trim()
}

async function addDevices(
  { store }: Cluster,
  fleet: Fleet,
  { url, token, devices }: { url: string; token: string; devices: number },
): Promise<void> {
  for (let from = 0; from < devices; from += 20) {
    await Promise.all(
      Array.from({ length: Math.min(20, devices - from) }, async (_, i) => {
        const hostname = fleet.address(from + i)
        const body = { hostname, port: fleet.port, version: 'v2c', community: 'public', force_add: true }
        const response = await call(url, token, 'POST', '/devices', body)
        if (response !== 200) throw new Error(`${hostname}: ${response}`)
      }),
    )
  }
  await until(900, 'discovery', async () => {
    const [row] = await store.sql<{ n: number }[]>`
      select count(*)::int as n from devices where last_discovered is not null`
    return row?.n === devices
  })
}

/** Status of the response; 0: none. */
async function call(url: string, token: string, method: string, path: string, body: unknown): Promise<number> {
  try {
    const response = await fetch(`${url}/api/v0${path}`, {
      method,
      headers: { 'X-Auth-Token': token },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5000),
    })
    await response.text()
    return response.status
  } catch {
    return 0
  }
}

/** Writes numbers into the notes of devices, through any process. */
function writeOften(
  nodes: ReadonlyMap<string, Node>,
  token: string,
  devices: number,
  writes: Writes,
  random: () => number,
): { stop(): void } {
  let n = 0
  const timer = setInterval(() => {
    n++
    const number = n
    // devices in turn, so that a device never has two writes in progress
    const device = (number % devices) + 1
    const known = writes.last.get(device) ?? { sure: 0, maybe: new Set<number>(), abandoned: false }
    writes.last.set(device, known)
    const node = [...nodes.values()][Math.floor(random() * nodes.size)]
    // a suspended process may still carry out an abandoned write, after a later one
    if (node === undefined || known.abandoned) return
    known.maybe.add(number)
    void call(node.url, token, 'PATCH', `/devices/${device}`, { field: 'notes', data: String(number) }).then(
      (status) => {
        if (status !== 200) {
          writes.refused++
          known.abandoned = true
          return
        }
        writes.acknowledged++
        known.sure = Math.max(known.sure, number)
      },
    )
  }, WRITE_MS)
  return { stop: () => clearInterval(timer) }
}

/** Kills and suspends processes for some minutes; in the end all are running. */
async function disturb(
  cluster: Cluster,
  nodes: Map<string, Node>,
  minutes: number,
  random: () => number,
): Promise<{ kills: number; stops: number; longestWithoutLeaderS: number }> {
  const counts = { kills: 0, stops: 0, longestWithoutLeaderS: 0 }
  const atOnce = option('at-once', 1)
  const busy = new Set<string>()
  const names = [...nodes.keys()]
  const until = Date.now() + minutes * 60_000
  const watch = watchLeader(cluster, (seconds) => {
    counts.longestWithoutLeaderS = Math.max(counts.longestWithoutLeaderS, seconds)
  })
  const work: Promise<void>[] = []
  while (Date.now() < until) {
    await Bun.sleep(3000 + random() * 12_000)
    const free = names.filter((name) => !busy.has(name))
    const name = free[Math.floor(random() * free.length)] ?? ''
    const node = nodes.get(name)
    if (busy.size >= atOnce || node === undefined) continue
    busy.add(name)
    const kill = random() < 0.5
    const pauseMs = 1000 + random() * 24_000
    if (kill) counts.kills++
    else counts.stops++
    console.error(
      `${new Date().toISOString()} ${kill ? 'kill -9' : 'stop'} ${name} for ${(pauseMs / 1000).toFixed(1)} s`,
    )
    node.process.kill(kill ? 'SIGKILL' : 'SIGSTOP')
    work.push(
      Bun.sleep(pauseMs)
        .then(async () => {
          if (kill) nodes.set(name, await cluster.start(name, 'all'))
          else node.process.kill('SIGCONT')
        })
        // time for the others to hand its devices back
        .then(() => Bun.sleep(SETTLE_MS))
        .finally(() => busy.delete(name)),
    )
  }
  await Promise.all(work)
  watch.stop()
  return counts
}

/** Reports the length of each time without a leader. */
function watchLeader(cluster: Cluster, without: (seconds: number) => void): { stop(): void } {
  let seen = performance.now()
  const timer = setInterval(() => {
    cluster.leader().then(
      (name) => {
        if (name !== null) {
          without((performance.now() - seen) / 1000)
          seen = performance.now()
        }
      },
      () => undefined,
    )
  }, 500)
  return { stop: () => clearInterval(timer) }
}

/** Octets received by each port, from the counters of its device's last poll. */
const COUNTERS = `
  select s.device_id, s.time, p.port_id, ('x' || encode(substring(s.counters from (i::int - 1) * 8 + 1 for 8), 'hex'))::bit(64)::bigint as octets
  from ts.port_state s, unnest(s.port_id) with ordinality p(port_id, i)`

async function rememberCounters({ sql }: Store): Promise<void> {
  await sql.unsafe(`create table counters_before as ${COUNTERS}`)
}

/**
 * Numbers of ports whose samples have more, or fewer, octets than their counters have counted since. `unexplained`:
 * ports with fewer whose device answered every request; other devices have polls in which a port was not read.
 */
async function sums({ sql }: Store): Promise<{ ports: number; more: number; less: number; unexplained: number }> {
  const [row] = await sql.unsafe<{ ports: number; more: number; less: number; unexplained: number }[]>(`
    with now as (${COUNTERS}), s as (
      select b.device_id, now.octets - b.octets as counted, coalesce(x.sum, 0) as sum
      from counters_before b join now using (port_id), lateral (
        select sum(in_octets)::bigint as sum from ts.port_samples s
        where s.port_id = b.port_id and s.time > b.time + interval '0.5 s' and s.time < now.time + interval '0.5 s') x),
    silent as (select distinct device_id from ts.device_samples where timeouts > 0)
    select count(*)::int as ports, count(*) filter (where sum > counted)::int as more, count(*) filter (where sum < counted)::int as less,
      count(*) filter (where sum < counted and device_id not in (select device_id from silent))::int as unexplained from s`)
  return row ?? { ports: 0, more: 0, less: 0, unexplained: 0 }
}

async function check(store: Store, from: number, { devices }: Options): Promise<BenchResult[]> {
  const { sql } = store
  const at = from / 1000
  const added = await sums(store)
  const [chain] = await sql<{ pairs: number; overlaps: number; worst: number; gap: number }[]>`
    with s as (
      select p.port_id, p.time, d.uptime_s - p.period_ms / 1000.0 as began,
        lag(d.uptime_s) over (partition by p.port_id order by p.time) as before,
        (d.took_ms + lag(d.took_ms) over (partition by p.port_id order by p.time)) / 1000 as took,
        lag(p.time) over (partition by p.port_id order by p.time) as earlier
      from ts.port_samples p join ports i using (port_id)
        join ts.device_samples d on d.device_id = i.device_id and d.time = p.time
      where p.time > to_timestamp(${at}) and d.time > to_timestamp(${at})),
    o as (select (before - began - took)::float8 as over, extract(epoch from time - earlier)::float8 as gap
      from s where before is not null)
    select count(*)::float8 as pairs, count(*) filter (where over > ${TOLERANCE_S}::float8)::float8 as overlaps,
      max(over) as worst, max(gap) as gap from o`
  const [polls] = await sql<{ n: number; gap: number; doubled: number }[]>`
    with s as (
      select device_id, extract(epoch from time - lag(time) over (partition by device_id order by time))::float8 as gap
      from ts.device_samples where time > to_timestamp(${at}))
    select count(*)::float8 as n, max(gap) as gap, count(*) filter (where gap < 1)::float8 as doubled from s`
  const [state] = await sql<{ n: number }[]>`
    select count(*)::float8 as n from ts.port_state s where s.time <> (
      select max(x.time) from ts.port_samples x join ports p using (port_id) where p.device_id = s.device_id
        and x.time > to_timestamp(${at}))`
  const { pairs = 0, overlaps = 0, worst = 0, gap = 0 } = chain ?? {}
  const limit = TAKEOVER_S + INTERVAL_S
  const zero = (name: string, value: number) => result(name, value, '', null, { text: '0', met: value === 0 })
  const share = (polls?.n ?? 0) / (devices * ((Date.now() - from) / 1000 / INTERVAL_S))
  return [
    result('ports', added.ports, ''),
    zero('ports with octets counted twice', added.more),
    result('ports with octets left out', added.less, ''),
    zero('  of these, without a request that timed out', added.unexplained),
    result('pairs of samples looked at', pairs, ''),
    zero("pairs that overlap by the agent's clock", overlaps),
    result('  largest difference', worst, 's'),
    result('longest time between two samples of a port', gap, 's', null, { text: `<= ${limit}`, met: gap <= limit }),
    result('longest time between two polls of a device', polls?.gap ?? 0, 's', null, {
      text: `<= ${limit}`,
      met: (polls?.gap ?? 0) <= limit,
    }),
    result('polls stored within a second of another', polls?.doubled ?? 0, ''),
    result('share of the polls that were due', share * 100, '%'),
    zero('devices whose counters are not those of their last sample', state?.n ?? 0),
  ]
}

async function checkWrites({ sql }: Store, writes: Writes): Promise<BenchResult[]> {
  const rows = await sql<{ device_id: number; notes: string | null }[]>`select device_id, notes from devices`
  const stored = new Map(rows.map(({ device_id, notes }) => [device_id, Number(notes ?? 0)]))
  let lost = 0
  for (const [device, { sure, maybe }] of writes.last) {
    const now = stored.get(device) ?? 0
    if (now < sure || (now !== sure && !maybe.has(now))) lost++
  }
  return [
    result('writes that the API acknowledged', writes.acknowledged, ''),
    result('writes refused, or without an answer', writes.refused, ''),
    result('acknowledged writes that are lost', lost, '', null, { text: '0', met: lost === 0 }),
  ]
}

/** Pseudo-random numbers from 0 to 1 for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
