import type { TakenOver, Upstream } from '../../core/pollers/upstream.ts'

/** Takes over devices, one call at a time, so that a device never has two claims by this poller. */
export function createTakeovers(upstream: Upstream) {
  let last: Promise<unknown> = Promise.resolve()
  return {
    /**
     * When its turn comes, claims the devices that `wanted` then returns, reads their last counters and passes them to
     * `begin`; the next call follows after that. Throws StoreError.
     */
    take(wanted: () => readonly number[], begin: (taken: TakenOver) => void): Promise<void> {
      const turn = last.then(async () => {
        const ids = wanted()
        if (ids.length === 0) return
        begin(await upstream.claim(ids))
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
