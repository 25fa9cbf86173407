/** One Prometheus metric. Counters only grow and their names end in `_total`; gauges are current values. */
export type Metric = Labelled &
  (
    | { readonly type: 'counter' | 'gauge'; readonly value: number }
    | { readonly type: 'histogram'; readonly value: HistogramValue }
  )

interface Labelled {
  /** For example `portlight_polls_total`. */
  readonly name: string
  readonly help: string
  /** Each label has only a few values, never a device or port. */
  readonly labels?: Readonly<Record<string, string>>
}

export interface HistogramValue {
  /** Cumulative and ascending: number of observations of at most `le`. The last `le` is Infinity. */
  readonly buckets: readonly { readonly le: number; readonly count: number }[]
  readonly sum: number
  readonly count: number
}

/** Media type of the text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Prometheus text format 0.0.4; metrics with the same name are grouped. */
export function formatMetrics(metrics: readonly Metric[]): string {
  const lines: string[] = []
  const byName = Map.groupBy(metrics, (m) => m.name)
  for (const [name, group] of byName) {
    const [first] = group
    if (first === undefined) continue
    lines.push(`# HELP ${name} ${first.help}`, `# TYPE ${name} ${first.type}`)
    for (const metric of group) {
      if (metric.type === 'histogram') lines.push(...histogramLines(name, metric.labels, metric.value))
      else lines.push(`${name}${labelText(metric.labels)} ${metric.value}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function histogramLines(name: string, labels: Metric['labels'], { buckets, sum, count }: HistogramValue): string[] {
  const own = labelText(labels)
  // `le` comes last, so that the text before it is the same for all buckets
  const open = own === '' ? '{' : `${own.slice(0, -1)},`
  return [
    ...buckets.map((b) => `${name}_bucket${open}le="${b.le === Number.POSITIVE_INFINITY ? '+Inf' : b.le}"} ${b.count}`),
    `${name}_sum${own} ${sum}`,
    `${name}_count${own} ${count}`,
  ]
}

function labelText(labels: Metric['labels']): string {
  const pairs = Object.entries(labels ?? {}).map(
    ([k, v]) => `${k}="${v.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join()}}`
}
