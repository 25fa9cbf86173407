import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'
import { startServer } from './support/server.ts'

/**
 * Service checks by the running server, at `--rate N` a minute (5,000) for `--seconds N` (120): two in five each are
 * TCP and ICMP on loopback, one in five a real plugin (check_tcp). Meanwhile the API's ping is timed. The baselines are
 * this process starting the same plugin, and connecting, one at a time.
 */

const PLUGIN = '/usr/lib/nagios/plugins/check_tcp'
const INTERVAL_S = 60
const GOAL_PING_MS = 25

export async function run(): Promise<BenchResult[]> {
  if (!existsSync(PLUGIN)) throw new Error(`${PLUGIN} is missing: install monitoring-plugins-basic`)
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { open: (socket) => void socket.end(), data() {} },
  })
  try {
    return [...(await checks(listener.port)), ...(await alone(listener.port))]
  } finally {
    listener.stop(true)
  }
}

async function checks(port: number): Promise<BenchResult[]> {
  const rate = option('rate', 5000)
  const seconds = option('seconds', 120)
  const services = Math.round((rate * INTERVAL_S) / 60)
  const server = await startServer(['--set', `services.interval=${INTERVAL_S}`, '--set', 'ping.interval=3600'])
  const { sql } = server.store
  try {
    await sql`
      insert into devices (hostname, "sysName", os, status, snmp_disable)
      select '127.0.' || d / 250 || '.' || 1 + d % 250, 'd' || d, 'ping', 1, 1 from generate_series(1, ${Math.ceil(services / 10)}) d`
    await sql`
      insert into services (device_id, service_type, service_ip, service_param, service_status, service_message)
      select d.device_id, case when n < 4 then 'tcp' when n < 8 then 'icmp' else 'tcp' end, '127.0.0.1',
        case when n < 4 then '-p ' || ${String(port)} when n < 8 then '-n 1' else '-p ' || ${String(port)} || ' -m 100' end,
        0, 'before'
      from devices d, generate_series(0, 9) n order by d.device_id, n limit ${services}`
    await sql`select pg_notify('portlight_inventory', '')`
    // one interval to settle, then the measurement
    const pings: number[] = []
    let measuring = false
    let over = false
    const ping = async (): Promise<void> => {
      while (!over) {
        const began = performance.now()
        await (await fetch(`${server.url}/api/v0/ping`, { headers: { 'X-Auth-Token': server.token } })).text()
        if (measuring) pings.push(performance.now() - began)
        await Bun.sleep(20)
      }
    }
    const pinging = ping()
    await Bun.sleep(INTERVAL_S * 1000)
    measuring = true
    const [before, cpuBefore] = [await counted(server.url), cpu(server.pid)]
    await Bun.sleep(seconds * 1000)
    const [after, cpuAfter] = [await counted(server.url), cpu(server.pid)]
    over = true
    await pinging
    const [stored] = await sql<{ fresh: number; ok: number }[]>`
      select count(*) filter (where checked_at > now() - interval '75 seconds')::int as fresh,
        count(*) filter (where last_status = 0)::int as ok from service_checks`
    const perMinute = ((after.checks - before.checks) * 60) / seconds
    pings.sort((a, b) => a - b)
    const p99 = pings[Math.floor(pings.length * 0.99)] ?? Number.NaN
    return [
      result('service checks', perMinute, 'checks/min', null, {
        text: `>= ${Math.round(rate * 0.98)}`,
        met: perMinute >= rate * 0.98,
      }),
      result('of them late', after.late - before.late, 'checks', null, { text: '0', met: after.late === before.late }),
      result('services whose stored check is fresh', stored?.fresh ?? 0, `of ${services}`),
      result('services found ok', stored?.ok ?? 0, `of ${services}`),
      result("API's ping meanwhile, p50", pings[Math.floor(pings.length / 2)] ?? Number.NaN, 'ms'),
      result("API's ping meanwhile, p99", p99, 'ms', null, {
        text: `<= ${GOAL_PING_MS} ms`,
        met: p99 <= GOAL_PING_MS,
      }),
      result('CPU of the server', ((cpuAfter.own - cpuBefore.own) * 1000) / (after.checks - before.checks), 'ms/check'),
      result(
        'CPU of the plugins',
        ((cpuAfter.children - cpuBefore.children) * 1000) / ((after.checks - before.checks) / 5),
        'ms/plugin',
      ),
    ]
  } finally {
    await server.stop()
  }
}

async function counted(url: string): Promise<{ readonly checks: number; readonly late: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, 'gm'))].reduce(
      (all, found) => all + Number(found[1]),
      0,
    )
  return { checks: sum('portlight_check_seconds_count'), late: sum('portlight_checks_late_total') }
}

/** CPU seconds of a process and of its ended children, from /proc/PID/stat. */
function cpu(pid: number): { readonly own: number; readonly children: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const seconds = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) / 100
  return { own: seconds(11), children: seconds(13) }
}

/** The same plugin and the same connection by themselves, one at a time. */
async function alone(port: number): Promise<BenchResult[]> {
  const spawn = async (): Promise<void> => {
    const child = Bun.spawn([PLUGIN, '-H', '127.0.0.1', '-p', String(port)], {
      stdout: 'pipe',
      stderr: 'ignore',
      stdin: 'ignore',
    })
    await new Response(child.stdout).text()
    await child.exited
  }
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port }, () => {
        socket.destroy()
        resolve()
      })
      socket.on('error', reject)
    })
  const each = async (work: () => Promise<void>, times: number): Promise<number> => {
    const began = performance.now()
    for (let i = 0; i < times; i++) await work()
    return (performance.now() - began) / times
  }
  await each(spawn, 20)
  await each(open, 100)
  return [
    result('baseline: Bun.spawn of the plugin, one at a time', await each(spawn, 300), 'ms'),
    result('baseline: connect, one at a time', await each(open, 2000), 'ms'),
  ]
}
