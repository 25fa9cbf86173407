import type { Plotted } from './plotted.ts'
import type { Rect } from './scene.ts'
import type { Trace } from './trace.ts'

export interface Drawn {
  readonly draw: Trace['draw']
  readonly paint: Trace['paint']
  readonly percent: boolean
  readonly bold: boolean
  /** In the drawn unit, negative below the axis; NaN is a gap. */
  readonly top: Float64Array
  /** Lower edge of an area; null: zero. */
  readonly base: Float64Array | null
  /** From the lowest to the highest sample; null: none is drawn. */
  readonly band: { readonly lowest: Float64Array; readonly highest: Float64Array } | null
}

/** Scales the values, mirrors those below the axis, and adds up stacks. An unknown value adds nothing to its stack. */
export function restack(traces: readonly Trace[], { columns }: Plotted): readonly Drawn[] {
  const stacks = new Map<Trace['side'], Float64Array<ArrayBufferLike>>()
  return traces.map((trace, at) => {
    const column = columns[at]
    const factor = trace.side === 'below' ? -trace.scale : trace.scale
    const top = (column?.values ?? new Float64Array()).map((v) => v * factor)
    let base: Float64Array | null = column?.base?.map((v) => v * factor) ?? null
    if (trace.draw === 'stack') {
      const under = stacks.get(trace.side) ?? new Float64Array(top.length)
      base = under
      stacks.set(
        trace.side,
        under.map((sum, i) => (Number.isNaN(top[i] ?? Number.NaN) ? sum : sum + (top[i] ?? 0))),
      )
      for (let i = 0; i < top.length; i++) top[i] = (top[i] ?? Number.NaN) + (under[i] ?? 0)
    }
    const scaled = (edge: Float64Array) => edge.map((v) => v * factor)
    const band = column?.band && { lowest: scaled(column.band.lowest), highest: scaled(column.band.highest) }
    return {
      draw: trace.draw,
      paint: trace.paint,
      percent: trace.percent,
      bold: trace.bold === true,
      top,
      base,
      band: band ?? null,
    }
  })
}

/**
 * Lowest and highest value on the left axis: of what is drawn, and of the samples in the legend. Infinite if none is
 * known.
 */
export function extremesOf(drawn: readonly Drawn[], traces: readonly Trace[]): [min: number, max: number] {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  const cover = (value: number): void => {
    if (!Number.isFinite(value)) return
    if (value < min) min = value
    if (value > max) max = value
  }
  for (const { percent, draw, top } of drawn) if (!percent && draw !== 'none') for (const value of top) cover(value)
  for (const { percent, draw, side, scale, statistics } of traces) {
    if (percent || draw === 'none') continue
    const factor = side === 'below' ? -scale : scale
    for (const value of [statistics.min, statistics.max, statistics.last]) if (value !== null) cover(value * factor)
  }
  return [min, max]
}

/** The colour of the band between the lowest and highest samples. */
export function translucent(line: string): string {
  const part = (at: number) => Number.parseInt(line.slice(at, at + 2), 16)
  return `rgba(${part(1)}, ${part(3)}, ${part(5)}, 0.22)`
}

/**
 * The boxes of the known values inside the plot, four numbers each; see `Area`. A box is at least a pixel wide, also at
 * the right end.
 */
export function boxes(
  { timeS, stepS }: Plotted,
  top: Float64Array,
  base: Float64Array | null,
  x: (timeS: number) => number,
  y: (value: number) => number,
  plot: Rect,
): Float32Array {
  const out = new Float32Array(timeS.length * 4)
  let n = 0
  for (let i = 0; i < timeS.length; i++) {
    const value = top[i] ?? Number.NaN
    const from = base?.[i] ?? 0
    if (!Number.isFinite(value) || !Number.isFinite(from)) continue
    const start = timeS[i] ?? Number.NaN
    const x0 = Math.min(plot.right - 1, Math.max(plot.left, x(start)))
    const x1 = Math.min(plot.right, Math.max(x(start + stepS), x0 + 1))
    if (!(x1 > x0)) continue
    out[n++] = x0
    out[n++] = x1
    out[n++] = y(value)
    out[n++] = y(from)
  }
  return out.subarray(0, n)
}
