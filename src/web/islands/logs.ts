import { all } from './dom.ts'

/** How often new rows are fetched. */
const EVERY_MS = 5000
/** Rows kept on the page. */
const MAX_ROWS = 1000

/**
 * New rows of a log: counted above the list and inserted on a click. With *Follow* they are inserted automatically,
 * except while the user has scrolled down or selected text. A hidden tab fetches nothing.
 */
export function startLogs(): void {
  const box = document.querySelector<HTMLElement>('[data-island=logs]')
  const bar = box?.querySelector<HTMLElement>('.log-new')
  const take = bar?.querySelector<HTMLButtonElement>('[data-do=take]')
  const body = box?.querySelector('tbody')
  const follow = document.querySelector<HTMLButtonElement>('[data-do=tail]')
  if (!box || !bar || !take || !body || !follow) return
  let newest = box.dataset['newest'] ?? ''
  let isFollowing = box.dataset['tail'] === 'on'
  let waiting: HTMLTableRowElement[] = []
  let isAsking = false

  const isBusy = () =>
    scrollY > 120 || getSelection()?.isCollapsed === false || box.querySelector(':focus-within') !== null
  const show = () => {
    bar.hidden = waiting.length === 0
    take.textContent = `${waiting.length} new`
  }
  const insert = () => {
    body.prepend(...waiting)
    waiting = []
    for (const row of all('tr', body).slice(MAX_ROWS)) row.remove()
    box.querySelector('.empty')?.remove()
    show()
  }
  const ask = async () => {
    if (document.hidden || isAsking) return
    isAsking = true
    try {
      const address = new URL(location.href)
      address.searchParams.set('format', 'rows')
      address.searchParams.set('after', newest)
      const answer = await fetch(address, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(30_000) })
      if (!answer.ok || answer.redirected) return
      const rows = all<HTMLTableRowElement>(
        'tbody tr',
        new DOMParser().parseFromString(await answer.text(), 'text/html'),
      )
      newest = rows[0]?.dataset['live']?.replace(/^log:/, '') ?? newest
      waiting = [...rows.map((row) => document.adoptNode(row)), ...waiting].slice(0, MAX_ROWS)
      if (waiting.length > 0 && isFollowing && !isBusy()) insert()
      else show()
    } catch {
      // The next interval tries again.
    } finally {
      isAsking = false
    }
  }

  follow.hidden = false
  take.onclick = () => {
    scrollTo({ top: 0 })
    insert()
  }
  follow.onclick = () => {
    isFollowing = !isFollowing
    follow.setAttribute('aria-pressed', String(isFollowing))
    const address = new URL(location.href)
    if (isFollowing) address.searchParams.set('tail', '1')
    else address.searchParams.delete('tail')
    history.replaceState(null, '', address)
    if (isFollowing) insert()
    void ask()
  }
  setInterval(() => void ask(), EVERY_MS)
  document.addEventListener('visibilitychange', () => void ask())
}
