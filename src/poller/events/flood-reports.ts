/** Minimum time between two events about the same sender, ms. */
const PAUSE_MS = 3_600_000
/** Maximum number of senders remembered, because source addresses can be forged. */
const MAX_SENDERS = 1000

/** Remembers which flooding senders have been reported. Pure: time is passed in as epoch milliseconds. */
export interface FloodReports {
  /** True if this sender should be reported now. */
  isNews(address: string, nowMs: number): boolean
  /** Number of reports so far. */
  readonly total: number
}

export function createFloodReports(): FloodReports {
  const named = new Map<string, number>()
  let total = 0
  return {
    isNews(address, nowMs) {
      const last = named.get(address)
      if (last !== undefined && nowMs - last < PAUSE_MS) return false
      for (const [known, at] of named) if (nowMs - at >= PAUSE_MS) named.delete(known)
      if (named.size >= MAX_SENDERS) return false
      named.set(address, nowMs)
      total++
      return true
    },
    get total() {
      return total
    },
  }
}
