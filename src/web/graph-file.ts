import type { ChartFigure, GraphChart } from '../core/base/graphs.ts'
import { clockOf, OWN_CLOCK } from '../lib/zone-clock.ts'
import { type CsvValue, csvAnswer } from './components/csv.ts'
import { pageZone } from './components/zone.tsx'

interface FileColumn {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly states: ChartFigure['states']
}

/** The columns of a series: its values or, for a band, its lower and upper edge. */
function columnsOf({ name, unit, values, base, draw, states }: ChartFigure): FileColumn[] {
  const label = (text: string) => (unit === '' ? text : `${text} (${unit})`)
  if (draw !== 'band' || base === null) return [{ label: label(name), values, states }]
  return [
    { label: label(`${name}, lower edge`), values: base, states: null },
    { label: label(`${name}, upper edge`), values, states: null },
  ]
}

/**
 * The values of a chart as CSV: a row per bucket, with its beginning in the zone of the page and in UTC and its length,
 * and a column per series with its unit in the heading. Values are plain numbers without prefixes; unknown is empty.
 */
export function chartCsv(chart: GraphChart, name: string): Response {
  const columns = chart.series.filter(({ silent }) => !silent).flatMap(columnsOf)
  const head = [`Time (${pageZone()})`, 'Time (UTC)', 'Length (s)', ...columns.map(({ label }) => label)]
  const rows = chart.time.map((time, at): readonly CsvValue[] => [
    clockOf(OWN_CLOCK, time * 1000),
    new Date(time * 1000).toISOString(),
    chart.step,
    ...columns.map(({ values, states }) => {
      const value = values[at] ?? null
      return states?.find((state) => state.value === value)?.name ?? value
    }),
  ])
  return csvAnswer(head, rows, name)
}

/** The name of a file for a graph at an address: `/graph/port/7/port_bits` is `port-7-port_bits`. */
export const graphFileName = (path: string): string =>
  path
    .replace(/^\/graph\//, '')
    .replaceAll(/[^\w.]+/g, '-')
    .slice(0, 80)
