import { shortened } from './legend.ts'
import { statePaint, type Theme, themed } from './palette.ts'
import type { Plotted } from './plotted.ts'
import type { Area, Measure, Rect, Text } from './scene.ts'
import { severityOf, stateName } from './states.ts'
import type { Trace } from './trace.ts'

/** The space for lanes. */
interface Space {
  readonly plot: Rect
  readonly x: (timeS: number) => number
  readonly size: number
  readonly theme: Theme
  /** Names shown left of the lanes; empty: none. */
  readonly labels: readonly string[]
}

/** Lanes lower than this many pixels are not drawn. */
const MIN_LANE = 3
const MAX_LANE = 130

/**
 * State sensors as lanes: a band for each state that holds, in the colour of its severity, with its name where it fits.
 * One lane per step.
 */
export function* stateBands(
  traces: readonly Trace[],
  { timeS, stepS, columns }: Plotted,
  { plot, x, size, theme, labels }: Space,
  measure: Measure,
): Generator<void, { readonly areas: readonly Area[]; readonly texts: readonly Text[] }> {
  const areas: Area[] = []
  const texts: Text[] = []
  const height = plot.bottom - plot.top
  const shown = Math.min(traces.length, Math.max(1, Math.floor(height / MIN_LANE)))
  const pitch = Math.min(MAX_LANE, height / Math.max(1, shown))
  const gap = pitch >= 10 ? Math.min(6, Math.round(pitch * 0.2)) : pitch >= 5 ? 1 : 0
  for (let lane = 0; lane < shown; lane++) {
    yield
    const states = traces[lane]?.states ?? []
    const top = Math.round(plot.top + lane * pitch + gap)
    const bottom = Math.max(top + 1, Math.round(plot.top + (lane + 1) * pitch))
    const middle = Math.round((top + bottom) / 2) + Math.round(size * 0.36)
    for (const { startS, endS, value } of runs(timeS, stepS, columns[lane]?.values ?? new Float64Array())) {
      const left = Math.min(plot.right - 1, Math.max(plot.left, x(startS)))
      const right = Math.min(plot.right, Math.max(x(endS), left + 1))
      if (right <= left) continue
      const paint = themed(statePaint(severityOf(value, states)), theme)
      areas.push({ steps: Float32Array.of(left, right, top, bottom), fill: paint.fill, edge: paint.line })
      const name = stateName(value, states)
      if (pitch - gap >= size * 1.15 && measure(name, size) + size <= right - left) {
        texts.push({
          text: name,
          x: Math.round((left + right) / 2),
          y: middle,
          size,
          align: 'center',
          colour: theme.text,
        })
      }
    }
    const label = labels[lane]
    if (label !== undefined && pitch >= size)
      texts.push({
        text: shortened(label, plot.left - size * 0.9, size, measure),
        x: plot.left - Math.round(size * 0.45),
        y: middle,
        size,
        align: 'right',
        colour: theme.text,
      })
  }
  return { areas, texts }
}

/** Runs of consecutive buckets with the same value. */
function runs(
  timeS: Float64Array,
  stepS: number,
  values: Float64Array,
): { startS: number; endS: number; value: number }[] {
  const found: { startS: number; endS: number; value: number }[] = []
  for (let i = 0; i < timeS.length; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const startS = timeS[i] ?? 0
    const last = found.at(-1)
    if (last?.value === value && last.endS === startS) last.endS = startS + stepS
    else found.push({ startS, endS: startS + stepS, value })
  }
  return found
}
