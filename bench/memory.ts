import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fleet, startFleet } from './support/fleet.ts'
import { option, settingsGiven } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'
import { type BenchServer, startServer } from './support/server.ts'

/**
 * Resident memory of the server: idle, with half of the devices and with all of them, then once a minute. `--devices N`
 * (1,000), `--minutes N` (3), `--interval S` (30), `--demo`: only the demo, `--set NAME=VALUE`. RSS includes pages of
 * the program that are shared with other processes; anonymous memory does not.
 */

const PORTS = 48
const GOAL_MIB = 260
const DEMO_GOAL_MIB = 160
const SETTLE_MS = 10_000

interface Memory {
  readonly rss: number
  readonly anonymous: number
}

/** MiB. */
function memoryOf(pid: number): Memory {
  const text = readFileSync(join('/proc', String(pid), 'smaps_rollup'), 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024
  return { rss: read('Rss'), anonymous: read('Anonymous') }
}

export async function run(): Promise<BenchResult[]> {
  if (process.argv.includes('--demo')) return demo()
  const devices = option('devices', 1000)
  const duration = String(option('minutes', 3) * 60 + 1800)
  const simulated = { devices, ports: PORTS, latency: 20, duration }
  const fleet = await startFleet(Object.entries(simulated).flatMap(([name, value]) => [`--${name}`, String(value)]))
  if (fleet === null) return []
  const interval = option('interval', 30)
  const server = await startServer([
    '--set',
    `poller.interval=${interval}`,
    '--set',
    'icmp_check=false',
    ...settingsGiven(),
  ])
  try {
    await Bun.sleep(SETTLE_MS)
    const results = [...lines('idle', memoryOf(server.pid))]
    for (const [from, to] of [
      [0, devices / 2],
      [devices / 2, devices],
    ] as const) {
      await add(server, fleet, from, to)
      await Bun.sleep(2 * interval * 1000)
      results.push(...lines(`${to.toLocaleString('en')} devices`, memoryOf(server.pid)))
    }
    return [...results, ...(await minutes(server, `${devices.toLocaleString('en')} devices`, GOAL_MIB))]
  } finally {
    await server.stop()
    await fleet.stop()
  }
}

async function demo(): Promise<BenchResult[]> {
  const server = await startServer(['--demo', ...settingsGiven()])
  try {
    return await minutes(server, 'demo', DEMO_GOAL_MIB)
  } finally {
    await server.stop()
  }
}

/** Memory once a minute; the goal applies to the last minute. */
async function minutes({ pid }: BenchServer, what: string, goal: number): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  const count = option('minutes', 3)
  for (let minute = 1; minute <= count; minute++) {
    await Bun.sleep(60_000)
    const now = memoryOf(pid)
    const goalOf = minute === count ? { text: `<= ${goal}`, met: now.rss <= goal } : undefined
    results.push(result(`${what}, minute ${minute}: RSS`, now.rss, 'MiB', null, goalOf))
  }
  return results
}

function lines(what: string, { rss, anonymous }: Memory): BenchResult[] {
  return [result(`${what}: RSS`, rss, 'MiB'), result(`${what}: of it anonymous`, anonymous, 'MiB')]
}

async function add({ url, token, store }: BenchServer, fleet: Fleet, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 20) {
    await Promise.all(
      Array.from({ length: Math.min(20, to - at) }, async (_, i) => {
        const body = { hostname: fleet.address(at + i), port: fleet.port, version: 'v2c', community: 'public' }
        const response = await fetch(`${url}/api/v0/devices`, {
          method: 'POST',
          headers: { 'X-Auth-Token': token },
          body: JSON.stringify({ ...body, force_add: true }),
        })
        if (!response.ok) throw new Error(`${body.hostname}: ${response.status} ${await response.text()}`)
      }),
    )
  }
  const deadline = Date.now() + 600_000
  for (;;) {
    const [row] = await store.sql<{ n: number }[]>`
      select count(*)::int as n from devices where last_discovered is not null`
    if (row?.n === to) return
    if (Date.now() > deadline) throw new Error('not all devices discovered within 10 minutes')
    await Bun.sleep(500)
  }
}
