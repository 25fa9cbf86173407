/** Beyond this many values the known ones are forgotten, since those of hostile agents need not repeat. */
const MAX_SHARED = 10_000

/**
 * A function that returns one copy of values that are alike, those with the same key. Nothing depends on whether two are
 * the same copy: it saves memory where thousands of devices have the same.
 */
export function createShared<T>(): (key: string, value: T) => T {
  const known = new Map<string, T>()
  return (key, value) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= MAX_SHARED) known.clear()
    known.set(key, value)
    return value
  }
}
