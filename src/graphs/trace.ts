import type { Element, GraphType } from './catalogue/graph-type.ts'
import { lineColour, type Paint } from './palette.ts'
import type { NamedSeries, SeriesData } from './series-source.ts'
import { type Statistics, statistics } from './statistics.ts'

/** An element of the graph's type with its data. */
export interface Trace {
  readonly label: string
  readonly scale: number
  readonly paint: Paint
  readonly draw: Element['draw']
  readonly side: Element['side']
  readonly percent: boolean
  readonly silent: boolean
  /** In the stored unit, not yet multiplied by `scale`. */
  readonly values: Float64Array
  /** Lower edge of a band; null for other elements. */
  readonly base: Float64Array | null
  readonly statistics: Statistics
}

/** The series to draw. A series missing from the source is unknown throughout. `inverse` swaps the sides. */
export function traces(type: GraphType, data: SeriesData, inverse: boolean): readonly Trace[] {
  const withPercentile = type.columns.includes('p95')
  const stats = ({ values, range }: Pick<NamedSeries, 'values' | 'range'>) =>
    statistics(data.timeS, data.stepS, values, withPercentile, range)
  if (type.elements === 'lines') {
    return data.series.map(({ name, values, range }, i) => ({
      label: name.replaceAll(/\s+/g, ' ').trim(),
      scale: 1,
      paint: { line: lineColour(i), fill: lineColour(i) },
      draw: 'line',
      side: 'above',
      percent: false,
      silent: false,
      values,
      base: null,
      statistics: stats({ values, range }),
    }))
  }
  const unknown = { values: new Float64Array(data.timeS.length).fill(Number.NaN), range: null }
  const series = (name: string) => data.series.find((s) => s.name === name) ?? unknown
  const column = (name: string) => series(name).values
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
    statistics: withPeak(stats(series(e.series)), column(`${e.series}_max`)),
  }))
}

/** If the source has the highest sample of each bucket, the maximum is taken from these instead of averages. */
function withPeak(found: Statistics, peaks: Float64Array): Statistics {
  let { max } = found
  for (const peak of peaks) if (max !== null && peak > max) max = peak
  return { ...found, max }
}
