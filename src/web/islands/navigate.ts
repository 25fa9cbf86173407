/** Opens another page after a delay, unless the user is already navigating elsewhere. */
export function navigateLater(ms: number, go: () => void): void {
  const timer = setTimeout(go, ms)
  addEventListener('beforeunload', () => clearTimeout(timer), { once: true })
}
