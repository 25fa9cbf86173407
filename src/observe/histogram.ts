import type { Metric } from './metrics.ts'

/** Durations counted in buckets, for each combination of label values. Counts never decrease while the process runs. */
export interface Histogram {
  /**
   * Adds a duration. `first` and `second` are the values of the labels, in order; '' for labels that the histogram does
   * not have. They must come from the program (operations, modules), never from a client or an agent, because each
   * combination is kept until the process ends.
   */
  observe(seconds: number, first?: string, second?: string): void
  /** One metric for each observed combination of label values. */
  metrics(): Metric[]
}

export interface HistogramOptions {
  /** For example `portlight_poll_duration_seconds`. */
  readonly name: string
  readonly help: string
  /** Upper bounds of the buckets in seconds, ascending; +Inf is added. */
  readonly bounds: readonly number[]
  /** Names of the labels, two at most. */
  readonly labels?: readonly [first?: string, second?: string]
}

interface Series {
  /** Observations by bucket, not cumulative; the last bucket has those above all bounds. */
  readonly counts: Float64Array
  sum: number
}

/** A Prometheus histogram: `_bucket`, `_sum` and `_count`. */
export function createHistogram({ name, help, bounds, labels = [] }: HistogramOptions): Histogram {
  const all = new Map<string, Map<string, Series>>()

  function make(first: string, second: string): Series {
    const series = { counts: new Float64Array(bounds.length + 1), sum: 0 }
    const known = all.get(first)
    if (known === undefined) all.set(first, new Map([[second, series]]))
    else known.set(second, series)
    return series
  }

  function metric(first: string, second: string, { counts, sum }: Series): Metric {
    const values = [first, second]
    let count = 0
    const buckets = [...bounds, Number.POSITIVE_INFINITY].map((le, i) => {
      count += counts[i] ?? 0
      return { le, count }
    })
    return {
      name,
      type: 'histogram',
      help,
      value: { buckets, sum, count },
      labels: Object.fromEntries(labels.map((label, i) => [label, values[i] ?? ''])),
    }
  }

  return {
    observe(seconds, first = '', second = '') {
      const series = all.get(first)?.get(second) ?? make(first, second)
      let at = 0
      while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++
      series.counts[at] = (series.counts[at] ?? 0) + 1
      series.sum += seconds
    },
    metrics: () =>
      [...all].flatMap(([first, known]) => [...known].map(([second, series]) => metric(first, second, series))),
  }
}
