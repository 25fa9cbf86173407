import type { Log } from '../../observe/log.ts'

export interface RepeatedTask {
  /** Has it done within so many ms, or earlier if it is due earlier. Nothing happens for infinity. */
  within(ms: number): void
  /** Aborts what is being done and waits for its end. */
  stop(): Promise<void>
}

export interface RepeatedTaskOptions {
  readonly log: Log
  /** What is logged when `work` throws; once, while the reason stays the same. */
  readonly failed: string
  /** After how many ms it is tried again when it threw. */
  readonly retryMs?: number
  /** The shortest rest after it has been done, ms, given how long it took; absent: none. */
  readonly restMs?: (tookMs: number) => number
}

const RETRY_MS = 5000
/** A timer set to more fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Does `work` again and again, never twice at a time, beginning when `within` is first called. It returns after how many ms
 * it is due again; infinity: only when asked.
 */
export function repeatedTask(
  { log, failed, retryMs = RETRY_MS, restMs = () => 0 }: RepeatedTaskOptions,
  work: (signal: AbortSignal) => Promise<number>,
): RepeatedTask {
  const stopping = new AbortController()
  let timer: ReturnType<typeof setTimeout> | null = null
  let dueAt = Number.POSITIVE_INFINITY
  let restedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null
  let reason: string | null = null

  function within(ms: number): void {
    const now = performance.now()
    const at = Math.max(now + ms, restedAt)
    if (stopping.signal.aborted || !(at < dueAt)) return
    dueAt = at
    if (timer !== null) clearTimeout(timer)
    timer = running === null ? setTimeout(turn, Math.min(at - now, MAX_TIMER_MS)) : null
  }

  async function attempt(): Promise<number> {
    try {
      const ms = await work(stopping.signal)
      reason = null
      return ms
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (!stopping.signal.aborted && text !== reason) log.warn({ err: error }, `${failed}, will retry`)
      reason = text
      return retryMs
    }
  }

  function turn(): void {
    timer = null
    dueAt = Number.POSITIVE_INFINITY
    const began = performance.now()
    // not at once: it counts as running also for what it asks for itself at its begin
    const attempted = Promise.resolve().then(attempt)
    running = attempted.then((ms) => {
      running = null
      const ended = performance.now()
      restedAt = ended + restMs(ended - began)
      const asked = dueAt
      dueAt = Number.POSITIVE_INFINITY
      within(Math.max(0, Math.min(ms, asked - ended)))
    })
  }

  return {
    within,
    async stop() {
      stopping.abort()
      if (timer !== null) clearTimeout(timer)
      await running
    },
  }
}
