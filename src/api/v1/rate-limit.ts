import { steadyNow } from '../../lib/steady.ts'

/** Whether a request is allowed, and how many more are allowed in this window. */
export interface RateLimitOutcome {
  readonly allowed: boolean
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetS: number
}

interface Window {
  startedMs: number
  count: number
}

/** Above this number of clients, the oldest windows are dropped. */
const MAX_CLIENTS = 10_000

/** Counts requests per client in windows of `windowMs`; the first request of a client opens its window. */
export function createRateLimit(limit: number, windowMs: number, now: () => number = steadyNow) {
  const windows = new Map<string, Window>()
  return (client: string): RateLimitOutcome => {
    const nowMs = now()
    let window = windows.get(client)
    if (!window || nowMs - window.startedMs >= windowMs) {
      windows.delete(client) // re-inserted last, so the first entry is always the oldest
      const oldest = windows.size >= MAX_CLIENTS ? windows.keys().next().value : undefined
      if (oldest !== undefined) windows.delete(oldest)
      window = { startedMs: nowMs, count: 0 }
      windows.set(client, window)
    }
    window.count++
    return {
      allowed: window.count <= limit,
      remaining: Math.max(0, limit - window.count),
      resetS: Math.ceil((window.startedMs + windowMs - nowMs) / 1000),
    }
  }
}
