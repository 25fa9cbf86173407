import type { Theme } from './palette.ts'
import type { Line, Measure, Rect, Text } from './scene.ts'
import type { SensorLimits } from './series-source.ts'

/** A limit that is drawn. */
export interface Limit {
  readonly label: string
  readonly value: number
  readonly severe: boolean
}

/**
 * The limits that the axis is extended to include: those within three times the spread of the values, or half of their
 * magnitude. More distant ones would flatten the curve.
 */
export function reachedLimits(limits: SensorLimits | null, min: number, max: number): readonly Limit[] {
  if (limits === null || !(min <= max)) return []
  const near = Math.max(3 * (max - min), 0.5 * Math.max(Math.abs(min), Math.abs(max)))
  const all = [
    { label: 'high', value: limits.high, severe: true },
    { label: 'high warning', value: limits.highWarn, severe: false },
    { label: 'low warning', value: limits.lowWarn, severe: false },
    { label: 'low', value: limits.low, severe: true },
  ]
  return all.flatMap(({ value, ...rest }) =>
    value !== null && value <= max + near && value >= min - near ? [{ ...rest, value }] : [],
  )
}

/** Dashed lines across the plot, labelled at their right end. */
export function limitLines(
  limits: readonly Limit[],
  { plot, y, size, theme }: { plot: Rect; y: (value: number) => number; size: number; theme: Theme },
  measure: Measure,
): { readonly lines: readonly Line[]; readonly texts: readonly Text[] } {
  const lines: Line[] = []
  const texts: Text[] = []
  for (const { label, value, severe } of limits) {
    const at = Math.round(y(value)) + 0.5
    const colour = severe ? '#d55e00' : '#e69f00'
    lines.push({ steps: Float32Array.of(plot.left, plot.right, at, at), colour, dashed: true })
    // above the line, or below it at the top of the plot
    const above = at - plot.top > size * 1.2
    if (measure(label, size) * 3 > plot.right - plot.left) continue
    texts.push({
      text: label,
      x: plot.right - 4,
      y: Math.round(at) + (above ? -3 : Math.round(size * 1.05)),
      size,
      align: 'right',
      colour: theme.muted,
    })
  }
  return { lines, texts }
}
