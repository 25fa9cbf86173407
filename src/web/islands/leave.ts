/** Opens another page after a time, unless the reader is already on the way to one: that would end their navigation. */
export function navigateLater(ms: number, go: () => void): void {
  const timer = setTimeout(go, ms)
  addEventListener('beforeunload', () => clearTimeout(timer), { once: true })
}
