import { CATALOGUE, type MetricName } from './catalogue.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import type { Metric } from './metrics.ts'

/** A counter or gauge of the catalogue, with the labels that it declares. */
export function figure(name: MetricName, value: number, labels?: Readonly<Record<string, string>>): Metric {
  const { type, help } = CATALOGUE[name]
  if (type === 'histogram') throw new Error(`${name} is a histogram`)
  return { name, type, help, value, ...(labels !== undefined && { labels }) }
}

/** A histogram of the catalogue. `bounds`: in seconds, ascending. */
export function durationsOf(name: MetricName, bounds: readonly number[]): Histogram {
  const { help, labels } = CATALOGUE[name]
  const [first, second] = Object.keys(labels)
  if (first === undefined) return createHistogram({ name, help, bounds })
  return createHistogram({ name, help, bounds, labels: second === undefined ? [first] : [first, second] })
}
