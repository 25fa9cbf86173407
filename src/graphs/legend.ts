import { readable } from '../lib/si.ts'
import type { Column, GraphType } from './catalogue/graph-type.ts'
import { THEME } from './palette.ts'
import type { Measure, Swatch, Text } from './scene.ts'
import type { Statistics } from './statistics.ts'
import type { Trace } from './trace.ts'

/** The table below a graph. `height` is 0 when there is no space for a row. */
export interface Legend {
  readonly height: number
  readonly texts: readonly Text[]
  readonly swatches: readonly Swatch[]
}

/** Space for the table: from `top` (relative: 0) at most `maxHeight` high, between `left` and `right`. */
export interface LegendSpace {
  readonly left: number
  readonly right: number
  readonly maxHeight: number
  readonly size: number
  /** Text at the lower right, if there is space: the time range. */
  readonly footer: string
  /** A last value whose bucket ended before this (epoch seconds) is labelled "last", not "now". */
  readonly currentSinceS: number
}

const NONE: Legend = { height: 0, texts: [], swatches: [] }
const GAP = 14

interface Cells {
  readonly paint: Trace['paint']
  readonly name: string
  readonly values: readonly string[]
}

/**
 * Lays the legend out as a table, in as many side-by-side blocks as fit. If rows do not fit, the last one gives the
 * number of omitted series; if columns do not fit, they are dropped from the right.
 */
export function legend(type: GraphType, traces: readonly Trace[], space: LegendSpace, measure: Measure): Legend {
  const { size } = space
  const rowHeight = Math.round(size * 1.42)
  const rowsThatFit = Math.floor((space.maxHeight - size * 0.4) / rowHeight) - 1
  const shown = traces.filter((t) => !t.silent)
  if (rowsThatFit < 1 || shown.length === 0) return NONE
  const stale = shown.every((t) => (t.statistics.lastS ?? 0) < space.currentSinceS)
  const width = space.right - space.left
  let columns = type.columns.slice()
  let table = columnsOf(type, shown, columns, stale, size, measure)
  while (columns.length > 1 && (table.width > width || rowsNeeded(shown.length, width, table.width) > rowsThatFit)) {
    columns = columns.slice(0, -1)
    table = columnsOf(type, shown, columns, stale, size, measure)
  }
  const blocks = Math.max(1, Math.floor((width + GAP) / (table.width + GAP)))
  const rows = Math.min(rowsThatFit, Math.max(Math.ceil(shown.length / blocks), Math.min(shown.length, 2)))
  const room = rows * blocks
  const fitting = shown.length > room ? room - 1 : shown.length
  const texts: Text[] = []
  const swatches: Swatch[] = []
  const baseline = (row: number) => Math.round(size * 1.15) + row * rowHeight
  const usedBlocks = Math.min(blocks, Math.ceil(shown.length / rows))
  for (let b = 0; b < usedBlocks; b++) {
    const left = space.left + b * (table.width + GAP)
    table.headings.forEach((text, c) => {
      texts.push({ text, x: left + (table.ends[c] ?? 0), y: baseline(0), size, align: 'right', colour: THEME.muted })
    })
  }
  for (let i = 0; i < fitting; i++) {
    const cells = table.cells[i]
    if (cells === undefined) break
    const left = space.left + Math.floor(i / rows) * (table.width + GAP)
    const y = baseline(1 + (i % rows))
    const box = Math.round(size * 0.72)
    swatches.push({ left, top: y - box, right: left + box, bottom: y, fill: cells.paint.fill, edge: cells.paint.line })
    texts.push({
      text: shortened(cells.name, table.nameWidth, size, measure),
      x: left + box + 5,
      y,
      size,
      align: 'left',
      colour: THEME.text,
    })
    cells.values.forEach((text, c) => {
      texts.push({ text, x: left + (table.ends[c] ?? 0), y, size, align: 'right', colour: THEME.text })
    })
  }
  if (fitting < shown.length) {
    const left = space.left + (blocks - 1) * (table.width + GAP)
    texts.push({
      text: `and ${shown.length - fitting} more`,
      x: left,
      y: baseline(rows),
      size,
      align: 'left',
      colour: THEME.muted,
    })
  }
  const used = usedBlocks * (table.width + GAP)
  let height = baseline(rows) + Math.round(size * 0.45)
  if (space.footer !== '') {
    const footerWidth = measure(space.footer, size)
    const beside = used + footerWidth <= width
    const below = !beside && height + rowHeight <= space.maxHeight && footerWidth <= width
    if (below) height += rowHeight
    if (beside || below)
      texts.push({
        text: space.footer,
        x: space.right,
        y: height - Math.round(size * 0.45),
        size,
        align: 'right',
        colour: THEME.muted,
      })
  }
  return { height, texts, swatches }
}

function rowsNeeded(count: number, width: number, blockWidth: number): number {
  return Math.ceil(count / Math.max(1, Math.floor((width + GAP) / (blockWidth + GAP))))
}

interface Table {
  readonly headings: readonly string[]
  readonly cells: readonly Cells[]
  /** Right edges of the value columns, from the left of the block. */
  readonly ends: readonly number[]
  readonly nameWidth: number
  readonly width: number
}

function columnsOf(
  type: GraphType,
  traces: readonly Trace[],
  columns: readonly Column[],
  stale: boolean,
  size: number,
  measure: Measure,
): Table {
  const headings = columns.map((c) => (c === 'now' && stale ? 'Last' : HEADINGS[c]))
  const cells = traces.map((t) => ({
    paint: t.paint,
    name: t.label,
    values: columns.map((c) => valueText(type, t, c)),
  }))
  const box = Math.round(size * 0.72) + 5
  const nameWidth = Math.ceil(Math.min(size * 22, Math.max(size * 3, ...cells.map((c) => measure(c.name, size)))))
  const ends: number[] = []
  let x = box + nameWidth
  headings.forEach((heading, c) => {
    x +=
      GAP +
      Math.ceil(Math.max(size * 4, measure(heading, size), ...cells.map((row) => measure(row.values[c] ?? '', size))))
    ends.push(x)
  })
  return { headings, cells, ends, nameWidth, width: x }
}

const HEADINGS: Record<Column, string> = { now: 'Now', min: 'Min', avg: 'Avg', max: 'Max', p95: '95th', total: 'Total' }
const VALUES: Record<Exclude<Column, 'total'>, keyof Statistics> = {
  now: 'last',
  min: 'min',
  avg: 'avg',
  max: 'max',
  p95: 'p95',
}

function valueText(type: GraphType, trace: Trace, column: Column): string {
  // Totals are octets whatever the drawn unit: the series is octets per second times `scale`.
  if (column === 'total') return trace.statistics.total === null ? '–' : readable(trace.statistics.total, 'B', 'large')
  const value = trace.statistics[VALUES[column]]
  if (value === null) return '–'
  return trace.percent
    ? readable(value * trace.scale, '%', 'none')
    : readable(value * trace.scale, type.unit, type.prefixes)
}

/** The text, truncated with an ellipsis if wider than `width`. */
export function shortened(text: string, width: number, size: number, measure: Measure): string {
  if (measure(text, size) <= width) return text
  let [fits, toolong] = [0, text.length]
  while (toolong - fits > 1) {
    const middle = (fits + toolong) >> 1
    if (measure(`${text.slice(0, middle)}…`, size) <= width) fits = middle
    else toolong = middle
  }
  return `${text.slice(0, fits).trimEnd()}…`
}
