import type { ChartFigure, GraphChart, GraphFigure } from '../core/base/graphs.ts'
import { figures, knownOf } from './figures.ts'
import type { LayoutInput } from './layout.ts'
import { DARK, type Paint, THEME, type Theme, themed } from './palette.ts'
import type { Plotted } from './plotted.ts'
import type { SensorLimits } from './series-source.ts'

const pair = (paint: Paint, theme: Theme): readonly [string, string] => {
  const { line, fill } = themed(paint, theme)
  return [line, fill]
}

/** The numbers that a graph shows, and how its image draws them. */
export function chartOf(input: LayoutInput, values: Plotted, level: string | null, sql: string | null): GraphChart {
  const { type, traces, shades } = input
  const { unit, prefixes, format, whole, axis } = type
  const numbers = figures(input, values, level)
  return {
    ...numbers,
    title: type.title ?? type.label,
    form: { unit, prefixes, axis, ...(format && { format }), ...(whole && { whole }) },
    columns: type.columns,
    series: traces.map((trace, i): ChartFigure => {
      const { states: _, ...figure } = numbers.series[i] ?? MISSING
      const { base = null, band = null } = values.columns[i] ?? {}
      return {
        ...figure,
        draw: trace.draw,
        below: trace.side === 'below',
        percent: trace.percent,
        silent: trace.silent,
        bold: trace.bold === true,
        base: base === null ? null : Array.from(base, (v) => knownOf(v * trace.scale)),
        band: band && {
          lowest: Array.from(band.lowest, (v) => knownOf(v * trace.scale)),
          highest: Array.from(band.highest, (v) => knownOf(v * trace.scale)),
        },
        okShare: trace.okShare ?? null,
        light: pair(trace.paint, THEME),
        dark: pair(trace.paint, DARK),
        states: trace.states?.map(({ value, name, severity }) => ({ value, name, severity })) ?? null,
      }
    }),
    limits: limitsOf(input.limits ?? null),
    outages: shades?.outages.map(({ startS, endS }) => [startS, endS] as const) ?? [],
    maintenance: shades?.maintenance.map(({ startS, endS }) => [startS, endS] as const) ?? [],
    sql,
  }
}

const MISSING: GraphFigure = {
  name: '',
  unit: '',
  values: [],
  now: null,
  min: null,
  avg: null,
  max: null,
  p95: null,
  total: null,
}

function limitsOf(limits: SensorLimits | null): GraphChart['limits'] {
  if (limits === null) return []
  const all = [
    { label: 'high', value: limits.high, severe: true },
    { label: 'high warning', value: limits.highWarn, severe: false },
    { label: 'low warning', value: limits.lowWarn, severe: false },
    { label: 'low', value: limits.low, severe: true },
  ]
  return all.flatMap(({ value, ...rest }) => (value === null ? [] : [{ ...rest, value }]))
}
