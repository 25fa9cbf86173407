import { type BenchResult, formatResult, result } from './result.ts'
import { type BenchServer, startServer } from './server.ts'

/**
 * Requests per second of the API at 16 connections, from wrk, against a bare Bun.serve that returns the same bytes and
 * against the bare SQL query. Turns are interleaved; figures are medians.
 */

const CONNECTIONS = 16
const DEVICES = 1000
const ROUNDS = 5
const TURN_S = 2

export async function run(): Promise<BenchResult[]> {
  if (Bun.which('wrk') === null) {
    console.warn('SKIPPED: wrk is not installed (Debian package wrk)')
    return []
  }
  const server = await startServer([])
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

async function measure(server: BenchServer): Promise<BenchResult[]> {
  await insertDevices(server)
  const paths = { list: '/api/v0/devices', ping: '/api/v0/ping', device: '/api/v0/devices/1' }
  const bytes = { list: await body(server, paths.list), ping: await body(server, paths.ping) }
  const bare = startBare(bytes)
  const figures = {
    list: [] as number[],
    ping: [] as number[],
    device: [] as number[],
    bareList: [] as number[],
    barePing: [] as number[],
    rows: [] as number[],
    json: [] as number[],
  }
  for (let round = 0; round < ROUNDS; round++) {
    figures.list.push(wrk(server.url + paths.list, server.token).perS)
    figures.bareList.push(wrk(`${bare.url}/list`, '').perS)
    figures.rows.push(
      await perSecond(
        () => server.store.sql`select * from devices d left join locations l on l.id = d.location_id order by hostname`,
      ),
    )
    figures.json.push(
      await perSecond(
        () =>
          server.store
            .sql`select json_agg(t)::text from (select * from devices d left join locations l on l.id = d.location_id order by hostname) t`,
      ),
    )
    figures.ping.push(wrk(server.url + paths.ping, server.token).perS)
    figures.barePing.push(wrk(`${bare.url}/ping`, '').perS)
    figures.device.push(wrk(server.url + paths.device, server.token).perS)
  }
  const latency = wrk(server.url + paths.device, server.token)
  bare.stop()
  const list = median(figures.list)
  const ping = median(figures.ping)
  const rows = median(figures.rows)
  const json = median(figures.json)
  const query =
    rows > json
      ? { name: 'bare query, rows through the driver', value: rows }
      : { name: 'bare query, JSON by PostgreSQL', value: json }
  return [
    result(`list_devices, ${DEVICES} devices, ${(bytes.list.length / 1024).toFixed(0)} KiB`, list, 'req/s', query, {
      text: 'ratio >= 0.7',
      met: list >= 0.7 * query.value,
    }),
    result('list_devices', list, 'req/s', { name: 'bare Bun.serve, same bytes', value: median(figures.bareList) }),
    result(
      'ping',
      ping,
      'req/s',
      { name: 'bare Bun.serve, same bytes', value: median(figures.barePing) },
      { text: 'ratio >= 0.6', met: ping >= 0.6 * median(figures.barePing) },
    ),
    result('get_device', median(figures.device), 'req/s'),
    result('get_device, median latency at 16 connections', latency.p50Ms, 'ms'),
  ]
}

async function insertDevices({ store }: BenchServer): Promise<void> {
  await store.sql`
    insert into devices (hostname, "sysName", display, ip, community, snmpver, "sysObjectID", "sysDescr", "sysContact", version, hardware, serial, os, status, uptime, last_polled, last_poll_attempted, last_discovered, last_polled_timetaken, type, icon, disabled)
    select 'switch-' || n, 'switch-' || n || '.example.net', 'switch-' || n, ('10.0.' || n / 256 || '.' || n % 256)::inet, 'public', 'v2c',
      '.1.3.6.1.4.1.9.1.2440', 'Cisco IOS Software, Catalyst L3 Switch Software (CAT9K_IOSXE), Version 17.3.5, RELEASE SOFTWARE (fc2)', 'noc@example.net',
      '17.3.5', 'C9300-48P', 'FCW' || n, 'iosxe', 1, 8000000 + n, now(), now(), now(), 0.4, 'network', 'cisco.svg', 1
    from generate_series(1, ${DEVICES}) n`
}

async function body(server: BenchServer, path: string): Promise<Uint8Array> {
  const response = await fetch(server.url + path, { headers: { 'X-Auth-Token': server.token } })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return response.bytes()
}

/** A server of its own that does nothing but return these bytes. */
function startBare(bytes: { list: Uint8Array; ping: Uint8Array }): { url: string; stop(): void } {
  const worker = new Worker(new URL('./bare-server.ts', import.meta.url).href)
  const port = 20_000 + (process.pid % 20_000)
  worker.postMessage({ port, bytes })
  return { url: `http://127.0.0.1:${port}`, stop: () => worker.terminate() }
}

function wrk(url: string, token: string): { perS: number; p50Ms: number } {
  const header = token === '' ? [] : ['-H', `X-Auth-Token: ${token}`]
  const done = Bun.spawnSync(['wrk', '-t1', `-c${CONNECTIONS}`, `-d${TURN_S}s`, '--latency', ...header, url])
  const text = done.stdout.toString()
  if (/Non-2xx/.test(text)) throw new Error(`${url}: not every answer was a success`)
  const perS = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? Number.NaN)
  const [, p50, unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  return { perS, p50Ms: Number(p50) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1) }
}

/** Queries per second with as many under way as the API has connections. */
async function perSecond(query: () => PromiseLike<unknown>): Promise<number> {
  const until = performance.now() + TURN_S * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        await query()
        done++
      }
    }),
  )
  return done / TURN_S
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

if (import.meta.main) {
  for (const r of await run()) console.log(formatResult(r))
  process.exit(0)
}
