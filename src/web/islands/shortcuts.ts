import { areKeysOn, isSingleKey, make, setKeysOn } from './dom.ts'

/** The keyboard shortcuts, as listed in the dialog. */
const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'search; Ctrl-K works while typing, too'],
  ['g then o a d p t h l s', 'overview, alerts, devices, ports, topology, health, logs, settings'],
  ['j k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['x', 'select the row'],
  ['e', 'acknowledge the alert in the row'],
  ['[ ]', 'earlier and later, on pages with charts'],
  ['+ -', 'halve and double the range'],
  ['← →', 'move through the values of the focused chart'],
  ['Esc', 'back from a zoom; close'],
  ['?', 'this list'],
]

/** The list of shortcuts, opened by `?` and from the account menu. Single keys can be disabled there (WCAG 2.1.4). */
export function startKeys(): void {
  let dialog: HTMLDialogElement | null = null
  const open = () => {
    dialog ??= build()
    dialog.showModal()
  }
  document.addEventListener('keydown', (event) => {
    if (!isSingleKey(event)) return
    if (event.key === '?') open()
    else if (event.key === 'x') document.querySelector<HTMLInputElement>('tr.cur input[type=checkbox]')?.click()
    else if (event.key === 'e') acknowledge(event)
  })
  const button = make('button', { class: 'btn s-s', type: 'button' }, 'Keyboard shortcuts')
  button.onclick = open
  document.querySelector('.top .menu .sheet form')?.before(button)
}

/** Opens the alert in the current row at its note; on the page of an alert, moves to the note. */
function acknowledge(event: KeyboardEvent): void {
  const note = document.querySelector<HTMLTextAreaElement>('#act textarea')
  if (note === null) document.querySelector<HTMLAnchorElement>('tr.cur a[href$="#act"]')?.click()
  else {
    event.preventDefault()
    note.focus()
  }
}

function build(): HTMLDialogElement {
  const list = make('dl', { class: 'facts' })
  for (const [keys, what] of KEYS) {
    const shown = keys.split(' ').flatMap((key, i) => [i === 0 ? '' : ' ', key === 'then' ? key : make('kbd', {}, key)])
    list.append(make('dt', {}, ...shown), make('dd', {}, what))
  }
  const on = make('input', { type: 'checkbox' })
  on.checked = areKeysOn()
  on.onchange = () => setKeysOn(on.checked)
  const close = make('button', { class: 'btn s-s', type: 'button', autofocus: '' }, 'Close')
  const dialog = make(
    'dialog',
    { class: 'keys', 'aria-label': 'Keyboard shortcuts' },
    make('h2', {}, 'Keyboard shortcuts'),
    list,
    make('label', { class: 'check' }, on, ' Enable single keys in this browser'),
    make('div', { class: 'acts' }, close),
  )
  close.onclick = () => dialog.close()
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  document.body.append(dialog)
  return dialog
}
