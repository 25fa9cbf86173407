import uPlot from 'uplot'
import { all, make, toast } from './dom.ts'
import { figuresOf, short } from './figures.ts'
import { onLive } from './live.ts'
import { type PageRange, startRange } from './range.ts'

/** As `ChartSpec` of the server's component. */
interface Spec {
  readonly kind: string
  readonly id: number
  readonly title: string
  readonly unit: string
  readonly lines: readonly {
    readonly line: string
    readonly label: string
    readonly tone: string
    readonly factor: number
    readonly below?: boolean
  }[]
  readonly limit: number | null
  readonly p95: boolean
  readonly height: number
  readonly png: string | null
  readonly sql: string | null
}

interface Series {
  readonly data: {
    readonly time: readonly number[]
    readonly series: readonly { readonly line: string; readonly values: readonly (number | null)[] }[]
  }
  readonly meta: { readonly from: number; readonly to: number; readonly step: number; readonly level: string }
}

const SYNC = uPlot.sync('page')
const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

/** Resolves `light-dark()` and the like to a colour that canvas knows. */
function resolved(name: string): string {
  const probe = make('span')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value || colour(name)
}

const charts: { readonly load: (range: PageRange) => Promise<void> }[] = []

const range = startRange(async (next) => {
  await Promise.all(charts.map(({ load }) => load(next)))
})

function startChart(root: HTMLElement): void {
  const spec = JSON.parse(root.dataset['spec'] ?? '{}') as Spec
  const box = root.querySelector<HTMLElement>('.chart-box')
  if (box === null) return
  let plot: uPlot | null = null
  let last: Series | null = null
  let asked = 0

  const address = ({ from, to }: PageRange) => {
    const lines = spec.lines.map(({ line }) => line).join()
    const points = Math.max(100, Math.min(2000, Math.round(box.clientWidth)))
    return `/api/v1/series?kind=${spec.kind}&id=${spec.id}&line=${lines}&from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&max_points=${points}`
  }

  async function load(next: PageRange): Promise<void> {
    const turn = ++asked
    try {
      const answer = await fetch(address(next), { headers: { Accept: 'application/vnd.api+json' } })
      if (turn !== asked) return
      if (!answer.ok) throw new Error(String(answer.status))
      last = (await answer.json()) as Series
      draw()
    } catch (error) {
      console.error(error)
      if (turn === asked) say('The values could not be read. The rest of the page still works.')
    }
  }

  function say(text: string): void {
    plot?.destroy()
    plot = null
    const again = make('button', { class: 'btn s-s', type: 'button' }, 'Try again')
    again.onclick = () => load(range.current())
    box?.replaceChildren(make('div', { class: 'none' }, make('span', {}, text, ' ', again)))
  }

  function draw(): void {
    if (last === null || box === null) return
    const { time, series } = last.data
    const rows = spec.lines.map(({ line, factor, below }) => {
      const values = series.find((one) => one.line === line)?.values ?? []
      return time.map((_, i) => {
        const value = values[i]
        return value == null ? null : value * factor * (below === true ? -1 : 1)
      })
    })
    root.dataset['points'] = String(rows.reduce((n, row) => n + row.filter((value) => value !== null).length, 0))
    legend(root, spec, rows, last.meta.step)
    plot?.destroy()
    box.replaceChildren()
    // A bucket is drawn over its whole width.
    const end = (time.at(-1) ?? last.meta.to) + last.meta.step
    const times = [...time, end]
    const stepped = rows.map((row) => [...row, row.at(-1) ?? null])
    const tip = make('div', { class: 'tip', hidden: '' })
    plot = new uPlot(
      optionsFor(spec, box.clientWidth, rows, last.meta, tip),
      [times, ...stepped] as uPlot.AlignedData,
      box,
    )
    box.append(tip)
    box.dataset['ready'] = 'true'
  }

  new ResizeObserver(
    () =>
      plot !== null &&
      Math.abs(plot.width - box.clientWidth) > 1 &&
      plot.setSize({ width: box.clientWidth, height: spec.height }),
  ).observe(box)
  box.addEventListener('keydown', (event) => plot !== null && keyed(event, plot))
  document.addEventListener('themechange', draw)
  const menu = root.closest('.card')?.querySelector<HTMLDetailsElement>('[data-copy-menu]') ?? null
  if (menu !== null) {
    menu.hidden = false
    menu.addEventListener('click', (event) => {
      const what = event.target instanceof HTMLElement ? event.target.dataset['copyAs'] : undefined
      if (what === undefined) return
      const { from, to } = range.current()
      const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`
      const texts: Readonly<Record<string, string | null>> = {
        png: spec.png === null ? null : `${location.origin}${spec.png}?${query}`,
        json: location.origin + address(range.current()),
        sql: spec.sql,
      }
      void copy(texts[what] ?? null)
      menu.open = false
    })
  }
  // A new sample is at the right end, so only a range up to now changes.
  onLive((key) => {
    if (key === `${spec.kind}:${spec.id}` && range.current().to === 'now') void load(range.current())
  })
  charts.push({ load })
  void load(range.current())
}

async function copy(text: string | null): Promise<void> {
  if (text === null) return toast('This one cannot be copied: its device is not granted to you.')
  try {
    await navigator.clipboard.writeText(text)
    toast('Copied.')
  } catch {
    toast(text)
  }
}

function keyed(event: KeyboardEvent, plot: uPlot): void {
  const at = plot.cursor.idx ?? 0
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0) return
  event.preventDefault()
  const x = plot.data[0][Math.max(0, Math.min(plot.data[0].length - 1, at + by))]
  if (x !== undefined) plot.setCursor({ left: plot.valToPos(x, 'x'), top: 10 })
}

function legend(root: HTMLElement, spec: Spec, rows: readonly (readonly (number | null)[])[], stepS: number): void {
  all('.legend tbody tr', root).forEach((row, i) => {
    const figures = figuresOf(
      (rows[i] ?? []).map((value) => (value === null ? null : Math.abs(value))),
      stepS,
      spec.unit,
    )
    const cells = all<HTMLTableCellElement>('td', row)
    figures.forEach((text, c) => {
      const cell = cells[c]
      if (cell !== undefined) cell.textContent = text
    })
  })
}

const two = (value: number) => String(value).padStart(2, '0')

function timeText(seconds: number): string {
  const at = new Date(seconds * 1000)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}

function optionsFor(
  spec: Spec,
  width: number,
  rows: readonly (readonly (number | null)[])[],
  { from, to }: Series['meta'],
  tip: HTMLElement,
): uPlot.Options {
  const axis = {
    stroke: resolved('text-3'),
    grid: { stroke: resolved('grid'), width: 1 },
    ticks: { show: false },
    font: '11px sans-serif',
  }
  const known = rows.flatMap((row) => row.filter((value) => value !== null))
  const low = Math.min(0, ...known.map((v) => v))
  const high = Math.max(0, ...known.map((v) => v))
  const room = Math.max(high - low, 1e-9) * 0.06
  const p95s = spec.p95 ? rows.map((row) => percentile(row)) : []
  return {
    width,
    height: spec.height,
    legend: { show: false },
    padding: [8, 6, 0, 0],
    cursor: {
      // the crosshair is shared; a selection belongs to the chart in which it is made
      sync: {
        key: SYNC.key,
        setSeries: false,
        filters: { pub: (type) => type !== 'mousedown' && type !== 'mouseup' && type !== 'dblclick' },
      },
      drag: { x: true, y: false, setScale: false },
      points: { size: 5 },
      bind: {
        dblclick: () => () => {
          range.back()
          return null
        },
      },
    },
    scales: {
      x: { time: true, range: [from, to] },
      y: { range: [low === 0 ? 0 : low - room, high === 0 && low === 0 ? 1 : high + room] },
    },
    axes: [
      { ...axis, values: timeLabels, space: 70 },
      { ...axis, size: 52, values: (_, ticks) => ticks.map((value) => short(Math.abs(value))) },
    ],
    series: [
      {},
      ...spec.lines.map(({ label, tone }) => ({
        label,
        stroke: resolved(tone),
        fill: spec.lines.length <= 2 || tone === 'err' || tone === 'disc' ? resolved(`${tone}-fill`) : 'transparent',
        width: 1.1,
        paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder,
        points: { show: false },
      })),
    ],
    hooks: {
      setSelect: [
        (u) => {
          if (u.select.width < 6) return
          const [a, b] = [u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          range.zoom(Math.floor(a), Math.ceil(b))
        },
      ],
      draw: [(u) => marks(u, p95s, spec.limit, high, -low)],
      setCursor: [(u) => showTip(u, spec, tip)],
    },
  }
}

function timeLabels(_: uPlot, ticks: number[], __: number, ___: number, stepS: number): string[] {
  let day = ''
  return ticks.map((seconds) => {
    const text = timeText(seconds)
    const date = text.slice(0, 10)
    const isNew = date !== day && day !== ''
    day = date
    return stepS >= 86_400 ? date.slice(5) : isNew ? `${text.slice(11)}\n${date.slice(5)}` : text.slice(11)
  })
}

function percentile(row: readonly (number | null)[]): number | null {
  const sorted = row.filter((value) => value !== null).sort((a, b) => Math.abs(a) - Math.abs(b))
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null
}

/** The zero line, the 95th percentiles, and the limit where values come near it. */
function marks(u: uPlot, p95s: readonly (number | null)[], limit: number | null, high: number, low: number): void {
  const { ctx, bbox } = u
  const line = (value: number, stroke: string, dash: readonly number[]) => {
    const y = Math.round(u.valToPos(value, 'y', true)) + 0.5
    if (y < bbox.top || y > bbox.top + bbox.height) return
    ctx.beginPath()
    ctx.setLineDash([...dash])
    ctx.strokeStyle = stroke
    ctx.lineWidth = 1
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.save()
  line(0, resolved('zero'), [])
  for (const value of p95s) if (value !== null) line(value, resolved('text-3'), [5, 4])
  if (limit !== null && Math.max(high, low) > limit * 0.6) {
    line(limit, resolved('bad-mark'), [2, 3])
    line(-limit, resolved('bad-mark'), [2, 3])
  }
  ctx.restore()
}

function showTip(u: uPlot, spec: Spec, tip: HTMLElement): void {
  const { idx, left } = u.cursor
  const at = idx == null ? undefined : u.data[0][idx]
  if (idx == null || at === undefined || left === undefined || left < 0) {
    tip.hidden = true
    return
  }
  const rows = spec.lines.map(({ label }, i) => {
    const value = u.data[i + 1]?.[idx]
    return make('span', {}, `${label} ${value == null ? '–' : `${short(Math.abs(value))}${spec.unit}`}`)
  })
  tip.replaceChildren(make('b', {}, timeText(at)), ...rows)
  tip.hidden = false
  const shift = left > u.width / 2 ? left - tip.offsetWidth - 8 : left + 60
  tip.style.left = `${Math.max(0, shift)}px`
  tip.style.top = '12px'
}

for (const root of all('[data-island=chart]')) startChart(root)
