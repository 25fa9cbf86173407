import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Composed, compose } from '../src/compose.ts'
import { createSettings } from '../src/config/settings.ts'
import { SYSTEM } from '../src/domain/actor.ts'
import { createLog } from '../src/observe/log.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type BenchResult, formatResult, result } from './result.ts'

/**
 * Device polls end to end: scheduler, workers, deltas and the embedded database, states and eventlog included. One
 * device poll is 13 columns of 48 ports, v2c, 20 ms latency, 1,000 devices. CPU is that of this process and of
 * PostgreSQL; the simulated agents are not counted.
 */

const DEVICES = 1000
const PORTS = 48
const ROUNDS = 6
/** Measured once: cacti-spine with its database, the fastest of the pollers that store samples. */
const SPINE = { name: 'cacti-spine + MariaDB, as measured once', value: 105 }
const TICKS_PER_S = 100

export async function run(): Promise<BenchResult[]> {
  const fleet = await startFleet([
    '--devices',
    String(DEVICES),
    '--ports',
    String(PORTS),
    '--sensors',
    '0',
    '--cpus',
    '0',
    '--storages',
    '0',
    '--latency',
    '20',
  ])
  if (fleet === null) return []
  const dataDir = mkdtempSync(join(tmpdir(), 'portlight-bench-'))
  chmodSync(dataDir, 0o755)
  const flags = {
    'poller.interval': '86400',
    'poller.nonunicast': 'false',
    icmp_check: 'false',
    port: '0',
    ...overrides(),
  }
  const settings = createSettings({ flags })
  const running = await compose({ settings, dataDir, log: createLog('warn'), demo: false, version: 'bench' })
  try {
    return await measure(running, fleet)
  } finally {
    await running.stop()
    await fleet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Settings given with `--set name=value`. */
function overrides(): Record<string, string> {
  const found: Record<string, string> = {}
  process.argv.forEach((arg, i) => {
    const [name, value] = (process.argv[i + 1] ?? '').split('=')
    if (arg === '--set' && name !== undefined && value !== undefined) found[name] = value
  })
  return found
}

async function measure({ poller, services, store }: Composed, fleet: Fleet): Promise<BenchResult[]> {
  const added = performance.now()
  for (let from = 0; from < DEVICES; from += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        services.devices.add(SYSTEM, {
          hostname: fleet.address(from + i),
          port: fleet.port,
          community: 'public',
          snmpver: 'v2c',
          force: true,
        }),
      ),
    )
  }
  await until(
    async () =>
      (await count(store.sql`select count(*)::int as n from devices where last_discovered is not null`)) === DEVICES,
    600,
  )
  const discoveredS = (performance.now() - added) / 1000
  await poller.pollAll()
  const rows = () => count(store.sql`select count(*)::int as n from ts.port_samples`)
  const before = await rows()
  const cpu = cpuSeconds()
  const began = performance.now()
  for (let round = 0; round < ROUNDS; round++) await poller.pollAll()
  const wallS = (performance.now() - began) / 1000
  const used = { own: cpuSeconds().own - cpu.own, postgres: cpuSeconds().postgres - cpu.postgres }
  const stored = (await rows()) - before
  const polls = ROUNDS * DEVICES
  const perS = polls / wallS
  const per1000 = ((used.own + used.postgres) / polls) * 1000
  const stats = poller.stats()
  if (stored !== polls * PORTS) console.warn(`${stored} samples stored, ${polls * PORTS} expected`)
  if (stats.runs.incomplete + stats.runs.silent > 0)
    console.warn(`${stats.runs.incomplete} polls incomplete, ${stats.runs.silent} silent`)
  return [
    result('discovery of 1,000 devices, added by the domain service', discoveredS, 's', null, {
      text: '<= 180',
      met: discoveredS <= 180,
    }),
    result('device polls end to end', perS, 'devices/s', SPINE, { text: '>= 400', met: perS >= 400 }),
    result('ports end to end', perS * PORTS, 'ports/s', null, { text: '>= 19,200', met: perS * PORTS >= 19_200 }),
    result('CPU of 1,000 device polls, PostgreSQL included', per1000, 's', null, { text: '<= 2.0', met: per1000 <= 2 }),
    result('  of these, this process', (used.own / polls) * 1000, 's'),
    result('  of these, PostgreSQL', (used.postgres / polls) * 1000, 's'),
    result(
      'requests for a device poll',
      stats.pool.transport['requests'] === undefined ? Number.NaN : await requestsPerPoll(store),
      '',
    ),
  ]
}

async function requestsPerPoll(store: Composed['store']): Promise<number> {
  return count(store.sql`select avg(requests)::float8 as n from ts.device_samples`)
}

async function count(query: PromiseLike<readonly unknown[]>): Promise<number> {
  const [row] = (await query) as readonly { n: number }[]
  return Number(row?.n ?? Number.NaN)
}

async function until(condition: () => Promise<boolean>, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not done within ${seconds} s`)
    await Bun.sleep(200)
  }
}

/** CPU seconds used so far by this process with all threads, and by its postmaster with all backends. */
function cpuSeconds(): { own: number; postgres: number } {
  const { user, system } = process.cpuUsage()
  const parents = new Map<number, number>()
  const times = new Map<number, number>()
  const masters: number[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const after = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      parents.set(pid, Number(after[1]))
      const dead = Number(after[13]) + Number(after[14])
      times.set(pid, (Number(after[11]) + Number(after[12]) + dead) / TICKS_PER_S)
      if (Number(after[1]) === process.pid && stat.includes('(postgres)')) masters.push(pid)
    } catch {
      // already ended
    }
  }
  let postgres = 0
  for (const [pid, seconds] of times)
    if (masters.includes(pid) || masters.includes(parents.get(pid) ?? 0)) postgres += seconds
  return { own: (user + system) / 1e6, postgres }
}

if (import.meta.main) {
  for (const r of await run()) console.log(formatResult(r))
  process.exit(0)
}
