/** Codes with which the server refuses to let the user in (PostgreSQL, appendix A: class 28). */
const REFUSED = /^28/
/** A refusal longer ago than this no longer delays anything, ms. */
const FORGOTTEN_MS = 60_000
const FIRST_MS = 500
const MOST_MS = 10_000

/**
 * Delays connections after the server has refused to let the user in: half a second, doubled by each further refusal, at
 * most ten seconds. A wrong password does not become right by itself, and servers log or block clients that keep trying.
 */
export function createSignInPace(now: () => number = () => performance.now()) {
  let delayMs = 0
  let refusedMs = Number.NEGATIVE_INFINITY
  return {
    /** Call with the code of each error. Refusals of connections that were begun together count once. */
    noted(code: string): void {
      if (!REFUSED.test(code)) return
      const at = now()
      const isSame = at - refusedMs < delayMs
      if (!isSame) delayMs = at - refusedMs > FORGOTTEN_MS ? FIRST_MS : Math.min(MOST_MS, delayMs * 2)
      refusedMs = isSame ? refusedMs : at
    },
    /** Time to wait before the next connection, ms; 0: the last refusal is long ago. */
    waitMs: (): number => (now() - refusedMs > FORGOTTEN_MS ? 0 : delayMs),
  }
}

/** The pace of this process, which signs in to one database as one user. */
export const signInPace = createSignInPace()
