/** Limits the number of large discoveries running at a time; the others wait in order of arrival. */
export interface LargeTurns {
  /**
   * Calls `go` when it is this discovery's turn, possibly at once. The returned function ends the turn or the wait for
   * it.
   */
  enter(go: () => void): () => void
  readonly running: number
  readonly waiting: number
}

export function createLargeTurns(atOnce: () => number): LargeTurns {
  const queue = new Set<() => void>()
  let running = 0

  function pump(): void {
    for (const start of queue) {
      if (running >= atOnce()) return
      queue.delete(start)
      running++
      start()
    }
  }

  return {
    enter(go) {
      let over = false
      const start = (): void => go()
      queue.add(start)
      pump()
      return () => {
        if (over) return
        over = true
        if (!queue.delete(start)) running--
        pump()
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
  }
}
