import { sameNumbers } from './same-numbers.ts'

/** Beyond this many, the known ones are dropped; see `createShared`. */
const MAX_SHARED = 10_000

/**
 * Returns a function that gives one copy of equal columns, found by a hash of their contents, because devices of one
 * model have the same OIDs and ifIndexes. The columns must not be modified.
 */
export function createSharedNumbers<T extends Int32Array | Uint32Array | Uint8Array>(): (column: T) => T {
  const known = new Map<number | bigint, T>()
  return (column) => {
    const hash = Bun.hash(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
    const found = known.get(hash)
    if (found !== undefined && sameNumbers(found, column)) return found
    if (known.size >= MAX_SHARED) known.clear()
    known.set(hash, column)
    return column
  }
}
