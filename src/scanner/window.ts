import type { JobOptions } from './protocol.ts'

const MIN_WINDOW = 64

/**
 * How many addresses to have under way: a dead address holds its place for one timeout per datagram, so the rate is kept
 * by as many as are sent within a timeout, and by as many again that wait to be sent. `travelMs`: how long results take
 * to arrive. At most `most`.
 */
export function windowOf({ rate, timeoutMs, pingTimeoutMs }: JobOptions, most: number, travelMs = 0): number {
  const needed = Math.ceil((2 * rate * (Math.max(timeoutMs, pingTimeoutMs) + travelMs)) / 1000)
  return Math.min(most, Math.max(MIN_WINDOW, needed))
}
