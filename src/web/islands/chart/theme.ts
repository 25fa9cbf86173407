import { make } from '../dom.ts'

const known = new Map<string, string>()
document.addEventListener('themechange', () => known.clear())
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => known.clear())

/** A colour token of the stylesheet, resolved to a colour that the canvas accepts. */
export function token(name: string): string {
  const found = known.get(name)
  if (found !== undefined) return found
  const probe = make('span')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  known.set(name, value)
  return value
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme']
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
}
