/** Runs work in order of arrival with limited concurrency. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** `inTurn` per store. */
export function turnsOf(atOnce: number): (store: object) => InTurn {
  const known = new WeakMap<object, InTurn>()
  return (store) => {
    let turns = known.get(store)
    if (turns === undefined) {
      turns = inTurn(atOnce)
      known.set(store, turns)
    }
    return turns
  }
}

function inTurn(atOnce: number): InTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    // A woken caller inherits its waker's slot, so that a newcomer cannot overtake it.
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
