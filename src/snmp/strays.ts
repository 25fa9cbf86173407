/** Datagrams within a second, without a request that waits for them, from which on their sender counts as flooding. */
const FLOOD_PER_S = 1000
/** Senders that are counted at the same time; the sources of datagrams can be forged. */
const MAX_SENDERS = 256
const WINDOW_MS = 1000

/** Counts the datagrams of each sender that nobody waits for. `flooded` is called at most once a second for each. */
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
