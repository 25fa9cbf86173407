import { octetsText } from '../lib/measure.ts'
import { readable } from '../lib/si.ts'
import { valueText } from '../lib/value-axis.ts'
import type { Column, GraphType } from './catalogue/graph-type.ts'
import { statePaint, type Theme, themed } from './palette.ts'
import type { Measure, Swatch, Text } from './scene.ts'
import { severityOf, stateName } from './states.ts'
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
  /** The roll-up that the figures come from, if it is one; the percentile says so. */
  readonly level?: string
  readonly theme: Theme
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
export function* legendSteps(
  type: GraphType,
  traces: readonly Trace[],
  space: LegendSpace,
  measure: Measure,
): Generator<void, Legend> {
  const { size, theme } = space
  const rowHeight = Math.round(size * 1.42)
  const rowsThatFit = Math.floor((space.maxHeight - size * 0.4) / rowHeight) - 1
  const shown = traces.filter((t) => !t.silent)
  if (rowsThatFit < 1 || shown.length === 0) return NONE
  const stale = shown.every((t) => (t.statistics.lastS ?? 0) < space.currentSinceS)
  const width = space.right - space.left
  let table = yield* columnsOf(type, shown, type.columns, headingsOf(stale, space.level), size, measure)
  while (
    table.headings.length > 1 &&
    (table.width > width || rowsNeeded(shown.length, width, table.width) > rowsThatFit)
  )
    table = withoutLast(table)
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
      texts.push({ text, x: left + (table.ends[c] ?? 0), y: baseline(0), size, align: 'right', colour: theme.muted })
    })
  }
  for (let i = 0; i < fitting; i++) {
    const cells = table.cells[i]
    if (cells === undefined) break
    const left = space.left + Math.floor(i / rows) * (table.width + GAP)
    const y = baseline(1 + (i % rows))
    const box = Math.round(size * 0.72)
    const { fill, line: edge } = themed(cells.paint, theme)
    swatches.push({ left, top: y - box, right: left + box, bottom: y, fill, edge })
    texts.push({
      text: shortened(cells.name, table.nameWidth, size, measure),
      x: left + box + 5,
      y,
      size,
      align: 'left',
      colour: theme.text,
    })
    cells.values.slice(0, table.ends.length).forEach((text, c) => {
      texts.push({ text, x: left + (table.ends[c] ?? 0), y, size, align: 'right', colour: theme.text })
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
      colour: theme.muted,
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
        colour: theme.muted,
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

/** Rows of a legend that are measured in a step: measuring one takes up to half a millisecond. */
const ROWS_AT_ONCE = 30

function* columnsOf(
  type: GraphType,
  traces: readonly Trace[],
  columns: readonly Column[],
  headingOf: (column: Column) => string,
  size: number,
  measure: Measure,
): Generator<void, Table> {
  const headings = columns.map(headingOf)
  const cells = traces.map((t) => ({
    paint:
      t.states === undefined || t.statistics.last === null
        ? t.paint
        : statePaint(severityOf(t.statistics.last, t.states)),
    name: t.label,
    values: columns.map((c) => cellText(type, t, c)),
  }))
  const box = Math.round(size * 0.72) + 5
  const widest = (least: number, textOf: (row: Cells) => string) =>
    widestSteps(cells, least, (row) => measure(textOf(row), size))
  const nameWidth = Math.ceil(Math.min(size * 22, yield* widest(size * 3, ({ name }) => name)))
  const ends: number[] = []
  let x = box + nameWidth
  for (const [c, heading] of headings.entries()) {
    const least = Math.max(size * 4, measure(heading, size))
    x += GAP + Math.ceil(yield* widest(least, ({ values }) => values[c] ?? ''))
    ends.push(x)
  }
  return { headings, cells, ends, nameWidth, width: x }
}

function* widestSteps(rows: readonly Cells[], least: number, widthOf: (row: Cells) => number): Generator<void, number> {
  let width = least
  for (const [i, row] of rows.entries()) {
    width = Math.max(width, widthOf(row))
    if (i % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) yield
  }
  return width
}

/** The table without its rightmost column. */
function withoutLast({ headings, ends, ...rest }: Table): Table {
  return { ...rest, headings: headings.slice(0, -1), ends: ends.slice(0, -1), width: ends.at(-2) ?? rest.width }
}

/** Percentiles of a roll-up are those of its means, which are lower than those of 5 minutes. */
const MEANS: Readonly<Record<string, string>> = { '1h': '95th of 1 h', '1d': '95th of 1 d' }

const headingsOf = (stale: boolean, level: string | undefined) => (column: Column) => {
  if ((column === 'now' || column === 'state') && stale) return 'Last'
  return (column === 'p95' && MEANS[level ?? '']) || HEADINGS[column]
}

const HEADINGS: Record<Column, string> = {
  now: 'Now',
  min: 'Min',
  avg: 'Avg',
  max: 'Max',
  p95: '95th',
  total: 'Total',
  used: 'Used',
  size: 'Size',
  state: 'Now',
  ok: 'OK',
}
const VALUES = { now: 'last', min: 'min', avg: 'avg', max: 'max', p95: 'p95' } as const satisfies Partial<
  Record<Column, keyof Statistics>
>
const UNKNOWN = '–'

function cellText(type: GraphType, trace: Trace, column: Column): string {
  switch (column) {
    // totals are octets whatever the drawn unit: the series is octets per second times `scale`
    case 'total':
      return trace.statistics.total === null ? UNKNOWN : readable(trace.statistics.total, 'B', 'large')
    case 'used':
    case 'size': {
      const octets = trace.amounts?.[column] ?? null
      return octets === null ? UNKNOWN : octetsText(octets)
    }
    case 'state':
      return trace.statistics.last === null ? UNKNOWN : stateName(trace.statistics.last, trace.states ?? [])
    case 'ok':
      return trace.okShare == null ? UNKNOWN : readable(trace.okShare, '%', 'none')
    default: {
      const value = trace.statistics[VALUES[column]]
      if (value === null) return UNKNOWN
      if (trace.percent) return readable(value * trace.scale, '%', 'none')
      return valueText(type, value * trace.scale, column === 'avg')
    }
  }
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
