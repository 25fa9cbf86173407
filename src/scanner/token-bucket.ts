/** Part of a second whose datagrams may leave at once, after a pause. */
const BURST_S = 1 / 40
/** Datagrams in a second never reach this fraction above whole ones, so that rounding adds none. */
const FRACTION = 0.9

/**
 * Bounds a rate: in no span of a second are more than `rate` taken. To be sure of that, it refills a little slower than
 * the rate, by what may leave at once.
 */
export class TokenBucket {
  readonly burst: number
  private readonly refillPerMs: number
  private tokens: number
  private at: number

  /** `rate`: tokens a second, at least 1. `nowMs`: any clock that does not go back. */
  constructor(rate: number, nowMs: number) {
    this.burst = Math.max(1, Math.floor(rate * BURST_S))
    this.refillPerMs = (Math.max(1, Math.floor(rate)) - this.burst + FRACTION) / 1000
    this.tokens = this.burst
    this.at = nowMs
  }

  /** Whether a token is there. */
  has(nowMs: number): boolean {
    this.refill(nowMs)
    return this.tokens >= 1
  }

  /** Takes a token; false: there is none. */
  take(nowMs: number): boolean {
    if (!this.has(nowMs)) return false
    this.tokens--
    return true
  }

  private refill(nowMs: number): void {
    const passed = nowMs - this.at
    if (passed <= 0) return
    this.at = nowMs
    this.tokens = Math.min(this.burst, this.tokens + passed * this.refillPerMs)
  }
}
