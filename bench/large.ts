import { readFileSync } from 'node:fs'
import { type BenchResult, formatResult, result } from './result.ts'
import { type BenchServer, startServer } from './server.ts'

/**
 * Answers that are too large to be held: memory of the server above idle while one is sent, how long it takes, and how
 * long other requests wait meanwhile. A slow reader shows that nothing is made before it is taken.
 */

const PORTS = 100_000
const ENTRIES = 500_000
const DEVICES = 1000
/** Of the goals: memory above idle, and what a ping may wait. */
const MOST_MIB = 150
const MOST_PING_MS = 50
const PING_EVERY_MS = 5
const SAMPLE_MS = 20
/** Octets per second of the slow reader. */
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
    // The first of each makes what stays: compiled code, buffers, connections.
    await take(server, '/api/v0/ports')
    await take(server, '/api/v0/resources/fdb')
    const results: BenchResult[] = []
    const answers = [
      { name: `ports, ${PORTS}`, path: '/api/v0/ports', slow: false },
      { name: `ports, ${PORTS}, 12 columns`, path: `/api/v0/ports?columns=${ALL_COLUMNS}`, slow: false },
      { name: `ports, ${PORTS}, with rates`, path: '/api/v0/ports?columns=ifName,ifInOctets_rate', slow: false },
      { name: `fdb, ${ENTRIES}`, path: '/api/v0/resources/fdb', slow: false },
      { name: `fdb, ${ENTRIES}, slow reader`, path: '/api/v0/resources/fdb', slow: true },
    ]
    for (const { name, path, slow } of answers) {
      const m = await measure(server, path, slow)
      results.push(
        result(`${name}, ${(m.bytes / 2 ** 20).toFixed(0)} MiB: memory above idle`, m.mibAbove, 'MiB', null, {
          text: `< ${MOST_MIB} MiB`,
          met: m.mibAbove < MOST_MIB,
        }),
        result(`${name}: time`, m.seconds, 's'),
        result(`${name}: ping meanwhile, median of ${m.pings}`, m.p50Ms, 'ms'),
        result(`${name}: ping meanwhile, p99`, m.p99Ms, 'ms', null, {
          text: `< ${MOST_PING_MS} ms`,
          met: m.p99Ms < MOST_PING_MS,
        }),
      )
    }
    return results
  } finally {
    await server.stop()
  }
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
  await sql`analyze`
}

interface Measured {
  readonly bytes: number
  readonly seconds: number
  readonly mibAbove: number
  readonly pings: number
  readonly p50Ms: number
  readonly p99Ms: number
}

async function measure(server: BenchServer, path: string, slow: boolean): Promise<Measured> {
  await Bun.sleep(1000)
  const idle = residentMib(server.pid)
  let most = idle
  const sampler = setInterval(() => {
    most = Math.max(most, residentMib(server.pid))
  }, SAMPLE_MS)
  const state = { over: false }
  const pings = pingUntil(server, state)
  const started = performance.now()
  const bytes = await take(server, path, slow ? ['--limit-rate', SLOW] : [])
  const seconds = (performance.now() - started) / 1000
  state.over = true
  clearInterval(sampler)
  const waits = (await pings).toSorted((a, b) => a - b)
  const at = (part: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN
  return { bytes, seconds, mibAbove: most - idle, pings: waits.length, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** What each of the pings took, milliseconds, until it is over. */
async function pingUntil(server: BenchServer, state: { readonly over: boolean }): Promise<number[]> {
  const waits: number[] = []
  while (!state.over) {
    const started = performance.now()
    const answer = await fetch(`${server.url}/api/v0/ping`, { headers: { 'X-Auth-Token': server.token } })
    await answer.text()
    waits.push(performance.now() - started)
    await Bun.sleep(PING_EVERY_MS)
  }
  return waits
}

/** Takes an answer in a process of its own and forgets it. Throws when it is no success or not whole. */
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

/** Resident memory of a process, MiB. */
function residentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}

if (import.meta.main) {
  for (const r of await run()) console.log(formatResult(r))
  process.exit(0)
}
