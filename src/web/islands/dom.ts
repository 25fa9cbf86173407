/** Elements that match a selector, in the document or within an element. */
export const all = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E[] => [
  ...within.querySelectorAll<E>(selector),
]

/** Creates an element. Text is never parsed as markup. */
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

/** An icon from the sprite, whose address is taken from an icon already on the page. */
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

/** Whether key presses go to a form field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const KEYS_OFF = 'keys-off'

/** Whether single-key shortcuts are enabled in this browser. */
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
    // Without storage the shortcuts stay enabled.
  }
}

/** Whether a key press is a single-key shortcut: no modifier, not in a field or dialog, and shortcuts are enabled. */
export const isSingleKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isTyping(event.target) &&
  document.querySelector('dialog[open]') === null &&
  areKeysOn()

/** A short message (a polite live region) that disappears after a few seconds. */
export function toast(message: string): void {
  const box =
    document.querySelector('.toasts') ?? document.body.appendChild(make('div', { class: 'toasts', role: 'status' }))
  const close = make('button', { class: 'btn s-s bare', type: 'button' }, 'Close')
  const item = make('div', { class: 'toast' }, make('span', { class: 'grow' }, message), close)
  close.onclick = () => item.remove()
  box.append(item)
  setTimeout(() => item.remove(), 6000)
}
