import { groupBox } from './builder-boxes.ts'
import { parseGroup } from './builder-model.ts'
import { all } from './dom.ts'
import { trier } from './rule-preview.ts'

/**
 * The visual builder for the JSON of a rule, which remains the value that is sent. Every change updates the JSON and,
 * after a pause, asks the server what the rule would match.
 */
export function startBuilder(form: HTMLFormElement): void {
  const json = form.querySelector<HTMLTextAreaElement>('textarea[name=builder]')
  const box = form.querySelector<HTMLElement>('[data-builder]')
  const details = form.querySelector<HTMLDetailsElement>('[data-builder-json]')
  if (json === null || box === null || details === null) return
  const fields = new Map(
    all<HTMLOptionElement>('#rule-fields option').map((option) => {
      const { type = 'text', past } = option.dataset
      return [option.value, { type, words: option.label, past: past !== undefined }] as const
    }),
  )
  let root = parseGroup(json.value)
  const tryIt = trier(form)

  function draw(focus?: string): void {
    box?.replaceChildren(...(root === null ? [] : [groupBox(tools, root, null, 0, 'top')]))
    if (focus !== undefined) box?.querySelector<HTMLElement>(`[data-at="${focus}"]`)?.focus()
  }
  function changed(focus?: string): void {
    if (json !== null && root !== null) json.value = JSON.stringify(root, null, 1)
    draw(focus)
    tryIt()
  }
  function typed(): void {
    if (json !== null && root !== null) json.value = JSON.stringify(root, null, 1)
    tryIt()
  }
  const tools = { fields, changed, typed }

  json.addEventListener('input', () => {
    root = parseGroup(json.value)
    draw()
    tryIt()
  })
  form.addEventListener('change', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-builder]') === null) tryIt()
  })
  // Pressing Enter in a field of the builder must not save the form.
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
  })
  if (root !== null) details.open = false
  box.hidden = false
  draw()
}
