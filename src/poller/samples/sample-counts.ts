import { figure } from '../../observe/figures.ts'
import type { Metric } from '../../observe/metrics.ts'
import { NARROW_NAMES } from '../../series/kinds.ts'
import type { SampleBatch } from '../../series/samples.ts'

/** Counts stored samples by kind. */
export interface SampleCounts {
  add(batch: SampleBatch): void
  metrics(): readonly Metric[]
}

export function createSampleCounts(): SampleCounts {
  const counts = new Map<string, number>(['port', ...NARROW_NAMES].map((kind) => [kind, 0]))
  const count = (kind: string, rows: number): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + rows)
  }
  return {
    add(batch) {
      count('port', batch.ports.length)
      for (const [kind, rows] of Object.entries(batch.series)) count(kind, rows.id.length)
    },
    metrics: () => [...counts].map(([kind, value]) => figure('portlight_samples_written_total', value, { kind })),
  }
}
