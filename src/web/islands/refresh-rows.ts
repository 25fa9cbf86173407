import { all, make } from './dom.ts'
import { drawSparks } from './sparklines.ts'
import { freshenTimes } from './times.ts'

// Updates rows in place: the page is fetched again, and the cells of the rows that changed are replaced. Rows do not
// move; if rows were added, removed or reordered, a line above the list says so.

/** How long changes are collected before the page is fetched. */
const GATHER_MS = 250
/** Shortest and longest time between two fetches; it doubles while changes continue. */
const LEAST_MS = 1500
const MAX_MS = 20_000
/** How long a changed row is highlighted. */
const TINT_MS = 2000

/** Returns a function that runs `work` soon, but no more often than the pause allows. */
function paced(work: () => Promise<void>): () => void {
  let timer = 0
  let lastMs = Number.NEGATIVE_INFINITY
  let pauseMs = LEAST_MS
  let isRunning = false
  let isWanted = false
  const run = async () => {
    timer = 0
    isRunning = true
    isWanted = false
    lastMs = performance.now()
    await work().catch(() => undefined)
    isRunning = false
    if (isWanted) ask()
  }
  const ask = () => {
    isWanted = true
    if (timer !== 0 || isRunning) return
    const sinceMs = performance.now() - lastMs
    pauseMs = sinceMs > 2 * pauseMs ? LEAST_MS : sinceMs < pauseMs ? Math.min(MAX_MS, pauseMs * 2) : pauseMs
    // Randomised, because all open pages get the same events.
    const waitMs = Math.max(GATHER_MS, pauseMs - sinceMs) * (1 + Math.random() / 4)
    timer = setTimeout(() => void run(), waitMs)
  }
  return ask
}

const wanted = new Set<string>()
let wantsAll = false

/** Updates the rows with these keys; null: all rows. */
export function refreshRows(keys: readonly string[] | null): void {
  if (keys === null) wantsAll = true
  for (const key of keys ?? []) wanted.add(key)
  askRows()
}

const askRows = paced(async () => {
  const keys = new Set(wanted)
  const isAll = wantsAll
  wanted.clear()
  wantsAll = false
  const fresh = await fetched()
  if (fresh === null) return
  for (const list of listsOf(document)) {
    const next = listsOf(fresh).find((other) => nameOf(other) === nameOf(list))
    if (next !== undefined) update(list, next, isAll ? null : keys)
  }
  renewParts(fresh)
  freshenTimes()
  drawSparks()
})

/** The page as it is now; null: the answer to a form may have an address that cannot be fetched again. */
async function fetched(): Promise<Document | null> {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'manual' })
  return answer.status === 200 ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
}

/** Replaces the parts of the page that are always current. */
function renewParts(fresh: Document): void {
  for (const part of all('[data-fresh]')) {
    const next = fresh.querySelector<HTMLElement>(`[data-fresh="${CSS.escape(part.dataset['fresh'] ?? '')}"]`)
    if (next !== null && next.innerHTML !== part.innerHTML) replace(part, next)
  }
}

/**
 * While something on the page has `data-again`, the parts of the page that are always current are renewed after that
 * many seconds, and again, until it is gone.
 */
export function startAgain(): void {
  const seconds = Number(document.querySelector<HTMLElement>('[data-again]')?.dataset['again'])
  if (!(seconds > 0)) return
  const turn = async () => {
    const fresh = document.hidden ? null : await fetched().catch(() => null)
    if (fresh !== null) {
      renewParts(fresh)
      freshenTimes()
    }
    startAgain()
  }
  setTimeout(() => void turn(), seconds * 1000)
}

/** The lists: parents of `data-live` rows in page order, then lists that are still empty. */
const listsOf = (root: ParentNode): HTMLElement[] => [
  ...new Set(all('[data-live]', root).flatMap(({ parentElement }) => parentElement ?? [])),
  ...all('[data-live-list]', root).filter((list) => list.querySelector('[data-live]') === null),
]

/** Identifies a list by its kind, or by the label of its region and the heading of its card. */
function nameOf(list: HTMLElement): string {
  const kind = list.dataset['liveList']
  if (kind !== undefined) return kind
  const region = list.closest('[aria-label]')?.getAttribute('aria-label') ?? ''
  const heading = list.closest('.card')?.querySelector('h2')?.textContent ?? ''
  return `${list.tagName} ${region} ${heading}`
}

const rowsOf = (list: HTMLElement) => all('[data-live]', list).filter(({ parentElement }) => parentElement === list)
const keyOf = (row: HTMLElement) => row.dataset['live'] ?? ''

function update(list: HTMLElement, next: HTMLElement, keys: ReadonlySet<string> | null): void {
  const fresh = new Map(rowsOf(next).map((row) => [keyOf(row), row]))
  const rows = rowsOf(list)
  for (const row of rows) {
    const now = fresh.get(keyOf(row))
    row.classList.toggle('gone', now === undefined)
    if (now === undefined || (keys !== null && !keys.has(keyOf(row)))) continue
    if (bareText(row) === bareText(now)) continue
    replace(row, now)
    tint(row)
  }
  sayMoved(list, movesOf(rows.map(keyOf), [...fresh.keys()]))
}

/** The content of a row without what scripts changed: ages of times, small charts, and classes. */
const bareText = (row: HTMLElement) =>
  [...row.querySelectorAll('time')].reduce(
    (text, time) => text.replace(time.outerHTML, time.dateTime),
    row.innerHTML
      .replaceAll(/\s+class="(?:cur|new|gone| )*"/g, '')
      .replaceAll(/(<svg class="spark"[^>]*)(?:\/>|>.*?<\/svg>)/g, '$1>'),
  )

function replace(row: HTMLElement, now: HTMLElement): void {
  const ticked = all<HTMLInputElement>('input:checked', row).map(({ name, value }) => `${name}=${value}`)
  const focusable = 'a, button, input, select, summary'
  const focused = all(focusable, row).indexOf(document.activeElement as HTMLElement)
  row.innerHTML = now.innerHTML
  for (const input of all<HTMLInputElement>('input', row)) {
    if (ticked.includes(`${input.name}=${input.value}`)) input.checked = true
  }
  if (focused >= 0) all(focusable, row)[focused]?.focus({ preventScroll: true })
}

/** How many rows were added, removed or moved. */
function movesOf(before: readonly string[], after: readonly string[]): number {
  const [was, is] = [new Set(before), new Set(after)]
  const kept = before.filter((key) => is.has(key))
  const order = after.filter((key) => was.has(key))
  const moved = kept.filter((key, i) => order[i] !== key).length
  return before.length - kept.length + (after.length - order.length) + Math.ceil(moved / 2)
}

function sayMoved(list: HTMLElement, moves: number): void {
  const holder = list.closest<HTMLElement>('.scroll') ?? list
  const before = holder.previousElementSibling
  const line = before instanceof HTMLElement && before.matches('.moved') ? before : null
  if (moves === 0) {
    line?.remove()
    return
  }
  const text = `${moves} ${moves === 1 ? 'change' : 'changes'} in this list`
  if (line !== null) {
    const label = line.querySelector('span')
    if (label !== null && label.textContent !== text) label.textContent = text
    return
  }
  const show = make('button', { class: 'btn s-s', type: 'button' }, 'Show')
  show.onclick = () => location.reload()
  holder.before(make('div', { class: 'moved', role: 'status' }, make('span', {}, text), show))
}

function tint(row: HTMLElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  row.classList.add('new')
  setTimeout(() => row.classList.remove('new'), TINT_MS)
}

/** Updates the counts in the navigation. */
export const refreshCounts = paced(async () => {
  const answer = await fetch('/nav-counts', { redirect: 'manual' })
  if (answer.status !== 200) return
  const counts = (await answer.json()) as Readonly<Record<string, number>>
  for (const link of all<HTMLAnchorElement>('nav.side a.n, nav.bar5 a[href]')) {
    const path = link.getAttribute('href') ?? ''
    const isSide = link.classList.contains('n')
    const shown = link.querySelector(isSide ? '.count' : '.dot')
    const n = counts[path] ?? 0
    if (n === 0) shown?.remove()
    else if (shown !== null) shown.textContent = String(n)
    else
      link.append(
        make('span', { class: isSide ? ('calm' in link.dataset ? 'count' : 'count t-bad') : 'dot' }, String(n)),
      )
  }
  const alerts = counts['/alerts'] ?? 0
  const bare = document.title.replace(/^\(\d+\) /, '')
  document.title = alerts === 0 ? bare : `(${alerts}) ${bare}`
})
