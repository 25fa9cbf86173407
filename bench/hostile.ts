import { join } from 'node:path'
import type { HostileKind } from '../tests/support/hostile-agent.ts'
import { startFleet } from './support/fleet.ts'
import { textOption } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'
import { type BenchServer, startServer } from './support/server.ts'
import { pingUntil, quantile, residentMib } from './support/watch.ts'

/**
 * Hostile agents next to 30 good ones, all at once: endless tables, a million interfaces, a flood of datagrams, texts
 * that are slow to match. Measures how much more memory the server takes than with good agents only, the longest gap
 * between polls of a good one, and the latency of API requests. `--only KIND` for one kind, `--seconds N` (150).
 */

const HEALTHY = 30
const INTERVAL_S = 10
const KINDS: readonly HostileKind[] = ['endless', 'million', 'flood', 'wordy']
const PORT = 21_161
/** Goals. */
const MAX_MIB = 100
const MAX_PING_MS = 50
const MAX_GAP_S = 1.5 * INTERVAL_S
const SAMPLE_MS = 50

export async function run(): Promise<BenchResult[]> {
  const fleet = await startFleet(['--devices', String(HEALTHY)])
  if (fleet === null) return []
  const kinds = KINDS.filter((kind) => (textOption('only') ?? kind) === kind)
  const agents = kinds.map((kind, i) =>
    Bun.spawn(
      [
        process.execPath,
        '--no-env-file',
        join(import.meta.dir, '../tests/support/hostile-agent.ts'),
        kind,
        hostileAddress(i),
        String(PORT),
      ],
      { stdout: 'inherit', stderr: 'inherit' },
    ),
  )
  const server = await startServer([
    '--set',
    `poller.interval=${INTERVAL_S}`,
    '--set',
    'discovery.interval=60',
    '--set',
    'icmp_check=false',
    '--set',
    'allow_duplicate_sysName=true',
  ]).catch(async (error: unknown) => {
    for (const agent of agents) agent.kill()
    await fleet.stop()
    throw error
  })
  try {
    for (let i = 0; i < HEALTHY; i++) await add(server, fleet.address(i), fleet.port)
    await until(120, 'all good devices polled', async () => (await polled(server)) === HEALTHY)
    const before = await watched(server, 20)
    for (const i of kinds.keys()) await add(server, hostileAddress(i), PORT)
    const during = await watched(server, Number(textOption('seconds') ?? 150))
    const gap = await longestGap(server)
    for (const line of server.log().filter((text) => /cut by its limits|stalled|flood/.test(text))) console.warn(line)
    for (const { hostname, rows } of await ports(server)) console.warn(`${hostname}: ${rows} ports`)
    return [
      result(`server with ${HEALTHY} good devices`, before.peakMib, 'MiB'),
      result(`with ${kinds.join(', ')} besides: peak above that`, during.peakMib - before.peakMib, 'MiB', null, {
        text: `<= ${MAX_MIB} MiB`,
        met: during.peakMib - before.peakMib <= MAX_MIB,
      }),
      result(`longest gap between polls of a good one, interval ${INTERVAL_S} s`, gap, 's', null, {
        text: `< ${MAX_GAP_S} s: none missed`,
        met: gap < MAX_GAP_S,
      }),
      result('ping before, median', quantile(before.waits, 0.5), 'ms'),
      result('ping before, p99', quantile(before.waits, 0.99), 'ms'),
      result('ping meanwhile, median', quantile(during.waits, 0.5), 'ms'),
      result('ping meanwhile, p99', quantile(during.waits, 0.99), 'ms', null, {
        text: `<= ${MAX_PING_MS} ms`,
        met: quantile(during.waits, 0.99) <= MAX_PING_MS,
      }),
      result('ping meanwhile, longest', Math.max(...during.waits), 'ms'),
    ]
  } finally {
    await server.stop()
    for (const agent of agents) agent.kill()
    await fleet.stop()
  }
}

function hostileAddress(n: number): string {
  return `127.34.0.${n + 1}`
}

async function add(server: BenchServer, hostname: string, port: number): Promise<void> {
  const answer = await fetch(`${server.url}/api/v0/devices`, {
    method: 'POST',
    headers: { 'X-Auth-Token': server.token },
    body: JSON.stringify({ hostname, port, version: 'v2c', community: 'public', force_add: true }),
  })
  if (!answer.ok) throw new Error(`${hostname}: ${answer.status}`)
}

async function watched(
  server: BenchServer,
  seconds: number,
): Promise<{ readonly peakMib: number; readonly waits: readonly number[] }> {
  let peakMib = 0
  const sampler = setInterval(() => {
    peakMib = Math.max(peakMib, residentMib(server.pid))
  }, SAMPLE_MS)
  const state = { over: false }
  const pings = pingUntil(server, state)
  await Bun.sleep(seconds * 1000)
  state.over = true
  clearInterval(sampler)
  return { peakMib, waits: await pings }
}

/** Number of good devices with at least three polls. */
async function polled({ store: { sql } }: BenchServer): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from (
      select device_id from ts.device_samples join devices using (device_id)
      where hostname like '127.16.%' and uptime_s is not null group by device_id having count(*) >= 3) x`
  return row?.n ?? 0
}

/** Longest time in seconds between two answered polls of a good device, or since the last one. */
async function longestGap({ store: { sql } }: BenchServer): Promise<number> {
  const [row] = await sql<{ s: number }[]>`
    select extract(epoch from max(gap))::float8 as s from (
      select coalesce(lead(time) over (partition by device_id order by time), now()) - time as gap
      from ts.device_samples join devices using (device_id) where hostname like '127.16.%' and uptime_s is not null) x`
  return row?.s ?? Number.NaN
}

function ports({ store: { sql } }: BenchServer): Promise<{ hostname: string; rows: number }[]> {
  return sql<{ hostname: string; rows: number }[]>`
    select hostname, count(port_id)::int as rows from devices left join ports using (device_id)
    where hostname like '127.34.%' group by hostname order by hostname`
}

async function until(seconds: number, what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`)
    await Bun.sleep(500)
  }
}
