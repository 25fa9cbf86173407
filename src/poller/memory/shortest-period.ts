/**
 * Readings of counters that are closer together than this many milliseconds give no delta, and the first of them stays
 * the one that the next is compared with. The agent's clock has hundredths of a second, and it does not read its counters
 * at the same instant, so within a moment a line seems idle, or to carry many times its traffic. Polls follow each other
 * so closely when a discovery has found other ports. `intervalMs`: the device's polling interval.
 */
export const shortestPeriodMs = (intervalMs: number): number => Math.min(250, intervalMs / 2)

/** An agent's clock that says less than our own by this much stands still, ms. */
const STOOD_STILL_MS = 5000

/** Whether readings are too close together. `elapsedMs`: by our clock; `byAgentMs`: by the agent's, null: unknown. */
export function isTooClose(elapsedMs: number, byAgentMs: number | null, shortestMs: number): boolean {
  const periodMs = byAgentMs ?? elapsedMs
  return periodMs >= 0 && periodMs < shortestMs && elapsedMs < shortestMs + STOOD_STILL_MS
}

/**
 * The shortest time between two readings of the same ports by the agent's clock, ms; negative: the agent restarted, null:
 * it tells no time. Ports are read in several requests, so each has a time of its own. `before` and `now`: sysUpTime
 * (hundredths of a second) by port in the same order, 0: unknown.
 */
export function shortestOf(before: Uint32Array, now: Uint32Array): number | null {
  let shortest: number | null = null
  for (const [row, is] of now.entries()) {
    const was = before[row] ?? 0
    if (was === 0 || is === 0) continue
    const periodMs = (is - was) * 10
    if (shortest === null || periodMs < shortest) shortest = periodMs
  }
  return shortest
}
