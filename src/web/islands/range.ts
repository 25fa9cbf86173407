import { all, isTyping } from './dom.ts'

/** The range of a page, as texts. */
export interface PageRange {
  readonly from: string
  readonly to: string
}

const SPANS: Readonly<Record<string, number>> = { h: 3600, d: 86_400, w: 604_800, m: 2_592_000, y: 31_536_000 }

/** Seconds of a range's end; relative ones from now. */
function seconds(text: string): number {
  const nowS = Math.floor(Date.now() / 1000)
  const relative = /^-(\d+)([hdwmy])$/.exec(text)
  if (relative !== null) return nowS - Number(relative[1]) * (SPANS[relative[2] ?? 'h'] ?? 3600)
  return /^\d{6,}$/.test(text) ? Number(text) : nowS
}

/** One range for all charts of a page, kept in the address: zoom, earlier, later, and back. `apply` draws it. */
export function startRange(apply: (range: PageRange) => Promise<void>) {
  const bar = document.querySelector<HTMLElement>('[data-range]')
  let now: PageRange = { from: bar?.dataset['from'] ?? '-24h', to: bar?.dataset['to'] ?? 'now' }
  let depth = 0

  function mark(): void {
    for (const link of all<HTMLAnchorElement>('[data-range] .seg a')) {
      if (now.to === 'now' && link.dataset['from'] === now.from) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
    for (const button of all<HTMLButtonElement>('[data-back]')) button.hidden = depth === 0
  }

  function go(next: PageRange, push: boolean): void {
    now = next
    if (push) {
      depth++
      const query = new URLSearchParams(location.search)
      query.set('from', next.from)
      if (next.to === 'now') query.delete('to')
      else query.set('to', next.to)
      history.pushState({ ...next, depth }, '', `?${query}`)
    }
    mark()
    void apply(next)
  }

  const first = now
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
  const shift = (by: number) => {
    const [from, to] = [seconds(now.from), seconds(now.to)]
    const half = Math.round((to - from) / 2) * by
    go({ from: String(from + half), to: String(to + half) }, true)
  }
  for (const button of all<HTMLButtonElement>('[data-shift]')) {
    button.hidden = false
    button.addEventListener('click', () => shift(Number(button.dataset['shift'])))
  }
  const back = () => {
    if (depth > 0) history.back()
  }
  for (const button of all<HTMLButtonElement>('[data-back]')) button.addEventListener('click', back)
  document.addEventListener('keydown', (event) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '[') shift(-1)
    else if (event.key === ']') shift(1)
    else if (event.key === 'Escape') back()
  })
  return {
    current: () => now,
    back,
    /** Epoch seconds. */
    zoom: (fromS: number, toS: number) => go({ from: String(fromS), to: String(toS) }, true),
  }
}
