/** A sender is named again after so long, ms. */
const PAUSE_MS = 3_600_000
/** Senders that are remembered: the sources of datagrams can be forged. */
const MAX_SENDERS = 1000

/** Which senders of floods have been named lately. Pure: time comes in as epoch milliseconds. */
export interface Floods {
  /** True: this one is to be named now. */
  isNews(address: string, nowMs: number): boolean
  /** How many were named. */
  readonly total: number
}

export function createFloods(): Floods {
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
