import type { Composed } from '../src/app/server.ts'
import { startFleet } from './support/fleet.ts'
import { option } from './support/option.ts'
import { cpuSeconds, MAIN } from './support/processes.ts'
import { type BenchResult, result } from './support/result.ts'
import { addFleet, withProgram } from './support/running.ts'

/**
 * Discovery of 1,000 devices with 48 ports, v2c, 20 ms latency, from adding them to the last row in the embedded
 * database. `--devices N`, `--again`: also discovers all of them a second time, when nothing has changed.
 */

const PORTS = 48
const FAST = 50

export async function run(): Promise<BenchResult[]> {
  const devices = option('devices', 1000)
  const simulated = { devices, ports: PORTS, sensors: 0, cpus: 0, storages: 0, latency: 20 }
  const fleet = await startFleet(Object.entries(simulated).flatMap(([name, value]) => [`--${name}`, String(value)]))
  if (fleet === null) return []
  try {
    return await withProgram({}, async (running) => [
      ...(await measure(running, devices, 'first', () => addFleet(running, fleet, devices))),
      ...(process.argv.includes('--again') ? await measure(running, devices, 'second', () => again(running)) : []),
    ])
  } finally {
    await fleet.stop()
  }
}

async function again({ poller, store }: Composed): Promise<void> {
  const rows = await store.sql<{ device_id: number }[]>`
    update devices set last_discovered = null returning device_id`
  for (const { device_id } of rows) poller.refresh(device_id)
}

async function measure(
  { store }: Composed,
  devices: number,
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
  const perDevice = (seconds: number): number => (seconds / devices) * 1000
  const [costs] = await store.sql<{ requests: number; rows: number }[]>`
    select sum(requests)::float8 / ${devices} as requests, sum(rows)::float8 / ${devices} as rows from device_modules`
  const what = `${which} discovery of ${devices.toLocaleString('en')} devices`
  const own = now.own - cpu.own
  const main = (now.threads.get(MAIN) ?? 0) - (cpu.threads.get(MAIN) ?? 0)
  return [
    result(what, devices / wallS, 'devices/s', null, {
      text: `>= ${FAST}`,
      met: devices / wallS >= FAST,
    }),
    result('  wall time', wallS, 's'),
    result('  requests a device', costs?.requests ?? Number.NaN, ''),
    result('  CPU a device: main thread', perDevice(main), 'ms'),
    result('  CPU a device: workers and other threads', perDevice(own - main), 'ms'),
    result('  CPU a device: PostgreSQL', perDevice(now.postgres - cpu.postgres), 'ms'),
  ]
}
