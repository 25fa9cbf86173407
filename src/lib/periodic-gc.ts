/** Interval between full garbage collections of a thread's heap. */
const COLLECT_MS = 60_000

/**
 * Runs a full garbage collection of this thread's heap once a minute. Many objects that survive a partial collection
 * become garbage soon after, and the collector by itself frees them only once the heap has grown by a factor. Returns a
 * function that ends this.
 */
export function collectEveryMinute(): () => void {
  const timer = setInterval(() => Bun.gc(false), COLLECT_MS)
  timer.unref()
  return () => clearInterval(timer)
}
