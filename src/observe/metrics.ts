/** One figure, as Prometheus reads it. Counters only grow and end in `_total`; gauges are what is true now. */
export interface Metric {
  /** For example `portlight_polls_total`. */
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly value: number
  /** At most a few values each, never a device or port. */
  readonly labels?: Readonly<Record<string, string>>
}

/** Media type of the text. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Prometheus' text format 0.0.4; metrics of one name stand together. */
export function formatMetrics(metrics: readonly Metric[]): string {
  const lines: string[] = []
  const byName = Map.groupBy(metrics, (m) => m.name)
  for (const [name, group] of byName) {
    const [first] = group
    if (first === undefined) continue
    lines.push(`# HELP ${name} ${first.help}`, `# TYPE ${name} ${first.type}`)
    for (const { labels, value } of group) lines.push(`${name}${labelText(labels)} ${value}`)
  }
  return `${lines.join('\n')}\n`
}

function labelText(labels: Metric['labels']): string {
  if (labels === undefined) return ''
  const pairs = Object.entries(labels).map(
    ([k, v]) => `${k}="${v.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`,
  )
  return `{${pairs.join()}}`
}
