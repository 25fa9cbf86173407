import { type BenchResult, result } from './support/result.ts'
import { type BenchServer, startServer } from './support/server.ts'
import { pingUntil, quantile, residentMib } from './support/watch.ts'

/**
 * Very large responses: memory of the server above idle while one is sent, its duration, and the latency of other
 * requests in the meantime. A slow reader shows that the response is produced only as fast as it is read.
 */

const PORTS = 100_000
const ENTRIES = 500_000
const DEVICES = 1000
/** Syslog lines in the database, lines requested by one client, and concurrent clients. */
const LINES = 200_000
const LINES_EACH = 100_000
const READERS = 50
/** Goals: memory above idle, and the longest ping. */
const LIST = { maxMib: 150, maxPingMs: 50 }
const LOGS = { maxMib: 100, maxPingMs: 25 }
const SAMPLE_MS = 20
/** Bytes per second of the slow reader. */
const SLOW = '20M'

const ALL_COLUMNS =
  'port_id,device_id,ifIndex,ifName,ifDescr,ifAlias,ifType,ifSpeed,ifOperStatus,ifAdminStatus,ifMtu,ifPhysAddress'

export async function run(): Promise<BenchResult[]> {
  if (Bun.which('curl') === null) {
    console.warn('SKIPPED: curl is not installed')
    return []
  }
  const server = await startServer([])
  try {
    await fill(server)
    // warm-up, because compiled code, buffers and connections stay in memory
    await take(server, '/api/v0/ports')
    await take(server, '/api/v0/resources/fdb')
    await take(server, '/api/v0/logs/syslog?limit=10000')
    const results: BenchResult[] = []
    const answers = [
      { name: `ports, ${PORTS}`, path: '/api/v0/ports', slow: false },
      { name: `ports, ${PORTS}, 12 columns`, path: `/api/v0/ports?columns=${ALL_COLUMNS}`, slow: false },
      { name: `ports, ${PORTS}, with rates`, path: '/api/v0/ports?columns=ifName,ifInOctets_rate', slow: false },
      { name: `fdb, ${ENTRIES}`, path: '/api/v0/resources/fdb', slow: false },
      { name: `fdb, ${ENTRIES}, slow reader`, path: '/api/v0/resources/fdb', slow: true },
    ]
    for (const { name, path, slow } of answers) {
      const m = await measure(server, () => take(server, path, slow ? ['--limit-rate', SLOW] : []))
      results.push(...resultsOf(name, m, LIST))
    }
    const path = `/api/v0/logs/syslog?limit=${LINES_EACH}&sortorder=DESC`
    const logs = await measure(server, async () => {
      const sizes = await Promise.all(Array.from({ length: READERS }, () => take(server, path)))
      return sizes.reduce((sum, size) => sum + size, 0)
    })
    return [...results, ...resultsOf(`syslog, ${READERS} x ${LINES_EACH}`, logs, LOGS)]
  } finally {
    await server.stop()
  }
}

function resultsOf(name: string, m: Measured, goal: { readonly maxMib: number; readonly maxPingMs: number }) {
  return [
    result(`${name}, ${(m.bytes / 2 ** 20).toFixed(0)} MiB: memory above idle`, m.mibAbove, 'MiB', null, {
      text: `<= ${goal.maxMib} MiB`,
      met: m.mibAbove <= goal.maxMib,
    }),
    result(`${name}: time`, m.seconds, 's'),
    result(`${name}: ping meanwhile, median of ${m.pings}`, m.p50Ms, 'ms'),
    result(`${name}: ping meanwhile, p99`, m.p99Ms, 'ms', null, {
      text: `<= ${goal.maxPingMs} ms`,
      met: m.p99Ms <= goal.maxPingMs,
    }),
    result(`${name}: ping meanwhile, longest`, m.maxMs, 'ms'),
  ]
}

async function fill({ store: { sql } }: BenchServer): Promise<void> {
  await sql`insert into devices (hostname, "sysName", display, ip, os, disabled)
    select 'switch-' || n, 'switch-' || n, 'switch-' || n, ('10.0.' || n / 256 || '.' || n % 256)::inet, 'linux', 1
    from generate_series(1, ${DEVICES}) n`
  await sql`insert into ports (device_id, "ifIndex", "ifName", "ifDescr", "ifAlias", "ifType", "ifSpeed", "ifOperStatus", "ifAdminStatus",
      "ifMtu", "ifPhysAddress")
    select d.device_id, n, 'Gi0/' || n, 'GigabitEthernet0/' || n, 'link to floor ' || n, 'ethernetCsmacd', 1000000000, 'up', 'up',
      1500, lpad(to_hex(n), 12, '0')
    from devices d, generate_series(1, ${PORTS / DEVICES}::int) n`
  await sql`insert into ports_fdb (device_id, port_id, mac_address)
    select p.device_id, p.port_id, lpad(to_hex(p.port_id * 16 + n), 12, '0')
    from ports p, generate_series(1, ${ENTRIES / PORTS}::int) n`
  await sql`insert into syslog (device_id, "timestamp", facility, priority, level, program, msg)
    select 1 + n % ${DEVICES}, now() - n * interval '1 s', 'daemon', 'info', 'info', 'IFMGR',
      'interface GigabitEthernet0/' || n % 48 || ' changed its state to up, line protocol follows; reason: link up'
    from generate_series(1, ${LINES}::int) n`
  await sql`analyze`
}

interface Measured {
  readonly bytes: number
  readonly seconds: number
  readonly mibAbove: number
  readonly pings: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

async function measure(server: BenchServer, work: () => Promise<number>): Promise<Measured> {
  await Bun.sleep(1000)
  const idle = residentMib(server.pid)
  let most = idle
  const sampler = setInterval(() => {
    most = Math.max(most, residentMib(server.pid))
  }, SAMPLE_MS)
  const state = { over: false }
  const pings = pingUntil(server, state)
  const started = performance.now()
  const bytes = await work()
  const seconds = (performance.now() - started) / 1000
  state.over = true
  clearInterval(sampler)
  const waits = await pings
  return {
    bytes,
    seconds,
    mibAbove: most - idle,
    pings: waits.length,
    p50Ms: quantile(waits, 0.5),
    p99Ms: quantile(waits, 0.99),
    maxMs: quantile(waits, 1),
  }
}

/** Reads and discards a response in a separate process. Throws if it fails or is incomplete. */
async function take(server: BenchServer, path: string, options: readonly string[] = []): Promise<number> {
  const done = Bun.spawn(
    ['curl', '-sS', '-o', '/dev/null', '-w', '%{http_code} %{size_download}', '-H', `X-Auth-Token: ${server.token}`]
      .concat(options)
      .concat(server.url + path),
    { stdout: 'pipe', stderr: 'pipe' },
  )
  const [status, size] = (await new Response(done.stdout).text()).split(' ')
  if ((await done.exited) !== 0 || status !== '200') {
    throw new Error(`${path}: ${status} ${await new Response(done.stderr).text()}`)
  }
  return Number(size)
}
