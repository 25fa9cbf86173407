import type { GaugeRows } from './memory/gauge-rows.ts'
import type { StatSlot } from './memory/stats.ts'
import type { PollParts } from './protocol.ts'

/**
 * Milliseconds that each module of a device took in a poll. The values of several modules are requested together, and
 * that time is divided by their number of objects. Ports are read in parallel with them, so the sum may exceed the
 * duration of the poll.
 */
export function moduleTimes(
  { gauges, stats }: { readonly gauges: Pick<GaugeRows, 'modules'>; readonly stats: StatSlot },
  { portsMs, gaugesMs, modules }: PollParts,
): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  const add = (module: string, ms: number): void => {
    times.set(module, (times.get(module) ?? 0) + ms)
  }
  if (portsMs !== null) add('ports', portsMs)
  if (gaugesMs !== null) {
    const statistics = stats.positions.length
    const own = [...gauges.modules()]
    const objects = own.reduce((sum, [, values]) => sum + values, statistics)
    for (const [module, values] of own) add(module, (gaugesMs * values) / objects)
    if (statistics > 0) add('system-stats', (gaugesMs * statistics) / objects)
  }
  for (const { name, tookMs } of modules) add(name, tookMs)
  return times
}
