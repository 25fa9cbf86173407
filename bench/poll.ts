import type { Composed } from '../src/app/server.ts'
import { type Fleet, startFleet } from './support/fleet.ts'
import { type Cpu, cpuSeconds, isMain, isWorker } from './support/processes.ts'
import { type BenchResult, result } from './support/result.ts'
import { addFleet, withProgram } from './support/running.ts'

/**
 * Device polls end to end: scheduler, workers, deltas and the embedded database, including states and event log. A
 * device poll is 13 columns of 48 ports by v2c with 20 ms latency; there are 1,000 devices. CPU is that of this process
 * and of PostgreSQL; the simulated agents are not counted.
 */

const DEVICES = 1000
const PORTS = 48
const ROUNDS = 6
/** Measured once: cacti-spine with its database, the fastest of the pollers that store samples. */
const SPINE = { name: 'cacti-spine + MariaDB, as measured once', value: 105 }

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
  try {
    return await withProgram({ 'poller.nonunicast': 'false' }, (running) => measure(running, fleet))
  } finally {
    await fleet.stop()
  }
}

async function measure(running: Composed, fleet: Fleet): Promise<BenchResult[]> {
  const { poller, store } = running
  const added = performance.now()
  await addFleet(running, fleet, DEVICES)
  await until(
    async () =>
      (await count(store.sql`select count(*)::int as n from devices where last_discovered is not null`)) === DEVICES,
    600,
  )
  const discoveredS = (performance.now() - added) / 1000
  // every device is polled once when its discovery is stored
  await until(async () => (await count(store.sql`select count(*)::int as n from ts.port_state`)) === DEVICES, 60)
  await poller.pollAll()
  const rows = () => count(store.sql`select count(*)::int as n from ts.port_samples`)
  const before = await rows()
  const cpu = cpuSeconds()
  const began = performance.now()
  const since = new Date()
  for (let round = 0; round < ROUNDS; round++) await poller.pollAll()
  const wallS = (performance.now() - began) / 1000
  const polls = ROUNDS * DEVICES
  const now = cpuSeconds()
  const used = { own: now.own - cpu.own, postgres: now.postgres - cpu.postgres }
  const per1000 = (seconds: number): number => (seconds / polls) * 1000
  const thread = (is: (name: string) => boolean): number => {
    const sum = ({ threads }: Cpu) => [...threads].reduce((s, [name, seconds]) => s + (is(name) ? seconds : 0), 0)
    return per1000(sum(now) - sum(cpu))
  }
  const stored = (await rows()) - before
  const perS = polls / wallS
  const total = per1000(used.own + used.postgres)
  const stats = poller.stats()
  if (stored !== polls * PORTS) console.warn(`${stored} samples stored, ${polls * PORTS} expected`)
  if (stats.runs.incomplete + stats.runs.silent > 0)
    console.warn(`${stats.runs.incomplete} polls incomplete, ${stats.runs.silent} silent`)
  return [
    result('discovery of 1,000 devices, added by the domain service', discoveredS, 's', null, {
      text: '<= 180',
      met: discoveredS <= 180,
    }),
    result('device polls end to end', perS, 'devices/s', SPINE, { text: '>= 1,800', met: perS >= 1800 }),
    result('ports end to end', perS * PORTS, 'ports/s', null, {
      text: '>= 86,400',
      met: perS * PORTS >= 86_400,
    }),
    result('CPU of 1,000 device polls, PostgreSQL included', total, 's', null, {
      text: '<= 0.75',
      met: total <= 0.75,
    }),
    result('  of these, this process', per1000(used.own), 's'),
    result('    its main thread', thread(isMain), 's'),
    result('    its SNMP workers', thread(isWorker), 's'),
    result(
      '    its compiler, collector, allocator',
      thread((name) => !isMain(name) && !isWorker(name)),
      's',
    ),
    result('  of these, PostgreSQL', per1000(used.postgres), 's'),
    result(
      'requests for a device poll',
      stats.pool.transport['requests'] === undefined ? Number.NaN : await requestsPerPoll(store, since),
      '',
    ),
  ]
}

/** Without the polls before `since`: the first of a device also reads its other clocks. */
async function requestsPerPoll(store: Composed['store'], since: Date): Promise<number> {
  return count(store.sql`select avg(requests)::float8 as n from ts.device_samples where "time" >= ${since}`)
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
