import { SYSTEM_STATS, type SystemStat } from '../../lib/system-stats.ts'

/** The statistics that a poll read: `values[i]` belongs to SYSTEM_STATS[i], NaN if not read. Epoch ms. */
export interface StatReading {
  readonly time: number
  readonly values: Float64Array
}

/** A 32-bit counter that decreased has wrapped if it was at least this high; below it, the agent restarted. */
const MIN_WRAPPED = 2 ** 31

/** Positions of the processor times. Kernel, Interrupt and SoftIRQ are parts of System on agents that report both. */
const TICKS = new Map(SYSTEM_STATS.flatMap(({ name, kind }, i) => (kind === 'ticks' ? [[name, i] as const] : [])))
const OF_SYSTEM = ['ssCpuRawKernel', 'ssCpuRawInterrupt', 'ssCpuRawSoftIRQ']
const APART = ['ssCpuRawUser', 'ssCpuRawNice', 'ssCpuRawIdle', 'ssCpuRawWait', 'ssCpuRawSteal']

/**
 * The samples of a poll: gauges in their unit, counters per second since the previous reading, processor times in
 * percent of the total. NaN is unknown: no previous reading, or a counter that went back.
 */
export function statRow(before: StatReading | null, now: StatReading): Float64Array {
  const seconds = before === null ? Number.NaN : (now.time - before.time) / 1000
  const deltas = SYSTEM_STATS.map((stat, i) => counted(stat, before?.values[i] ?? Number.NaN, now.values[i] as number))
  const all = processorTime(deltas)
  return Float64Array.from(SYSTEM_STATS, ({ kind, scale }, i) => {
    const delta = deltas[i] as number
    switch (kind) {
      case 'rate':
        return seconds > 0 ? delta / seconds : Number.NaN
      case 'ticks':
        return all > 0 ? Math.min(100, (delta * 100) / all) : Number.NaN
      default:
        return (now.values[i] as number) * scale
    }
  })
}

function counted({ wide }: SystemStat, before: number, now: number): number {
  if (now >= before) return now - before
  return !wide && before >= MIN_WRAPPED ? now + 2 ** 32 - before : Number.NaN
}

function processorTime(deltas: readonly number[]): number {
  const sum = (names: readonly string[]): number =>
    names.reduce((total, name) => total + (deltas[TICKS.get(name) ?? -1] || 0), 0)
  return sum(APART) + Math.max(sum(['ssCpuRawSystem']), sum(OF_SYSTEM))
}
