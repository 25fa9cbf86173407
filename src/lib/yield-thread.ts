/** Time for which a part of long work may occupy its thread, ms; requests wait that long. */
const WORK_MS = 2

/**
 * Lets long work yield its thread: call the returned function between steps. Once they have taken `workMs` since the
 * last yield, it returns a promise that resolves when the thread has handled everything else that was waiting; else
 * null.
 */
export function createYielder(workMs = WORK_MS): () => Promise<void> | null {
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
