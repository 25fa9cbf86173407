/** A sender of at least this many datagrams per second without a pending request counts as flooding. */
const FLOOD_PER_S = 1000
/** Maximum number of senders counted at a time, because source addresses can be forged. */
const MAX_SENDERS = 256
const WINDOW_MS = 1000

/** Counts the unexpected datagrams of each sender. `flooded` is called at most once a second for each sender. */
export class StrayCounter {
  private readonly counts = new Map<string, number>()
  private began = 0

  constructor(private readonly flooded: (address: string) => void) {}

  count(address: string, nowMs: number): void {
    if (nowMs - this.began >= WINDOW_MS) {
      this.counts.clear()
      this.began = nowMs
    }
    const n = (this.counts.get(address) ?? 0) + 1
    if (n === 1 && this.counts.size >= MAX_SENDERS) return
    this.counts.set(address, n)
    if (n === FLOOD_PER_S) this.flooded(address)
  }
}
