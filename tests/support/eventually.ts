const DEADLINE_MS = 20_000

/** What `look` finds, once it is not null. Throws after 20 seconds. */
export async function eventually<T>(look: () => Promise<T | null>): Promise<T> {
  const until = Date.now() + DEADLINE_MS
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > until) throw new Error('the awaited condition was not met within 20 seconds')
    await Bun.sleep(20)
  }
}
