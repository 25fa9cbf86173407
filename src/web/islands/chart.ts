import type uPlot from 'uplot'
import { isAllZero } from '../../lib/all-zero.ts'
import { type Chart, joined, type Mark, readChart, readMarks, type Spec } from './chart/data.ts'
import { hideLegend, writeLegend } from './chart/legend.ts'
import { modelOf, WEEK_S } from './chart/model.ts'
import { columnsOf, type Drawn, makePlot, shapeOf } from './chart/plot.ts'
import { all, make, toast } from './dom.ts'
import { onLive } from './live.ts'
import { type PageRange, startRange } from './range.ts'

/** Charts are loaded when they are this close to the visible part of the page. */
const NEAR = '300px'
/** After a poll, new values are read after a random delay up to this, because all open pages get the event at once. */
const SPREAD_MS = 2000

/** Width for which a folded chart is read, pixels. */
const FOLDED_PX = 300

interface Shown {
  /** Reads the chart again, now or when it is scrolled to. */
  readonly renew: () => void
}
const charts: Shown[] = []

const range = startRange(() => {
  for (const { renew } of charts) renew()
})

const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      target.dispatchEvent(new CustomEvent('near', { detail: isIntersecting }))
  },
  { rootMargin: NEAR },
)

function startChart(root: HTMLElement): void {
  const box = root.querySelector<HTMLElement>('.chart-box')
  const legend = root.querySelector<HTMLElement>('.legend-box')
  if (box === null || legend === null) return
  const spec = JSON.parse(root.dataset['spec'] ?? '{}') as Spec
  const fold = root.closest<HTMLDetailsElement>('details.quiet')
  const hidden = new Set<string>()
  let plot: uPlot | null = null
  let shape = ''
  let read: { readonly chart: Chart; readonly past: Chart | null; readonly marks: readonly Mark[] } | null = null
  let drawn: Drawn | null = null
  let turn = 0
  let isNear = false
  let isStale = true

  /** A chart's own range applies until the user zooms. */
  const current = (): PageRange => (spec.range !== undefined && range.isFirst() ? spec.range : range.current())

  function renew(): void {
    isStale = true
    if (fold !== null && !fold.open) void unfold(fold, spec, current())
    else if (isNear) void load()
  }

  async function load(): Promise<void> {
    if (box === null || legend === null) return
    const mine = ++turn
    isStale = false
    const wanted = current()
    try {
      const width = box.clientWidth
      const [chart, marks] = await Promise.all([readChart(spec, wanted, width), readMarks(spec, wanted)])
      const past =
        range.isCompared() && chart.series.length > 0 ? await readChart(spec, weekBefore(chart), width) : null
      if (mine !== turn) return
      if (chart.series.length > 0) range.settle(chart.from, chart.to)
      read = { chart, past: past?.series.length === 0 ? null : past, marks }
      show()
    } catch (error) {
      console.error(error)
      if (mine === turn) sayAgain()
    }
  }

  function show(): void {
    if (read === null || box === null || legend === null) return
    const { chart, past, marks } = read
    if (chart.series.length === 0) {
      say('No data yet.')
      return
    }
    const model = modelOf(spec, chart, past, hidden)
    drawn = { model, marks }
    const next = shapeOf(model)
    writeLegend(legend, chart, hidden, (name) => {
      if (!hidden.delete(name)) hidden.add(name)
      show()
    })
    if (plot !== null && shape === next) plot.setData(columnsOf(model))
    else {
      plot?.destroy()
      box.replaceChildren()
      plot = makePlot(box, spec.height, () => drawn ?? { model, marks }, { zoom: range.zoom, back: range.back })
      shape = next
    }
    const known = chart.series.reduce((n, { values }) => n + values.filter((value) => value !== null).length, 0)
    root.dataset['points'] = String(known)
    root.dataset['from'] = String(chart.from)
    root.dataset['to'] = String(chart.to)
    root.dataset['limits'] = model.limits.map(({ label }) => label).join()
    root.dataset['compared'] = String(model.traces.some((trace) => trace.past?.some((value) => value !== null)))
    box.dataset['ready'] = 'true'
    if (known === 0) box.append(make('div', { class: 'none over' }, 'No data in this range'))
    else box.querySelector('.none')?.remove()
  }

  function say(...content: (Node | string)[]): void {
    plot?.destroy()
    plot = null
    box?.replaceChildren(make('div', { class: 'none' }, make('span', {}, ...content)))
    if (box !== null) box.dataset['ready'] = 'none'
    if (legend !== null) hideLegend(legend)
  }

  function sayAgain(): void {
    const again = make('button', { class: 'btn s-s', type: 'button' }, 'Try again')
    again.onclick = () => void load()
    say('The values could not be read. The rest of the page still works. ', again)
  }

  root.addEventListener('near', (event) => {
    isNear = (event as CustomEvent<boolean>).detail
    if (isNear && isStale) void load()
  })
  seen.observe(root)
  new ResizeObserver(() => {
    if (plot !== null && Math.abs(plot.width - box.clientWidth) > 1)
      plot.setSize({ width: box.clientWidth, height: spec.height })
  }).observe(box)
  box.addEventListener('keydown', (event) => plot !== null && keyed(event, plot))
  document.addEventListener('themechange', () => {
    shape = ''
    show()
  })
  startCopy(root, spec, current, () => read?.chart ?? null)
  // New samples are added at the right, so only a range that ends now changes.
  onLive((key) => {
    const isMine = key === `poll:${spec.device}` || (spec.device === null && key === `port:${spec.port}`)
    if (isMine && current().to === 'now') setTimeout(renew, Math.random() * SPREAD_MS)
  })
  charts.push({ renew })
}

/** Opens a chart that was folded because it showed only zeros, if now it does not. */
async function unfold(folded: HTMLDetailsElement, spec: Spec, range: PageRange): Promise<void> {
  const chart = await readChart(spec, range, FOLDED_PX).catch(() => null)
  if (chart !== null && isAllZero(chart)) return
  const summary = folded.querySelector('summary')
  if (summary !== null) summary.textContent = spec.title
  folded.open = true
}

const weekBefore = ({ from, to }: Chart): PageRange => ({ from: String(from - WEEK_S), to: String(to - WEEK_S) })

function startCopy(root: HTMLElement, spec: Spec, current: () => PageRange, chart: () => Chart | null): void {
  const menu = root.closest('.card')?.querySelector<HTMLDetailsElement>('[data-copy-menu]') ?? null
  if (menu === null) return
  for (const button of all('[data-copy-as]', menu)) button.hidden = false
  menu.addEventListener('click', (event) => {
    if (!(event.target instanceof HTMLElement)) return
    const { copyAs: what, file } = event.target.dataset
    if (what === undefined && file === undefined) return
    menu.open = false
    const { from, to } = current()
    const shown = chart()
    const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`
    // the range may have changed since the page was loaded
    if (file !== undefined) event.target.setAttribute('href', joined(spec.src, `${query}&${SIZE}&${file}`))
    const address = spec.api === null ? null : location.origin + joined(spec.api, query)
    if (file !== undefined) return
    if (what === 'png') void copy(location.origin + joined(spec.src, `${query}&${SIZE}&graph_type=png`))
    else if (what === 'json') void copy(address === null ? null : `${address}&output=json`)
    else if (shown?.sql == null) toast('These values are computed; there is no query for them.')
    else void copy(shown.sql.replace('{from}', String(shown.from)).replace('{to}', String(shown.to)))
  })
}

/** Size of images that are saved or copied, as in the links of the page. */
const SIZE = 'width=900&height=400'

async function copy(text: string | null): Promise<void> {
  if (text === null) return toast('This graph has no address in the API: you have no access to its device.')
  try {
    await navigator.clipboard.writeText(text)
    toast('Copied.')
  } catch {
    toast(text)
  }
}

/** The arrow keys move the crosshair of the focused chart. */
function keyed(event: KeyboardEvent, plot: uPlot): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0) return
  event.preventDefault()
  const [times] = plot.data
  const left = plot.cursor.left ?? -1
  const at = left < 0 ? times.length - 2 : plot.posToIdx(left) + by
  const x = times[Math.max(0, Math.min(times.length - 2, at))]
  if (x !== undefined) plot.setCursor({ left: plot.valToPos(x, 'x') + 0.5, top: 10 })
}

for (const root of all('[data-island=chart]')) startChart(root)
