import type { Composed } from '../src/app/server.ts'
import { SYSTEM } from '../src/core/base/actor.ts'
import { startFleet } from './support/fleet.ts'
import { option, textOption } from './support/option.ts'
import { cpuSeconds, MAIN } from './support/processes.ts'
import { startRecordings } from './support/recordings.ts'
import { type BenchResult, result } from './support/result.ts'
import { addFleet, withProgram } from './support/running.ts'

/**
 * Discovery of 1,000 devices with 48 ports, v2c, 20 ms latency, from adding them to the last row in the embedded
 * database. `--devices N`, `--again`: also discovers all of them a second time, when nothing has changed.
 * `--recordings DIR`: instead discovers the recorded devices in that folder, N in all, without a goal.
 * `--definitions DIR`: with the definitions of the LibreNMS installation in that folder.
 */

const PORTS = 48
const FAST = 50

/** What is discovered, and how it is added to the program. */
interface Agents {
  readonly devices: number
  readonly goal: number | null
  add(running: Composed): Promise<void>
  stop(): Promise<void>
}

export async function run(): Promise<BenchResult[]> {
  const folder = textOption('recordings')
  const agents = await (folder === undefined ? simulated() : recorded(folder))
  if (agents === null) return []
  try {
    return await withProgram({ allow_duplicate_sysName: 'true' }, async (running) => [
      ...(await measure(running, agents, 'first', () => agents.add(running))),
      ...(process.argv.includes('--again') ? await measure(running, agents, 'second', () => again(running)) : []),
    ])
  } finally {
    await agents.stop()
  }
}

async function simulated(): Promise<Agents | null> {
  const devices = option('devices', 1000)
  const options = { devices, ports: PORTS, sensors: 0, cpus: 0, storages: 0, latency: 20 }
  const fleet = await startFleet(Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]))
  return fleet && { devices, goal: FAST, add: (running) => addFleet(running, fleet, devices), stop: fleet.stop }
}

async function recorded(folder: string): Promise<Agents | null> {
  const recordings = await startRecordings(folder)
  if (recordings === null) return null
  const { names, port, address, stop } = recordings
  const devices = option('devices', names.length)
  const add = async ({ services }: Composed) => {
    for (let i = 0; i < devices; i++) {
      const community = names[i % names.length] ?? ''
      await services.devices.add(SYSTEM, { hostname: address(i), port, community, snmpver: 'v2c', force: true })
    }
  }
  return { devices, goal: null, add, stop }
}

async function again({ poller, store }: Composed): Promise<void> {
  const rows = await store.sql<{ device_id: number }[]>`
    update devices set last_discovered = null returning device_id`
  for (const { device_id } of rows) poller.refresh(device_id)
}

async function measure(
  { store }: Composed,
  { devices, goal }: Agents,
  which: string,
  begin: () => Promise<void>,
): Promise<BenchResult[]> {
  const cpu = cpuSeconds()
  const began = performance.now()
  await begin()
  for (;;) {
    const [row] = await store.sql<{ n: number }[]>`
      select count(*)::int as n from devices d where last_discovered is not null
        and exists (select from device_modules m where m.device_id = d.device_id)`
    if (row?.n === devices) break
    if (performance.now() - began > 600_000) throw new Error('not all devices discovered within 10 minutes')
    await Bun.sleep(200)
  }
  const wallS = (performance.now() - began) / 1000
  const now = cpuSeconds()
  const rate = devices / wallS
  const perDevice = (seconds: number): number => (seconds / devices) * 1000
  const [costs] = await store.sql<{ requests: number; rows: number }[]>`
    select sum(requests)::float8 / ${devices} as requests, sum(rows)::float8 / ${devices} as rows from device_modules`
  const what = `${which} discovery of ${devices.toLocaleString('en')} devices`
  const own = now.own - cpu.own
  const main = (now.threads.get(MAIN) ?? 0) - (cpu.threads.get(MAIN) ?? 0)
  return [
    result(what, rate, 'devices/s', null, goal === null ? undefined : { text: `>= ${goal}`, met: rate >= goal }),
    result('  wall time', wallS, 's'),
    result('  requests a device', costs?.requests ?? Number.NaN, ''),
    result('  rows a device', costs?.rows ?? Number.NaN, ''),
    result('  CPU a device: main thread', perDevice(main), 'ms'),
    result('  CPU a device: workers and other threads', perDevice(own - main), 'ms'),
    result('  CPU a device: PostgreSQL', perDevice(now.postgres - cpu.postgres), 'ms'),
  ]
}
