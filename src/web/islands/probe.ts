import { all, icon, make } from './dom.ts'
import { navigateLater } from './navigate.ts'
import { refreshCounts, refreshRows } from './refresh-rows.ts'

interface Line {
  /** What is being tried, and for how long at most. */
  readonly asking?: string
  readonly step?: { readonly what: string; readonly result: string; readonly state: string; readonly took: string }
  readonly to?: string
  readonly name?: string
  readonly problem?: string
  readonly advice?: readonly string[]
  /** Page of the monitored device that it is. */
  readonly known?: string
  /** Of a list: the device's page for the step, how far it is, and how it ended. */
  readonly link?: string
  readonly progress?: string
  readonly end?: string
}

const MARKS: Readonly<Record<string, readonly [string, string]>> = {
  ok: ['s-up', 'm-ok'],
  no: ['s-down', 'm-bad'],
  skipped: ['s-off', 'm-off'],
}
/** How long the steps stay visible before the device's page opens. */
const READ_MS = 900

/** Sends the form in the background and shows each step of the answer as it arrives. */
export function startProbe(): void {
  const box = document.querySelector<HTMLElement>('[data-island=probe]')
  for (const form of all<HTMLFormElement>('form[data-probe]')) {
    if (box === null) continue
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const buttons = all<HTMLButtonElement>('button[type=submit]', form)
      if (buttons.some((button) => button.disabled)) return
      // what is sent is read before the buttons are disabled, because a disabled one is not sent
      const sent = run(form, event.submitter, box)
      for (const button of buttons) button.disabled = true
      sent
        .catch(() =>
          say(box, 'The connection to Portlight was lost. Check the list of devices before you try again.', []),
        )
        .finally(() => {
          for (const button of buttons) button.disabled = false
          for (const waiting of all('li.waiting', box)) waiting.remove()
        })
    })
  }
}

async function run(form: HTMLFormElement, submitter: HTMLElement | null, box: HTMLElement): Promise<void> {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === 'string') body.append(name, value)
  const list = box.querySelector('ul')
  list?.replaceChildren(waiting())
  box.querySelector('[data-outcome]')?.replaceChildren()
  const name = box.querySelector('[data-name]')
  if (name !== null) name.textContent = body.get('hostname')
  box.scrollIntoView({ block: 'nearest' })
  const answer = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'application/x-ndjson' } })
  if (!(answer.headers.get('content-type') ?? '').startsWith('application/x-ndjson') || answer.body === null) {
    say(box, 'Reload this page: the session may have ended.', [])
    return
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + value).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part !== '') show(box, JSON.parse(part) as Line)
  }
}

function waiting(): HTMLElement {
  const wheel = icon('wait')
  wheel.classList.add('wait')
  return make('li', { class: 'waiting' }, wheel, make('span', { dir: 'auto' }, 'Waiting for an answer…'))
}

function show(box: HTMLElement, { asking, step, link, progress, end, to, name, problem, known, advice }: Line): void {
  if (step !== undefined) {
    const [mark, tone] = MARKS[step.state] ?? ['s-off', 'm-off']
    const sign = icon(mark, 's')
    sign.classList.add(tone)
    const label = link?.startsWith('/device/') === true ? make('a', { href: link }, step.what) : step.what
    const what = make('span', { dir: 'auto' }, label, ' ', make('span', { class: 'sub' }, step.result))
    const row = make('li', {}, sign, what, make('span', { class: 'sub' }, step.took))
    const last = box.querySelector('li.waiting')
    if (last === null) box.querySelector('ul')?.append(row)
    else last.before(row)
  }
  const now = box.querySelector('li.waiting > span')
  if (asking !== undefined && now !== null) now.textContent = `${asking}…`
  const heading = box.querySelector('[data-name]')
  if (progress !== undefined && heading !== null) heading.textContent = progress
  if (end !== undefined) {
    box.querySelector('[data-outcome]')?.replaceChildren(make('p', {}, end))
    if (document.querySelector('[data-fresh]') !== null) refreshRows(null)
    refreshCounts()
  }
  if (to?.startsWith('/device/')) {
    for (const one of all('li.waiting', box)) one.remove()
    const link = make('a', { href: to }, `Open ${name ?? 'it'}`)
    box.querySelector('[data-outcome]')?.replaceChildren(make('p', {}, make('b', {}, 'Added. '), link))
    navigateLater(READ_MS, () => location.assign(to))
  }
  if (problem !== undefined) say(box, problem, advice ?? [], known)
}

function say(box: HTMLElement, problem: string, advice: readonly string[], known?: string): void {
  const list = advice.length === 0 ? [] : [make('ol', { class: 'advice' }, ...advice.map((one) => make('li', {}, one)))]
  const link = known?.startsWith('/device/') === true ? [' ', make('a', { href: known }, 'Open the device')] : []
  const text = make('p', {}, make('b', {}, 'Not added. '), problem, ...link)
  box.querySelector('[data-outcome]')?.replaceChildren(text, ...list)
}

/** Fields for a file, whose text goes into another field. Without scripts they are hidden. */
export function startFiles(): void {
  for (const input of all<HTMLInputElement>('input[type=file][data-into]')) {
    const into = document.querySelector<HTMLTextAreaElement>(`#${input.dataset['into']}`)
    const field = input.closest<HTMLElement>('.field')
    if (into === null || field === null) continue
    field.hidden = false
    input.addEventListener('change', () => void take(input, into))
  }
}

async function take(input: HTMLInputElement, into: HTMLTextAreaElement): Promise<void> {
  const file = input.files?.[0]
  if (file === undefined) return
  // an octet is at most a character
  const isLong = file.size > 4 * into.maxLength
  const text = isLong ? '' : await file.text().catch(() => '')
  const fits = !isLong && text.length <= into.maxLength
  input.setCustomValidity(fits ? '' : `The file has more than ${into.maxLength} characters; split it.`)
  input.reportValidity()
  if (fits) into.value = text
}
