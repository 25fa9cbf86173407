import { octetsText } from '../../../lib/measure.ts'
import { readable } from '../../../lib/si.ts'
import { valueText } from '../../../lib/value-axis.ts'
import { make } from '../dom.ts'
import type { Chart, Figure } from './data.ts'
import { stateName } from './model.ts'
import { isDark } from './theme.ts'

const HEADS: Readonly<Record<string, string>> = {
  now: 'Now',
  min: 'Min',
  avg: 'Avg',
  max: 'Max',
  p95: '95th',
  total: 'Total',
  used: 'Used',
  size: 'Size',
  state: 'Now',
  ok: 'Time in OK',
}
/** Percentiles of a roll-up are those of its means. */
const MEANS: Readonly<Record<string, string>> = { '1h': '95th of 1 h', '1d': '95th of 1 d' }
/** If a range ended longer ago than this many seconds, its last value is not called the current one. */
const NOW_S = 900

/** Columns that are left out where there is little room. */
const OPTIONAL = new Set(['min', 'avg', 'total'])

const shareText = (share: number): string => `${share === 100 ? share : share.toFixed(2)} %`

/** A value in the legend, as the server calculated it over the range. */
function cell(chart: Chart, figure: Figure, column: string): string {
  const { form } = chart
  const value = (known: number | null | undefined, averaged = false) =>
    known == null
      ? '–'
      : figure.percent
        ? readable(known, '%', 'none').replace('-', '−')
        : valueText(form, known, averaged).replace('-', '−')
  switch (column) {
    case 'now':
    case 'min':
    case 'max':
    case 'p95':
      return value(figure[column])
    case 'avg':
      return value(figure.avg, true)
    case 'total':
      return figure.total === null ? '–' : readable(figure.total, 'B', 'large')
    case 'used':
    case 'size':
      return figure[column] == null ? '–' : octetsText(figure[column])
    case 'state':
      return figure.now === null ? '–' : stateName(figure.states, figure.now)
    case 'ok':
      return figure.okShare === null ? '–' : shareText(figure.okShare)
    default:
      return ''
  }
}

/** Hides a legend without values. A place that was kept for it stays empty, so that what is below does not move. */
export function hideLegend(box: HTMLElement): void {
  box.classList.add('unseen')
}

/** Writes the legend. A click on a name hides or shows its line. */
export function writeLegend(
  box: HTMLElement,
  chart: Chart,
  hidden: ReadonlySet<string>,
  toggle: (name: string) => void,
): void {
  const table = box.querySelector('table')
  if (table === null) return
  const shown = chart.series.filter(({ silent }) => !silent)
  const columns = shown.every(({ total }) => total === null)
    ? chart.columns.filter((column) => column !== 'total')
    : chart.columns
  const css = (column: string) => (OPTIONAL.has(column) && columns.length > 3 ? 'num opt' : 'num')
  const isPast = chart.to < Date.now() / 1000 - Math.max(NOW_S, 2 * chart.step)
  const headOf = (column: string) => {
    if (isPast && HEADS[column] === HEADS['now']) return 'Last'
    return (column === 'p95' && MEANS[chart.level ?? '']) || (HEADS[column] ?? column)
  }
  const head = make(
    'tr',
    {},
    // each value has its own unit with its prefix, so one for all would contradict them
    make('td', {}),
    ...columns.map((column) => make('th', { scope: 'col', class: css(column) }, headOf(column))),
  )
  const rows = shown.map((figure) => {
    const swatch = make('i', { class: 'sw' })
    const [line, fill] = isDark() ? figure.dark : figure.light
    swatch.style.borderColor = line
    swatch.style.backgroundColor = figure.draw === 'line' ? line : fill
    if (figure.states !== null) swatch.hidden = true
    const isOn = !hidden.has(figure.name)
    const name = make('button', { class: 'line', type: 'button', 'aria-pressed': String(isOn) }, swatch, figure.name)
    name.onclick = () => toggle(figure.name)
    return make(
      'tr',
      isOn ? {} : { class: 'hidden' },
      make('th', { scope: 'row', dir: 'auto' }, ...(shown.length === 1 ? [swatch, figure.name] : [name])),
      ...columns.map((column) => make('td', { class: css(column) }, cell(chart, figure, column))),
    )
  })
  const caption = table.querySelector('caption')
  const focused = document.activeElement?.closest('table') === table ? document.activeElement.textContent : null
  table.replaceChildren(...(caption === null ? [] : [caption]), make('thead', {}, head), make('tbody', {}, ...rows))
  if (shown.length === 0) hideLegend(box)
  else {
    box.hidden = false
    box.classList.remove('unseen')
  }
  if (focused === null) return
  for (const button of table.querySelectorAll('button')) if (button.textContent === focused) button.focus()
}
