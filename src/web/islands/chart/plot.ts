import uPlot from 'uplot'
import { timeTicks } from '../../../lib/time-axis.ts'
import { make } from '../dom.ts'
import { CLOCK, clockText } from '../times.ts'
import type { Mark } from './data.ts'
import { bands, lanes, overlays, paintOf, shades, steps } from './draw.ts'
import { type Model, stateName, type Trace, text } from './model.ts'
import { token } from './theme.ts'

const SYNC = uPlot.sync('page')
/** Maximum number of lines in the tooltip; more do not fit. */
const MAX_LINES = 10
const LETTER = 6.4

/** A time in the zone of the page. */
export const timeText = (seconds: number): string => clockText(seconds * 1000).slice(0, 16)

export interface Drawn {
  readonly model: Model
  readonly marks: readonly Mark[]
}

export interface PlotActions {
  readonly zoom: (fromS: number, toS: number) => void
  readonly back: () => void
}

/** If this is unchanged, the values of an existing plot can be replaced. */
export const shapeOf = ({ traces, isStates }: Model): string =>
  JSON.stringify([isStates, traces.map(({ figure, past }) => [figure.name, figure.draw, past !== null])])

/** Columns for uPlot: times, values, values of the week before. */
export function columnsOf({ chart, traces }: Model): uPlot.AlignedData {
  const end = (chart.time.at(-1) ?? chart.to) + chart.step
  const compared = traces.filter(({ past }) => past !== null)
  return [
    [...chart.time, end],
    ...traces.map(({ top }) => [...top, null]),
    ...compared.map(({ past }) => [...(past ?? []), null]),
  ] as uPlot.AlignedData
}

/** Creates the plot in `box`; `now` returns what it is to show. */
export function makePlot(box: HTMLElement, height: number, now: () => Drawn, { zoom, back }: PlotActions): uPlot {
  const { model } = now()
  const tip = make('div', { class: 'tip', hidden: '' })
  const overlay = make('div', { class: 'chart-marks' })
  const hasPercent = model.traces.some(({ figure }) => figure.percent && figure.draw !== 'none')
  const options: uPlot.Options = {
    width: box.clientWidth,
    height,
    legend: { show: false },
    padding: [20, hasPercent ? 0 : 10, 0, 0],
    cursor: {
      y: false,
      points: { show: false },
      // The crosshair is shared by all charts, but a selection belongs to the chart it is made in.
      sync: {
        key: SYNC.key,
        setSeries: false,
        scales: ['x', null],
        filters: { pub: (type) => type !== 'mousedown' && type !== 'mouseup' && type !== 'dblclick' },
      },
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          back()
          return null
        },
      },
    },
    scales: {
      x: { time: true, range: () => [now().model.chart.from, now().model.chart.to] },
      y: { range: () => [now().model.axis.scale.min, now().model.axis.scale.max] },
      '%': { range: [0, 100] },
    },
    axes: axesOf(model, now, box.clientWidth, hasPercent),
    series: seriesOf(model, now),
    hooks: {
      setSelect: [
        (u) => {
          if (u.select.width < 6) return
          const [a, b] = [u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          zoom(Math.floor(a), Math.ceil(b))
        },
      ],
      drawClear: [(u) => shades(u, now().model)],
      draw: [
        (u) => {
          if (now().model.isStates) lanes(u, now().model)
          else bands(u, now().model)
          overlays(u, now().model, now().marks)
          unitText(u, now().model)
          placeMarks(u, overlay, now().marks)
        },
      ],
      setCursor: [(u) => showTip(u, now(), tip)],
    },
  }
  const plot = new uPlot(options, columnsOf(model), box)
  plot.over.append(overlay)
  box.append(tip)
  return plot
}

/** The lines: values, then those of the week before. */
function seriesOf(model: Model, now: () => Drawn): uPlot.Series[] {
  const line = (trace: Trace, at: number): uPlot.Series => {
    const [stroke, fill] = paintOf(trace)
    const isDrawn = !model.isStates && trace.figure.draw !== 'none'
    return {
      label: trace.figure.name,
      scale: trace.figure.percent ? '%' : 'y',
      show: isDrawn,
      stroke,
      ...(trace.figure.draw !== 'line' && { fill: trace.figure.draw === 'none' ? 'transparent' : fill }),
      width: trace.figure.bold ? 2 : 1.2,
      paths: steps(() => now().model, at, 'top') as uPlot.Series.PathBuilder,
      points: { show: false },
    }
  }
  const before = (trace: Trace, at: number): uPlot.Series => ({
    label: `${trace.figure.name}, a week before`,
    scale: trace.figure.percent ? '%' : 'y',
    stroke: paintOf(trace)[0],
    width: 1.2,
    dash: [4, 3],
    paths: steps(() => now().model, at, 'past') as uPlot.Series.PathBuilder,
    points: { show: false },
  })
  return [
    {},
    ...model.traces.map(line),
    ...model.traces.flatMap((trace, at) => (trace.past === null ? [] : [before(trace, at)])),
  ]
}

/** The axes: time, values, and percent if a line is measured in it. `width`: of the plot, pixels. */
function axesOf(model: Model, now: () => Drawn, width: number, hasPercent: boolean): uPlot.Axis[] {
  const font = `11px ${getComputedStyle(document.body).fontFamily}`
  const axis = {
    stroke: token('text-3'),
    grid: { stroke: token('grid'), width: 1 },
    ticks: { show: false },
    font,
  }
  return [
    {
      ...axis,
      size: 28,
      splits: (u) => ticksOf(u, now().model).map(({ timeS }) => timeS),
      values: (u) => ticksOf(u, now().model).map(({ label }) => label),
    },
    {
      ...axis,
      size: model.isStates ? Math.min(150, Math.round(width * 0.25)) : 54,
      grid: { ...axis.grid, show: !model.isStates },
      splits: () => now().model.axis.scale.ticks.map(({ value }) => value),
      values: () => now().model.axis.scale.ticks.map(({ label }) => (now().model.isStates ? '' : label)),
    },
    ...(hasPercent
      ? [
          {
            ...axis,
            scale: '%',
            side: 1 as const,
            size: 34,
            grid: { show: false },
            splits: () => [0, 50, 100],
            values: () => ['0', '50', '100'],
          },
        ]
      : []),
  ]
}

const ticksOf = (u: uPlot, { chart }: Model) =>
  timeTicks(
    chart.from,
    chart.to,
    u.bbox.width / devicePixelRatio || u.width - 60,
    (label) => label.length * LETTER,
    undefined,
    CLOCK,
  ).major

/** The unit above the axis. */
function unitText({ ctx, bbox }: uPlot, { axis, isStates, traces }: Model): void {
  const ratio = devicePixelRatio
  ctx.save()
  ctx.font = `${11 * ratio}px ${getComputedStyle(document.body).fontFamily}`
  ctx.fillStyle = token('text-3')
  ctx.textBaseline = 'alphabetic'
  ctx.textAlign = 'left'
  if (!isStates && axis.unit !== '') ctx.fillText(axis.unit, 4 * ratio, bbox.top - 9 * ratio)
  const percent = traces.find(({ figure }) => figure.percent && figure.draw !== 'none')
  if (percent !== undefined) {
    ctx.textAlign = 'right'
    ctx.fillText(`${percent.figure.name} %`, bbox.left + bbox.width + 30 * ratio, bbox.top - 9 * ratio)
  }
  ctx.restore()
}

const ALERT_WORDS = ['ended', 'began', 'acknowledged', 'worse', 'better', 'changed'] as const

export const markText = ({ kind, text: said, state }: Mark): string =>
  kind === 'alert' ? `Alert ${ALERT_WORDS[state] ?? ''}: ${said}` : said

/** Marks closer than this many pixels share one symbol. */
const APART = 10

/** A symbol at the top of each mark's line, linked to the alert if there is one. */
function placeMarks(u: uPlot, overlay: HTMLElement, marks: readonly Mark[]): void {
  const signs: { x: number; marks: Mark[] }[] = []
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    const x = u.valToPos(mark.at, 'x')
    if (x < 0 || x > u.over.clientWidth) continue
    const last = signs.at(-1)
    if (last !== undefined && x - last.x < APART) last.marks.push(mark)
    else signs.push({ x, marks: [mark] })
  }
  overlay.replaceChildren(
    ...signs.map(({ x, marks: here }) => {
      const words = here.map((mark) => `${timeText(mark.at)} ${markText(mark)}`).join('\n')
      const alert = here.find(({ kind }) => kind === 'alert')
      const to = here.find(({ alert_id }) => alert_id !== null)?.alert_id ?? null
      const sign =
        to === null
          ? make('span', { class: alert === undefined ? 'sign' : 'sign bad', title: words })
          : make('a', { class: 'sign bad', href: `/alerts/${to}`, title: words, 'aria-label': words, tabindex: '-1' })
      sign.style.left = `${x}px`
      return sign
    }),
  )
}

/** Index of the bucket at a time; -1: none. */
function bucketAt({ time, step }: Model['chart'], seconds: number): number {
  const [first] = time
  if (first === undefined) return -1
  const at = Math.floor((seconds - first) / step)
  return at >= 0 && at < time.length ? at : -1
}

function showTip(u: uPlot, { model, marks }: Drawn, tip: HTMLElement): void {
  const { left } = u.cursor
  const seconds = left === undefined || left < 0 ? null : u.posToVal(left, 'x')
  const at = seconds === null ? -1 : bucketAt(model.chart, seconds)
  if (seconds === null || left === undefined || at < 0) {
    tip.hidden = true
    return
  }
  const { form, time, step } = model.chart
  const traces = model.traces.filter(({ figure }) => figure.draw !== 'none' && figure.draw !== 'band')
  const rows = traces.slice(0, MAX_LINES).map((trace) => {
    const { figure, past } = trace
    const value = figure.values[at] ?? null
    const swatch = make('i', { class: 'sw' })
    const [line, fill] = paintOf(trace)
    swatch.style.borderColor = line
    swatch.style.backgroundColor = fill
    if (model.isStates) swatch.hidden = true
    const shown = value !== null && figure.states !== null ? stateName(figure.states, value) : text(form, figure, value)
    const row = make('span', {}, swatch, make('span', { class: 'grow' }, figure.name), make('b', {}, shown))
    const was = past?.[at] ?? null
    if (past !== null) row.append(make('em', {}, wasText(text(form, figure, was && Math.abs(was)), value, was)))
    return row
  })
  const more = traces.length - rows.length
  const near = marks
    .filter((mark) => Math.abs(mark.at - seconds) <= Math.max(step, (3 * step * APART) / 10))
    .slice(0, 3)
  tip.replaceChildren(
    make('b', {}, timeText(time[at] ?? seconds)),
    ...rows,
    ...(more > 0 ? [make('span', { class: 'sub' }, `and ${more} more`)] : []),
    ...near.map((mark) => make('span', { class: 'said' }, markText(mark))),
  )
  tip.hidden = false
  const offset = u.over.offsetLeft
  const isRight = left > u.over.clientWidth / 2
  tip.style.left = `${Math.max(0, isRight ? offset + left - tip.offsetWidth - 10 : offset + left + 10)}px`
  tip.style.top = '20px'
}

/** The value of a week earlier, and the change since then in percent. */
function wasText(was: string, value: number | null, before: number | null): string {
  if (value === null || before === null || before === 0) return `was ${was}`
  const more = Math.round((value / Math.abs(before) - 1) * 100)
  return Math.abs(more) > 999 ? `was ${was}` : `was ${was}, ${more > 0 ? '+' : more < 0 ? '−' : '±'}${Math.abs(more)} %`
}
