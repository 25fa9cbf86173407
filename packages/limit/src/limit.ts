/** A number of slots. Those for whom none is free wait in order of arrival. */
export interface Slots {
  /** Calls `go` when a slot is free, possibly at once. The returned function frees the slot, or ends the wait for it. */
  enter(go: () => void): () => void
  readonly running: number
  readonly waiting: number
}

/** `atOnce` is asked whenever a slot is taken or freed, so it may change meanwhile. */
export function createSlots(atOnce: () => number): Slots {
  const queue = new Set<() => void>()
  let running = 0

  // A slot is taken here, before `go` is called, so that nobody can take it between a wake-up and the work.
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

/** Runs pieces of work, a limited number at a time. */
export interface Limiter {
  <T>(work: () => Promise<T>): Promise<T>
  /** Returns null at once, without doing the work, if it would have to wait and `waiting` others do already. */
  <T>(work: () => Promise<T>, waiting: number): Promise<T | null>
}

/** Runs at most `atOnce` pieces of work at a time; the others wait in order. */
export function createLimiter(atOnce: number): Limiter {
  const slots = createSlots(() => atOnce)
  return async <T>(work: () => Promise<T>, waiting = Number.POSITIVE_INFINITY): Promise<T> => {
    // only a caller that gave `waiting` can get null
    if (slots.running >= atOnce && slots.waiting >= waiting) return null as T
    let started = false
    let wake = () => {}
    const leave = slots.enter(() => {
      started = true
      wake()
    })
    if (!started)
      await new Promise<void>((go) => {
        wake = go
      })
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
