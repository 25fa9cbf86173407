import { all } from './dom.ts'

const YEAR_S = 31_536_000

/** The button that switches between light and dark. The choice is a cookie, so that the server can render it. */
export function startTheme(): void {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (root.dataset['theme'] === undefined ? system.matches : root.dataset['theme'] === 'dark')
  for (const button of all<HTMLButtonElement>('[data-do=theme]')) {
    button.hidden = false
    button.addEventListener('click', () => {
      const theme = isDark() ? 'light' : 'dark'
      root.dataset['theme'] = theme
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
      document.cookie = `theme=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`
      document.dispatchEvent(new Event('themechange'))
    })
  }
  system.addEventListener('change', () => document.dispatchEvent(new Event('themechange')))
}
