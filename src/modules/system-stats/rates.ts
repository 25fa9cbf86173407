import { type StatGroup, SYSTEM_STATS, type SystemStat } from '../../lib/system-stats.ts'

/** The statistics that a poll read at `time` (epoch ms): `values[i]` belongs to SYSTEM_STATS[i], NaN if not read. */
export interface StatReading {
  readonly time: number
  readonly values: Float64Array
}

/** What the next reading is compared with: every group of which anything is known, as last refreshed by the agent. */
export interface StatBaseline {
  readonly groups: ReadonlyMap<StatGroup, GroupReading>
}

/** `values[i]` belongs to the i-th statistic of the group. Epoch ms. */
interface GroupReading {
  readonly time: number
  readonly values: Float64Array
}

/**
 * Agents refresh some groups less often than they are polled, for example net-snmp those of IP-MIB once a minute. A
 * group whose counters have all stood still for less than this (ms) counts as not refreshed: its samples are unknown,
 * and the next ones are rates since the last refresh. Otherwise the rate would alternate between zero and twice its
 * value.
 */
const REFRESHED_MS = 120_000

const GROUP_POSITIONS: ReadonlyMap<StatGroup, readonly number[]> = new Map(
  [...Map.groupBy(SYSTEM_STATS.keys(), (i) => (SYSTEM_STATS[i] as SystemStat).group)].map(([group, positions]) => [
    group,
    [...positions],
  ]),
)

/** A 32-bit counter that decreased has wrapped if it was at least this high before; otherwise the agent restarted. */
const MIN_WRAPPED = 2 ** 31

/**
 * Positions of the processor times. Kernel, Interrupt and SoftIRQ are included in System on agents that report both.
 */
const TICKS = new Map(SYSTEM_STATS.flatMap(({ name, kind }, i) => (kind === 'ticks' ? [[name, i] as const] : [])))
const OF_SYSTEM = ['ssCpuRawKernel', 'ssCpuRawInterrupt', 'ssCpuRawSoftIRQ']
const APART = ['ssCpuRawUser', 'ssCpuRawNice', 'ssCpuRawIdle', 'ssCpuRawWait', 'ssCpuRawSteal']

/**
 * The samples of a poll: gauges in their unit, counters per second since the agent's previous refresh, processor times
 * in percent of the total. NaN is unknown: no previous reading, no refresh since, or a counter that went back. Also
 * returns the baseline for the next poll.
 */
export function statRow(
  before: StatBaseline | null,
  now: StatReading,
): { readonly row: Float64Array; readonly baseline: StatBaseline } {
  const groups = new Map<StatGroup, GroupReading>()
  const deltas = new Float64Array(SYSTEM_STATS.length).fill(Number.NaN)
  const seconds = new Float64Array(SYSTEM_STATS.length).fill(Number.NaN)
  for (const [group, positions] of GROUP_POSITIONS) {
    const last = before?.groups.get(group)
    const values = Float64Array.from(positions, (i) => now.values[i] ?? Number.NaN)
    if (last !== undefined && isStale(last, { time: now.time, values })) {
      groups.set(group, last)
      continue
    }
    if (!values.every(Number.isNaN)) groups.set(group, { time: now.time, values })
    if (last === undefined) continue
    for (const [k, i] of positions.entries()) {
      deltas[i] = counted(SYSTEM_STATS[i] as SystemStat, last.values[k] as number, values[k] as number)
      seconds[i] = (now.time - last.time) / 1000
    }
  }
  const all = processorTime(deltas)
  const row = Float64Array.from(SYSTEM_STATS, ({ kind, scale }, i) => {
    const delta = deltas[i] as number
    switch (kind) {
      case 'rate':
        return (seconds[i] as number) > 0 ? delta / (seconds[i] as number) : Number.NaN
      case 'ticks':
        return all > 0 ? Math.min(100, (delta * 100) / all) : Number.NaN
      default:
        return (now.values[i] as number) * scale
    }
  })
  return { row, baseline: { groups } }
}

/** Whether the agent has not refreshed a group since the last reading. */
function isStale(last: GroupReading, now: GroupReading): boolean {
  if (now.time - last.time >= REFRESHED_MS) return false
  let known = false
  for (const [k, value] of now.values.entries()) {
    if (Number.isNaN(value)) continue
    if (value !== last.values[k]) return false
    known = true
  }
  return known
}

function counted({ wide }: SystemStat, before: number, now: number): number {
  if (now >= before) return now - before
  return !wide && before >= MIN_WRAPPED ? now + 2 ** 32 - before : Number.NaN
}

function processorTime(deltas: Float64Array): number {
  const sum = (names: readonly string[]): number =>
    names.reduce((total, name) => total + (deltas[TICKS.get(name) ?? -1] || 0), 0)
  return sum(APART) + Math.max(sum(['ssCpuRawSystem']), sum(OF_SYSTEM))
}
