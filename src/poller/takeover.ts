import type { Centre, TakenOver } from './centre.ts'

/** Takes devices over, one call after the other, so that a device never has two claims of this poller. */
export function createTakeovers(centre: Centre) {
  let last: Promise<unknown> = Promise.resolve()
  return {
    /**
     * Claims the devices that `wanted` names when its turn has come, reads their last counters and hands them to `begin`,
     * before the next call has its turn. Throws StoreError.
     */
    take(wanted: () => readonly number[], begin: (taken: TakenOver) => void): Promise<void> {
      const turn = last.then(async () => {
        const ids = wanted()
        if (ids.length === 0) return
        begin(await centre.claim(ids))
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
