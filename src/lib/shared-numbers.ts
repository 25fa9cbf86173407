import { sameNumbers } from './same-numbers.ts'

/** Beyond this many the known ones are forgotten, see `createShared`. */
const MAX_SHARED = 10_000

/**
 * A function that returns one copy of columns with the same numbers, found by a hash of their octets. They must not be
 * changed: devices of a model have the same OIDs and ifIndexes.
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
