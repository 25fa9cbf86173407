import { all } from './dom.ts'
import { navigateLater } from './navigate.ts'

/** Reloads the page after `data-renew` seconds, while something on it is still in progress. */
export function startRenewal(): void {
  const element = document.querySelector<HTMLElement>('[data-renew]')
  const seconds = Number(element?.dataset['renew'])
  if (seconds > 0) navigateLater(seconds * 1000, () => location.reload())
}

/** Buttons that copy the text of the element they name (`data-copy`). */
export function startCopying(): void {
  for (const button of all<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset['copy'] ?? '')
      await navigator.clipboard.writeText(source?.textContent ?? '')
      const before = button.textContent
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = before
      }, 2000)
    })
  }
}
