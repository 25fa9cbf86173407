import { TIME_RANGES_S } from '../../lib/time-ranges.ts'
import { all, isSingleKey } from './dom.ts'
import type { PageRange } from './page-range.ts'
import { clockText } from './times.ts'

export type { PageRange } from './page-range.ts'

/** One end of a range in epoch seconds; relative times count from now. */
function epochOf(text: string): number {
  const nowS = Math.floor(Date.now() / 1000)
  const relative = /^-(\d+)(s|m|h|d|w|mo|y)$/.exec(text)
  if (relative !== null) return nowS - Number(relative[1]) * (TIME_RANGES_S[relative[2] ?? 'h'] ?? 3600)
  return /^\d{6,}$/.test(text) ? Number(text) : nowS
}

/** An instant as the value of a field for a date and time. */
const fieldText = (seconds: number) =>
  clockText(seconds * 1000)
    .slice(0, 16)
    .replace(' ', 'T')

/** The shortest range that the keys zoom to, in seconds. */
const LEAST_S = 300

/**
 * One range for all charts on a page, kept in the address: zoom, earlier, later and back. `apply` redraws the charts.
 */
export function startRange(apply: () => void) {
  const bar = document.querySelector<HTMLElement>('[data-range]')
  let now: PageRange = { from: bar?.dataset['from'] ?? '-24h', to: bar?.dataset['to'] ?? 'now' }
  const first = now
  let depth = 0
  /** The range in epoch seconds, as the server parsed it from text such as `noon yesterday`. */
  let settled: readonly [fromS: number, toS: number] | null = null
  const firstEnds = [Number(bar?.dataset['fromS']), Number(bar?.dataset['toS'])] as const
  if (firstEnds.every(Number.isFinite)) settled = firstEnds
  let isCompared = bar?.dataset['compare'] === 'week'

  function mark(): void {
    for (const link of all<HTMLAnchorElement>('[data-range] .seg a')) {
      if (now.to === 'now' && link.dataset['from'] === now.from) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
    for (const button of all<HTMLButtonElement>('[data-back]')) button.hidden = depth === 0
    for (const button of all('[data-past]')) button.setAttribute('aria-pressed', String(isCompared))
    const isUsual = all('[data-range] .seg a[aria-current]').length > 0
    for (const summary of all('.own-range > summary')) summary.classList.toggle('on', !isUsual)
    const [fromS, toS] = ends()
    // not while somebody is entering another range
    for (const name of ['from', 'to'] as const)
      for (const input of all<HTMLInputElement>(`.own-range:not([open]) input[name=${name}]`))
        input.value = name === 'to' && now.to === 'now' ? '' : fieldText(name === 'from' ? fromS : toS)
    for (const text of all('[data-range-text]'))
      text.textContent = `${fieldText(fromS)} to ${fieldText(toS)}`.replaceAll('T', ' ')
  }

  const ends = () => settled ?? [epochOf(now.from), epochOf(now.to)]

  function go(next: PageRange, push: boolean): void {
    now = next
    settled = next === first && first.to !== 'now' ? firstEnds : null
    if (push) {
      depth++
      const query = new URLSearchParams(location.search)
      query.set('from', next.from)
      if (next.to === 'now') query.delete('to')
      else query.set('to', next.to)
      history.pushState({ ...next, depth }, '', `?${query}`)
    }
    mark()
    apply()
  }

  addEventListener('popstate', ({ state }) => {
    const known = state as (PageRange & { depth: number }) | null
    depth = known?.depth ?? 0
    go(known === null ? first : { from: known.from, to: known.to }, false)
  })
  for (const link of all<HTMLAnchorElement>('[data-range] .seg a')) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector('[data-island=chart]') === null)
        return
      event.preventDefault()
      go({ from: link.dataset['from'] ?? '-24h', to: 'now' }, true)
    })
  }
  for (const button of all<HTMLButtonElement>('[data-past]')) {
    button.hidden = false
    button.addEventListener('click', () => {
      isCompared = !isCompared
      const query = new URLSearchParams(location.search)
      if (isCompared) query.set('compare', 'week')
      else query.delete('compare')
      history.replaceState(history.state, '', query.size === 0 ? location.pathname : `?${query}`)
      mark()
      apply()
    })
  }
  mark()
  const shift = (by: number) => {
    const [from, to] = ends()
    const half = Math.round((to - from) / 2) * by
    go({ from: String(from + half), to: String(to + half) }, true)
  }
  for (const button of all<HTMLButtonElement>('[data-shift]')) {
    button.hidden = false
    button.addEventListener('click', () => shift(Number(button.dataset['shift'])))
  }
  /** Halves or doubles the range around its middle. */
  const scale = (factor: number) => {
    const [from, to] = ends()
    const half = Math.max(LEAST_S, (to - from) * factor) / 2
    const middle = (from + to) / 2
    go({ from: String(Math.round(middle - half)), to: String(Math.round(middle + half)) }, true)
  }
  const back = () => {
    if (depth > 0) history.back()
  }
  for (const button of all<HTMLButtonElement>('[data-back]')) button.addEventListener('click', back)
  document.addEventListener('keydown', (event) => {
    if (!isSingleKey(event)) return
    if (event.key === '[') shift(-1)
    else if (event.key === ']') shift(1)
    else if (event.key === '+') scale(0.5)
    else if (event.key === '-') scale(2)
    else if (event.key === 'Escape') back()
  })
  return {
    current: () => now,
    isCompared: () => isCompared,
    settle: (fromS: number, toS: number) => {
      settled = [fromS, toS]
      mark()
    },
    /** Whether the range is still the one that the page was loaded with. */
    isFirst: () => now === first,
    back,
    /** Epoch seconds. */
    zoom: (fromS: number, toS: number) => go({ from: String(fromS), to: String(toS) }, true),
  }
}
