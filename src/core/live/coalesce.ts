/** Runs `work` when asked, one run at a time, and once more if asked during a run. */
export function coalesce(work: () => Promise<void>, failed: (error: unknown) => void): () => void {
  let running = false
  let asked = false
  const run = async (): Promise<void> => {
    running = true
    while (asked) {
      asked = false
      await work().catch(failed)
    }
    running = false
  }
  return () => {
    asked = true
    if (!running) void run()
  }
}
