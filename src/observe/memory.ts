/**
 * Memory of the process, read so that it cannot end a thread: the runtime reads a file for it, which throws when no
 * descriptors are left.
 */

/** Resident memory of the process, bytes; null: it cannot be read now. */
export function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss()
  } catch {
    return null
  }
}

/** Used heap of this thread, bytes; null: it cannot be read now. */
export function heapBytes(): number | null {
  try {
    return process.memoryUsage().heapUsed
  } catch {
    return null
  }
}
