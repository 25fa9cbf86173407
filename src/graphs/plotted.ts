import { severer } from './states.ts'
import { consolidate, extremes } from './statistics.ts'
import type { Trace } from './trace.ts'

/** The values that an image shows and a JSON response lists: at most one for each pixel or point. */
export interface Plotted {
  /** Starts of the buckets, epoch seconds. */
  readonly timeS: Float64Array
  readonly stepS: number
  /** Of each trace in order, in the stored unit; NaN is unknown. */
  readonly columns: readonly PlottedColumn[]
}

export interface PlottedColumn {
  readonly values: Float64Array
  readonly base: Float64Array | null
  /** Lowest and highest sample of each bucket; null: not drawn. */
  readonly band: { readonly lowest: Float64Array; readonly highest: Float64Array } | null
}

/** Columns of pixels left for values in an image of this width, without the axes. */
export function pointsFor(width: number, size: number): number {
  return Math.max(1, width - size * 6)
}

/** Reduces the traces to at most `points` buckets: averages, or the most severe of several states. */
export function plotted(
  { timeS, stepS }: { readonly timeS: Float64Array; readonly stepS: number },
  traces: readonly Trace[],
  points: number,
): Plotted {
  const reduce = (values: Float64Array) => consolidate(values, points)
  const all = traces.map((trace) => ({
    values: trace.states === undefined ? reduce(trace.values) : statesOf(trace.values, points, trace.states),
    base: trace.base === null ? null : reduce(trace.base),
    band: trace.band && {
      lowest: extremes(trace.band.lowest, points, 'lowest'),
      highest: extremes(trace.band.highest, points, 'highest'),
    },
  }))
  const each = Math.max(1, Math.ceil(timeS.length / points))
  return {
    timeS:
      each === 1
        ? timeS
        : Float64Array.from({ length: Math.ceil(timeS.length / each) }, (_, i) => timeS[i * each] ?? Number.NaN),
    stepS: stepS * each,
    columns: all,
  }
}

function statesOf(values: Float64Array, points: number, states: NonNullable<Trace['states']>): Float64Array {
  const each = Math.max(1, Math.ceil(values.length / points))
  if (each === 1) return values
  return Float64Array.from({ length: Math.ceil(values.length / each) }, (_, i) =>
    values.subarray(i * each, (i + 1) * each).reduce((worst, value) => severer(worst, value, states), Number.NaN),
  )
}
