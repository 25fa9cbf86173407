const DEADLINE_MS = 50_000

/** What `look` finds, once it is not null. Throws after 50 seconds, which is less than a test may take. */
export async function eventually<T>(look: () => Promise<T | null>): Promise<T> {
  const until = Date.now() + DEADLINE_MS
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > until) throw new Error('the awaited condition was not met within 50 seconds')
    await Bun.sleep(20)
  }
}
