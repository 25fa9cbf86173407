import { all, isSingleKey } from './dom.ts'

/** j and k move through rows, Enter opens one; forms omit empty fields and send the columns as one parameter. */
export function startTables(): void {
  document.addEventListener('keydown', (event) => {
    if (!isSingleKey(event)) return
    if (event.key === 'j' || event.key === 'k') move(event.key === 'j' ? 1 : -1)
    else if (event.key === 'Enter' && event.target === document.body) {
      document.querySelector<HTMLAnchorElement>('tr.cur a')?.click()
    }
  })
  for (const form of all<HTMLFormElement>('form[data-lean]')) {
    form.addEventListener('submit', () => {
      for (const field of all<HTMLInputElement>('input, select', form)) field.disabled = field.value === ''
    })
  }
  for (const form of all<HTMLFormElement>('form[data-columns]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const query = new URLSearchParams(location.search)
      query.set(
        'cols',
        all<HTMLInputElement>('input[name=cols]:checked', form)
          .map(({ value }) => value)
          .join(','),
      )
      location.search = query.toString()
    })
  }
  // Selects all rows, or none if all are selected.
  for (const button of all<HTMLButtonElement>('button[data-choose]')) {
    button.hidden = false
    button.onclick = () => {
      const boxes = all<HTMLInputElement>(
        `input[type=checkbox][name^="${button.dataset['choose'] ?? ''}"]`,
        button.form ?? document,
      )
      const isAll = boxes.every(({ checked }) => checked)
      for (const box of boxes) box.checked = !isAll
    }
  }
  // On narrow screens tabs scroll sideways, so the current one is brought into view.
  for (const tab of all('nav.tabs a[aria-current]')) tab.scrollIntoView({ block: 'nearest', inline: 'center' })
  // A click outside an open menu closes it.
  document.addEventListener('click', (event) => {
    for (const menu of all<HTMLDetailsElement>('details.menu[open]')) {
      if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false
    }
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of all<HTMLDetailsElement>('details.menu[open]')) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
}

function move(by: number): void {
  const rows = all<HTMLTableRowElement>('table[data-walk] tbody tr')
  if (rows.length === 0) return
  const at = rows.findIndex((row) => row.classList.contains('cur'))
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
  for (const row of rows) row.classList.toggle('cur', row === next)
  next?.scrollIntoView({ block: 'nearest' })
}
