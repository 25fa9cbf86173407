/** Values of a family after which the next one becomes its dictionary: a single device would cost more than it saves. */
const ALIKE = 16
/** Families that are counted; beyond, counting starts again. */
const MAX_COUNTED = 1000
/** Dictionaries at most, each as large as one value: what values are packed with stays while they do. */
const MAX_DICTIONARIES = 64
/** Octets of a dictionary. */
const MAX_OCTETS = 65_536

/**
 * Finds what to compress a value with, for values that are alike within a family, as the rows of devices of a model: one
 * of them. Returns null for the first of a family, and for families beyond the limit.
 */
export function createDictionaries(): (family: string, octets: Uint8Array) => Uint8Array | null {
  const known = new Map<string, Uint8Array>()
  const counts = new Map<string, number>()
  return (family, octets) => {
    const found = known.get(family)
    if (found !== undefined) return found
    const count = (counts.get(family) ?? 0) + 1
    if (counts.size >= MAX_COUNTED) counts.clear()
    counts.set(family, count)
    if (count > ALIKE && known.size < MAX_DICTIONARIES && octets.length <= MAX_OCTETS) known.set(family, octets.slice())
    return null
  }
}
