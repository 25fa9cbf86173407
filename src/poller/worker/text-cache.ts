/**
 * Detects changes of a device's port names and aliases by 32-bit hashes. They are read at every poll but rarely change,
 * and only changes are sent to the main thread. A hash collision keeps the old text until the next discovery, which
 * does not use this cache.
 */
export interface TextCache {
  /** True on the first call and whenever the bytes differ from those of the last call for this row and field. */
  changed(row: number, field: number, buffer: Uint8Array, start: number, length: number): boolean
}

export function createTextCache(rows: number, fields: number): TextCache {
  const hashes = new Uint32Array(rows * fields)
  return {
    changed(row, field, buffer, start, length) {
      const at = row * fields + field
      const hash = fnv1a(buffer, start, length)
      if (hashes[at] === hash) return false
      hashes[at] = hash
      return true
    },
  }
}

/** FNV-1a, never 0 (0 means "nothing sent yet"). */
function fnv1a(buffer: Uint8Array, start: number, length: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ (buffer[i] as number), 0x01000193)
  return hash >>> 0 || 1
}
