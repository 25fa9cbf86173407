import { all, icon, isSingleKey, make } from './dom.ts'

interface Found {
  readonly groups: readonly {
    readonly label: string
    readonly icon: string
    readonly hits: readonly {
      readonly title: string
      readonly detail: string
      readonly field: string
      readonly state: string
      readonly href: string
    }[]
  }[]
}

/** Pause in typing after which the server is queried. */
const REST_MS = 60
const MARKS: Readonly<Record<string, string>> = { up: 's-up', down: 's-down', disabled: 's-off' }
const TONES: Readonly<Record<string, string>> = { up: 'm-ok', down: 'm-bad', disabled: 'm-off' }
/** Keys after `g`. */
const GO: Readonly<Record<string, string>> = {
  o: '/',
  a: '/alerts',
  d: '/devices',
  p: '/ports',
  t: '/topology',
  h: '/health',
  l: '/logs',
  s: '/settings',
}

/** The search dialog, on every page: `/` or Ctrl-K. */
export function startPalette(): void {
  if (document.querySelector('.find') === null) return
  let dialog: HTMLDialogElement | null = null
  let before: Element | null = null
  const open = () => {
    before = document.activeElement
    dialog ??= build(() => before instanceof HTMLElement && before.focus())
    dialog.showModal()
    dialog.querySelector('input')?.select()
  }
  for (const button of all('[data-do=search]')) {
    button.addEventListener('click', (event) => {
      event.preventDefault()
      open()
    })
  }
  let gone = 0
  document.addEventListener('keydown', (event) => {
    const isK = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
    if (isK || (event.key === '/' && isSingleKey(event))) {
      event.preventDefault()
      open()
      return
    }
    if (!isSingleKey(event)) return
    if (event.key === 'g') gone = Date.now()
    else if (Date.now() - gone < 1000 && Object.hasOwn(GO, event.key)) {
      const to = GO[event.key]
      const link = to === undefined ? null : document.querySelector<HTMLAnchorElement>(`nav.side a[href="${to}"]`)
      link?.click()
    }
  })
}

function build(closed: () => void): HTMLDialogElement {
  const input = make('input', {
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'found',
    'aria-label': 'Search',
    'aria-autocomplete': 'list',
    placeholder: 'Name, address, MAC, alias, serial, VLAN, AS…',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: '100',
  })
  const list = make('div', { class: 'list', id: 'found', role: 'listbox', 'aria-label': 'Results' })
  const dialog = make(
    'dialog',
    { class: 'palette', 'aria-label': 'Search' },
    make('div', { class: 'q' }, icon('search'), input),
    list,
  )
  document.body.append(dialog)
  dialog.addEventListener('close', closed)
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  let timer = 0
  let request: AbortController | null = null

  const options = () => all('.o', list)
  const choose = (at: number) => {
    const rows = options()
    rows.forEach((row, i) => {
      row.setAttribute('aria-selected', String(i === at))
    })
    const chosen = rows[at]
    if (chosen === undefined) input.removeAttribute('aria-activedescendant')
    else {
      input.setAttribute('aria-activedescendant', chosen.id)
      chosen.scrollIntoView({ block: 'nearest' })
    }
  }
  const chosenAt = () => options().findIndex((row) => row.getAttribute('aria-selected') === 'true')

  async function ask(): Promise<void> {
    const text = input.value.trim()
    request?.abort()
    request = new AbortController()
    if (text.length < 2) {
      show({ groups: [] }, text)
      return
    }
    try {
      const answer = await fetch(`/search?format=json&q=${encodeURIComponent(text)}`, { signal: request.signal })
      if (answer.ok) show((await answer.json()) as Found, text)
    } catch {
      // Aborted by further typing, or the server is unreachable: keep the old results.
    }
  }

  function show({ groups }: Found, text: string): void {
    let n = 0
    const wanted = text.toLowerCase()
    const pages = all<HTMLAnchorElement>('nav.side a.n').filter((link) => link.title.toLowerCase().includes(wanted))
    const parts: Node[] = []
    for (const group of groups) {
      parts.push(make('h3', { role: 'presentation' }, group.label))
      for (const hit of group.hits)
        parts.push(option(n++, group.icon, hit.title, hit.detail, hit.field, hit.state, hit.href, text))
    }
    if (pages.length > 0) parts.push(make('h3', { role: 'presentation' }, 'Go to'))
    for (const link of pages) parts.push(option(n++, 'go', link.title, '', '', '', link.pathname, text))
    if (n === 0)
      parts.push(
        make(
          'p',
          { class: 'sub' },
          'Nothing found. The search covers names, addresses, serials, aliases, MACs, VLANs and AS numbers.',
        ),
      )
    list.replaceChildren(...parts)
    choose(n === 0 ? -1 : 0)
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(ask, REST_MS)
  })
  input.addEventListener('keydown', (event) => {
    const rows = options()
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      choose((chosenAt() + step + rows.length) % Math.max(1, rows.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const href = rows[chosenAt()]?.getAttribute('data-href')
      if (href == null) return
      if (event.ctrlKey || event.metaKey) window.open(href, '_blank', 'noopener')
      else location.assign(href)
    }
  })
  list.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest('.o') : null
    const href = row?.getAttribute('data-href')
    if (href != null) location.assign(href)
  })
  show({ groups: [] }, '')
  return dialog
}

function option(
  n: number,
  sign: string,
  title: string,
  detail: string,
  field: string,
  state: string,
  href: string,
  text: string,
): HTMLElement {
  const name = make('span', { class: 'grow', dir: 'auto' })
  const at = text === '' ? -1 : title.toLowerCase().indexOf(text.toLowerCase())
  if (at < 0) name.append(title)
  else
    name.append(title.slice(0, at), make('mark', {}, title.slice(at, at + text.length)), title.slice(at + text.length))
  if (detail !== '') name.append(make('span', { class: 'sub' }, ` ${detail}`))
  const row = make(
    'div',
    { class: 'o', role: 'option', id: `found-${n}`, 'aria-selected': 'false', 'data-href': href },
    icon(sign),
    name,
  )
  if (field !== '') row.append(make('span', { class: 'sub' }, field))
  const mark = MARKS[state]
  if (mark !== undefined) {
    const svg = icon(mark, 's')
    svg.classList.add(TONES[state] ?? 'm-off')
    row.append(svg)
  }
  return row
}
