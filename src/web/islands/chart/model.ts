import { readable } from '../../../lib/si.ts'
import { type ValueForm, valueAxis, valueText } from '../../../lib/value-axis.ts'
import type { Chart, Figure, Limit, Spec, Values } from './data.ts'

export const WEEK_S = 604_800

/** A series prepared for drawing. */
export interface Trace {
  readonly figure: Figure
  /** Upper edge: negative below the axis; in a stack, including the series beneath. */
  readonly top: Values
  /** Lower edge of an area; null: the axis. */
  readonly base: Values | null
  /** Values of a week earlier at the same positions; null: not compared. */
  readonly past: Values | null
}

/** Everything that a chart draws. */
export interface Model {
  readonly chart: Chart
  readonly traces: readonly Trace[]
  readonly isStates: boolean
  readonly axis: ReturnType<typeof valueAxis>
  readonly limits: readonly Limit[]
  /** 95th percentiles, negative below the axis. */
  readonly p95s: readonly number[]
}

/** For each time, the value in the bucket `WEEK_S` earlier. */
function weekBefore(time: readonly number[], past: Chart, values: Values): Values {
  const [first] = past.time
  if (first === undefined) return time.map(() => null)
  return time.map((at) => values[Math.floor((at - WEEK_S - first) / past.step + 1e-6)] ?? null)
}

/** Applies signs and stacking and selects the limits. `hidden`: names of series that are switched off. */
export function modelOf(spec: Spec, chart: Chart, past: Chart | null, hidden: ReadonlySet<string>): Model {
  const isStates = chart.series.some(({ states }) => states !== null)
  const stacks = new Map<boolean, number[]>()
  const signed = (values: Values, sign: number) => values.map((value) => (value === null ? null : value * sign))
  const traces = chart.series
    .filter(({ name }) => !hidden.has(name))
    .map((figure): Trace => {
      const sign = figure.below ? -1 : 1
      const before = past?.series.find(({ name }) => name === figure.name)
      const isPast = before !== undefined && past !== null && (figure.draw === 'area' || figure.draw === 'line')
      const compared = isPast ? signed(weekBefore(chart.time, past, before.values), sign) : null
      const values = signed(figure.values, sign)
      if (figure.draw !== 'stack')
        return { figure, top: values, base: figure.base === null ? null : signed(figure.base, sign), past: compared }
      const under = stacks.get(figure.below) ?? values.map(() => 0)
      const top = values.map((value, i) => (value === null ? null : value + (under[i] ?? 0)))
      stacks.set(
        figure.below,
        top.map((value, i) => value ?? under[i] ?? 0),
      )
      return { figure, top, base: under, past: null }
    })
  const [low, high] = extremes(traces)
  const p95s = spec.p95 === true ? traces.flatMap((trace) => percentileOf(trace)) : []
  const limits = isStates ? [] : reached([...chart.limits, ...(spec.limits ?? [])], low, high)
  const ends = limits.map(({ value }) => value)
  return {
    chart,
    traces,
    isStates,
    limits,
    p95s,
    axis: valueAxis({
      type: chart.form,
      min: Math.min(low, ...ends),
      max: Math.max(high, ...ends),
      mirrored: chart.series.some(({ below }) => below),
      maxTicks: Math.max(2, Math.floor((spec.height - 30) / 30)),
    }),
  }
}

function percentileOf({ figure: { p95, below, draw } }: Trace): number[] {
  return p95 === null || (draw !== 'area' && draw !== 'line') ? [] : [below ? -p95 : p95]
}

function extremes(traces: readonly Trace[]): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { figure, top, past } of traces) {
    if (figure.percent || figure.draw === 'none') continue
    const sign = figure.below ? -1 : 1
    // the axis covers the samples in the legend too, which the means of wide buckets do not reach
    const samples = [figure.min, figure.max, figure.now].map((value) => value && value * sign)
    for (const values of [top, past ?? [], samples])
      for (const value of values) {
        if (value === null) continue
        if (value < low) low = value
        if (value > high) high = value
      }
  }
  return [low, high]
}

/** Limits close enough that showing them does not flatten the values; the same rule as in images. */
function reached(limits: readonly Limit[], low: number, high: number): readonly Limit[] {
  if (!(low <= high)) return []
  const size = Math.max(Math.abs(low), Math.abs(high))
  const near = Math.max(3 * (high - low), 0.5 * size)
  return limits.flatMap((limit) => {
    const { value, mirrored } = limit
    if (mirrored === true) return size > value * 0.6 ? [limit, ...(low < 0 ? [{ ...limit, value: -value }] : [])] : []
    return value <= high + near && value >= low - near ? [limit] : []
  })
}

/** A value formatted as in images; below the axis, without its sign. */
export function text(form: ValueForm, figure: Pick<Figure, 'percent' | 'states'>, value: number | null): string {
  if (value === null) return '–'
  if (figure.states !== null) return stateName(figure.states, value)
  if (figure.percent) return readable(value, '%', 'none').replace('-', '−')
  return valueText(form, value, false).replace('-', '−')
}

export const stateName = (states: Figure['states'], value: number): string =>
  states?.find((state) => state.value === value)?.name ?? String(value)

export const severityOf = (states: Figure['states'], value: number): number =>
  states?.find((state) => state.value === value)?.severity ?? 3
