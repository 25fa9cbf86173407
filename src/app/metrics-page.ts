import { formatMetrics, METRICS_TYPE, type Metric } from '../observe/metrics.ts'

/** A part with figures of its own. */
export interface Measured {
  metrics(): readonly Metric[]
}

/** What `/metrics` answers: the figures of all parts that were added. */
export interface MetricsPage {
  add(...parts: readonly Measured[]): void
  readonly answer: () => Response
}

export function createMetricsPage(...first: readonly Measured[]): MetricsPage {
  const parts = [...first]
  return {
    add: (...more) => void parts.push(...more),
    answer: () =>
      new Response(formatMetrics(parts.flatMap((part) => part.metrics())), {
        headers: { 'Content-Type': METRICS_TYPE },
      }),
  }
}
