import type { Element, GraphType } from './catalogue/graph-type.ts'
import { lineColour, type Paint } from './palette.ts'
import type { SeriesData } from './series-source.ts'
import { type Statistics, statistics } from './statistics.ts'

/** An element of the graph's type, joined with its data. */
export interface Trace {
  readonly label: string
  readonly scale: number
  readonly paint: Paint
  readonly draw: Element['draw']
  readonly side: Element['side']
  readonly percent: boolean
  readonly silent: boolean
  /** As stored: not yet times `scale`. */
  readonly values: Float64Array
  /** Start of a band; null for everything else. */
  readonly base: Float64Array | null
  readonly statistics: Statistics
}

/** The drawn series of a graph. A series that the source does not give is unknown throughout. `inverse` swaps the sides. */
export function traces(type: GraphType, data: SeriesData, inverse: boolean): readonly Trace[] {
  const withPercentile = type.columns.includes('p95')
  const stats = (values: Float64Array) => statistics(data.timeS, data.stepS, values, withPercentile)
  if (type.elements === 'lines') {
    return data.series.map(({ name, values }, i) => ({
      label: name.replaceAll(/\s+/g, ' ').trim(),
      scale: 1,
      paint: { line: lineColour(i), fill: lineColour(i) },
      draw: 'line',
      side: 'above',
      percent: false,
      silent: false,
      values,
      base: null,
      statistics: stats(values),
    }))
  }
  const unknown = new Float64Array(data.timeS.length).fill(Number.NaN)
  const column = (name: string) => data.series.find((s) => s.name === name)?.values ?? unknown
  return type.elements.map((e) => ({
    label: e.label,
    scale: e.scale,
    paint: e.paint,
    draw: e.draw,
    side: inverse && type.data === 'ports' ? (e.side === 'above' ? 'below' : 'above') : e.side,
    percent: e.percent ?? false,
    silent: e.silent ?? false,
    values: column(e.series),
    base: e.base === undefined ? null : column(e.base),
    statistics: withPeak(stats(column(e.series)), column(`${e.series}_max`)),
  }))
}

/** Where the source knows the highest sample within each bucket, the maximum is of these and not of averages. */
function withPeak(found: Statistics, peaks: Float64Array): Statistics {
  let { max } = found
  for (const peak of peaks) if (max !== null && peak > max) max = peak
  return { ...found, max }
}
