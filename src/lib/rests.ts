/** How long a part of long work may keep its thread, ms: requests wait that long. */
const WORK_MS = 2

/**
 * Rests for long work that shares its thread with others: call between its steps. Once steps have taken `workMs` since the
 * last rest, the returned promise waits until the thread has looked at everything else that waits for it.
 */
export function createRests(workMs = WORK_MS): () => Promise<void> | null {
  let since = performance.now()
  return () => {
    if (performance.now() - since < workMs) return null
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}
