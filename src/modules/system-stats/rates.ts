import { SYSTEM_STATS, type SystemStat } from '../../lib/system-stats.ts'

/** What a poll read of the statistics: `values[i]` belongs to SYSTEM_STATS[i], NaN where nothing was read. Epoch ms. */
export interface StatReading {
  readonly time: number
  readonly values: Float64Array
}

/** From there on up a 32-bit counter that is less at the next poll has run over; below, its agent started again. */
const HIGH = 2 ** 31

/** Where the processor's times are; Kernel, Interrupt and SoftIRQ are parts of System on agents that tell both. */
const TICKS = new Map(SYSTEM_STATS.flatMap(({ name, kind }, i) => (kind === 'ticks' ? [[name, i] as const] : [])))
const OF_SYSTEM = ['ssCpuRawKernel', 'ssCpuRawInterrupt', 'ssCpuRawSoftIRQ']
const APART = ['ssCpuRawUser', 'ssCpuRawNice', 'ssCpuRawIdle', 'ssCpuRawWait', 'ssCpuRawSteal']

/**
 * The row of samples of a poll: gauges in their unit, counters per second since the reading before, processor time in
 * percent of all of it. NaN is unknown: without a reading before, and for a counter that went back.
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
  return !wide && before >= HIGH ? now + 2 ** 32 - before : Number.NaN
}

function processorTime(deltas: readonly number[]): number {
  const sum = (names: readonly string[]): number =>
    names.reduce((total, name) => total + (deltas[TICKS.get(name) ?? -1] || 0), 0)
  return sum(APART) + Math.max(sum(['ssCpuRawSystem']), sum(OF_SYSTEM))
}
