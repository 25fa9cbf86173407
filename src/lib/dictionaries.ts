/** A family gets a dictionary after this many values, because for few devices it would cost more than it saves. */
const ALIKE = 16
/** Maximum number of families counted; when there are more, counting starts again. */
const MAX_COUNTED = 1000
/**
 * Maximum number of dictionaries, each as large as one value; a dictionary is kept as long as values packed with it.
 */
const MAX_DICTIONARIES = 64
/** Maximum size of a dictionary, bytes. */
const MAX_OCTETS = 65_536

/**
 * Returns a function that gives the compression dictionary for a value of a family of similar values, such as the rows
 * of devices of one model. The dictionary is one of the values. Null for the first values of a family and for families
 * beyond the limit.
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
