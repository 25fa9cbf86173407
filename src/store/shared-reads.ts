/** A read by its key: two with the same key would give the same answer at the same moment, for the same scope. */
export type SharedRead<T> = (key: string, read: () => Promise<T>) => Promise<T>

/** `sharedReads` for each store: what is the same question is another one to another database. */
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
 * Lets callers that ask for the same thing at the same time share one read. A read that has begun is joined by nobody:
 * it may not see what was written since. Who comes while it runs shares the next one, which begins when it has ended. So
 * every answer was read after it was asked for, and holds all that was committed until then, by whichever process. What
 * is given is the same object for all, and must not be changed. An error is the error of all who share.
 */
export function sharedReads<T>(): SharedRead<T> {
  const reads = new Map<string, { next: Promise<T> | null; readonly running: Promise<unknown> }>()

  function start(key: string, read: () => Promise<T>): Promise<T> {
    const running = read()
    const ended = () => {
      // The next one, if anybody waits for it, starts by itself and takes the place.
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
