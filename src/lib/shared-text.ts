const MAX_TEXTS = 10_000

/**
 * A function that returns one copy of equal texts. Rows of a query each bring their own: 'up' for every port, and the
 * names and OIDs that devices of a model have in common.
 */
export function createSharedText(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= MAX_TEXTS) known.clear()
    known.set(text, text)
    return text
  }
}
