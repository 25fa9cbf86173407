/** Elements that match, of the document or within one. */
export const all = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E[] => [
  ...within.querySelectorAll<E>(selector),
]

/** Makes an element. Text is text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

/** An icon of the sprite whose address the page already uses. */
export function icon(name: string, kind: 'i' | 's' = 'i'): SVGSVGElement {
  const known = document.querySelector('use')?.getAttribute('href') ?? ''
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', kind)
  svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(SVG, 'use')
  use.setAttribute('href', `${known.split('#')[0]}#${name}`)
  svg.append(use)
  return svg
}

/** Whether keys belong to a field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const KEYS_OFF = 'keys-off'

/** Whether keys without Ctrl do something, in this browser. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(KEYS_OFF) === null
  } catch {
    return true
  }
}

export function setKeysOn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEYS_OFF)
    else localStorage.setItem(KEYS_OFF, '1')
  } catch {
    // without storage they stay on
  }
}

/** Whether a key alone was pressed that does not belong to a field, a dialog, or someone who switched such keys off. */
export const isSingleKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isTyping(event.target) &&
  document.querySelector('dialog[open]') === null &&
  areKeysOn()

/** A short polite message that leaves by itself. */
export function toast(message: string): void {
  const box =
    document.querySelector('.toasts') ?? document.body.appendChild(make('div', { class: 'toasts', role: 'status' }))
  const close = make('button', { class: 'btn s-s bare', type: 'button' }, 'Close')
  const item = make('div', { class: 'toast' }, make('span', { class: 'grow' }, message), close)
  close.onclick = () => item.remove()
  box.append(item)
  setTimeout(() => item.remove(), 6000)
}
