/** Runs work when its turn comes. Returns null at once if `waiting` others are already queued. */
export type Turns = <T>(work: () => Promise<T>, waiting: number) => Promise<T | null>

/** Runs at most `atOnce` pieces of work at a time; the others wait in order. */
export function createTurns(atOnce: number): Turns {
  let running = 0
  const queue: (() => void)[] = []
  return async (work, waiting) => {
    if (running < atOnce) running++
    else if (queue.length >= waiting) return null
    else await new Promise<void>((go) => queue.push(go))
    try {
      return await work()
    } finally {
      // hand the turn to the next in the queue
      const next = queue.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
