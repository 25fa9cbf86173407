import { all, icon, make } from './dom.ts'
import { navigateLater } from './navigate.ts'

interface Line {
  readonly step?: { readonly what: string; readonly result: string; readonly state: string; readonly took: string }
  readonly to?: string
  readonly name?: string
  readonly problem?: string
  readonly advice?: readonly string[]
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
      const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
      if (button?.disabled === true) return
      if (button !== null) button.disabled = true
      run(form, box)
        .catch(() =>
          say(box, 'The connection to Portlight was lost. Check the list of devices before you try again.', []),
        )
        .finally(() => {
          if (button !== null) button.disabled = false
          for (const waiting of all('li.waiting', box)) waiting.remove()
        })
    })
  }
}

async function run(form: HTMLFormElement, box: HTMLElement): Promise<void> {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value)
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
  return make('li', { class: 'waiting' }, wheel, make('span', {}, 'Waiting for an answer…'))
}

function show(box: HTMLElement, { step, to, name, problem, advice }: Line): void {
  if (step !== undefined) {
    const [mark, tone] = MARKS[step.state] ?? ['s-off', 'm-off']
    const sign = icon(mark, 's')
    sign.classList.add(tone)
    const what = make('span', { dir: 'auto' }, `${step.what} `, make('span', { class: 'sub' }, step.result))
    const row = make('li', {}, sign, what, make('span', { class: 'sub' }, step.took))
    const last = box.querySelector('li.waiting')
    if (last === null) box.querySelector('ul')?.append(row)
    else last.before(row)
  }
  if (to?.startsWith('/device/')) {
    for (const one of all('li.waiting', box)) one.remove()
    const link = make('a', { href: to }, `Open ${name ?? 'it'}`)
    box.querySelector('[data-outcome]')?.replaceChildren(make('p', {}, make('b', {}, 'Added. '), link))
    navigateLater(READ_MS, () => location.assign(to))
  }
  if (problem !== undefined) say(box, problem, advice ?? [])
}

function say(box: HTMLElement, problem: string, advice: readonly string[]): void {
  const list = advice.length === 0 ? [] : [make('ol', { class: 'advice' }, ...advice.map((one) => make('li', {}, one)))]
  box.querySelector('[data-outcome]')?.replaceChildren(make('p', {}, make('b', {}, 'Not added. '), problem), ...list)
}
