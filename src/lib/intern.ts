/** Beyond this many values, the known ones are dropped, because hostile agents may never repeat a value. */
const MAX_SHARED = 10_000

/**
 * Returns a function that gives one copy of equal values, which are those with the same key. It only saves memory where
 * thousands of devices have the same value; nothing may depend on two values being the same copy.
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
