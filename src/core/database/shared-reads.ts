/** Shares a read by key: equal keys mean the same question in the same scope. */
export type SharedRead<T> = (key: string, read: () => Promise<T>) => Promise<T>

/** `sharedReads` per store, since different databases give different answers. */
export function sharedReadsOf<T>(): (store: object) => SharedRead<T> {
  const known = new WeakMap<object, SharedRead<T>>()
  return (store) => {
    let shared = known.get(store)
    if (shared === undefined) {
      shared = sharedReads()
      known.set(store, shared)
    }
    return shared
  }
}

/**
 * Lets identical concurrent requests share one read. A request never joins a read that has already begun, which may
 * miss recent writes. Instead all requests that arrive during a read share the next one, which begins when it ends. So
 * every answer was read after it was requested and contains everything committed until then, by any process. All
 * callers get the same object, which must not be changed, or the same error.
 */
export function sharedReads<T>(): SharedRead<T> {
  const reads = new Map<string, { next: Promise<T> | null; readonly running: Promise<unknown> }>()

  function start(key: string, read: () => Promise<T>): Promise<T> {
    const running = read()
    const ended = () => {
      // A waiting next read starts by itself and takes this one's place.
      if (reads.get(key)?.next === null) reads.delete(key)
    }
    reads.set(key, { next: null, running: running.then(ended, ended) })
    return running
  }

  return (key, read) => {
    const current = reads.get(key)
    if (current === undefined) return start(key, read)
    current.next ??= current.running.then(() => start(key, read))
    return current.next
  }
}
