import { createSettings } from '../src/config/settings.ts'
import type { Store } from '../src/core/database/client.ts'
import { computeParents } from '../src/core/dependencies/compute.ts'
import { type Adjacency, waysOf } from '../src/core/dependencies/reach.ts'
import { reachabilityNow } from '../src/core/dependencies/watch.ts'
import { createYielder } from '../src/lib/yield-thread.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * Parents of 10,000 devices with 100,000 links (`--devices N`, `--links N`): computing them, with the longest time for which
 * the main thread is held; storing them; and finding out what is unreachable when the core is down.
 */
export async function run(): Promise<BenchResult[]> {
  const devices = option('devices', 10_000)
  const links = option('links', 100_000)
  return await withDatabase(4, async (store) => {
    const pure = await computed(devices, links)
    await fill(store, devices, links)
    const settings = createSettings({ flags: { 'dependencies.attached': '["device-1"]' } })
    const first = await timed(() => computeParents(store, settings))
    const { digest } = await computeParents(store, settings)
    const again = await timed(() => computeParents(store, settings, digest))
    await store.sql`
      update devices set status = case when device_id % 100 = 0 then 1 else 0 end, status_reason = 'icmp', last_polled = now() - interval '1 minute'`
    await store.sql`analyze`
    const reachability = await timed(() =>
      reachabilityNow(store, settings, { maintenance: new Map(), at: Date.now(), told: true }),
    )
    const within = (name: string, value: number, unit: string, most: number): BenchResult =>
      result(name, value, unit, null, { text: `at most ${most} ${unit}`, met: value <= most })
    return [
      within('ways computed', pure.tookS, 's', 5),
      within('longest hold of the thread by it', pure.heldMs, 'ms', 100),
      within('parents computed and stored for the first time', first.tookS, 's', 60),
      within('computed again without changes', again.tookS, 's', 15),
      within('longest hold of the thread by it, with the database', again.heldMs, 'ms', 300),
      within('what is unreachable', reachability.tookS, 's', 2),
    ]
  })
}

/** A tree in which each device is linked to one of the hundred before it, and otherwise random links nearby. */
function* network(devices: number, links: number): Generator<readonly [number, number]> {
  let seed = 1
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  for (let id = 2; id <= devices; id++) yield [id, Math.max(1, id - 1 - random(Math.min(100, id - 1)))]
  for (let i = devices; i <= links; i++) {
    const id = 2 + random(devices - 1)
    yield [id, Math.max(1, id - 1 - random(Math.min(100, id - 1)))]
  }
}

async function computed(devices: number, links: number) {
  const adjacencies: Adjacency[] = [...network(devices, links)].map(([a, b]) => ({ a, b, viaA: 'x', viaB: 'y' }))
  return await timed(() => waysOf(adjacencies, new Set([1]), createYielder()))
}

async function timed(work: () => Promise<unknown>): Promise<{ tookS: number; heldMs: number }> {
  let heldMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    heldMs = Math.max(heldMs, now - last - 1)
    last = now
  }, 1)
  const began = performance.now()
  await work()
  const tookS = (performance.now() - began) / 1000
  clearInterval(timer)
  return { tookS, heldMs: Math.max(heldMs, performance.now() - last) }
}

async function fill({ sql }: Store, devices: number, links: number): Promise<void> {
  await sql`insert into devices (device_id, hostname, status) select d, 'device-' || d, 1 from generate_series(1, ${devices}) d`
  const pairs = [...network(devices, links)]
  for (let i = 0; i < pairs.length; i += 10_000) {
    const some = pairs.slice(i, i + 10_000)
    await sql`
      insert into links (local_device_id, remote_device_id, protocol, remote_hostname, remote_port, remote_version)
      select a, b, 'lldp', 'device-' || b, 'Gi1/0/1', '' from unnest(${`{${some.map(([a]) => a).join()}}`}::text::int[],
        ${`{${some.map(([, b]) => b).join()}}`}::text::int[]) as x(a, b)`
  }
  await sql`analyze`
}
