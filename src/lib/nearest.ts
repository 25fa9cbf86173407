/** Longest name that is compared with the known ones: it may come from outside, and the comparison takes its square. */
const LONGEST = 200

/**
 * The known name that is closest to a mistyped one, regardless of case; null when none is close: more than two letters
 * differ, or more than a third of them in a long name, or more than half of them in a short one.
 */
export function nearestOf<Name extends string>(name: string, known: Iterable<Name>): Name | null {
  if (name.length > LONGEST) return null
  const lower = name.toLowerCase()
  let best: Name | null = null
  let least = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const one of known) {
    if (Math.abs(one.length - name.length) >= least) continue
    const distance = editDistance(lower, one.toLowerCase())
    if (distance < least && distance * 2 <= Math.max(name.length, one.length)) [best, least] = [one, distance]
  }
  return best
}

/** `; did you mean X?`, or '' when no known name is close. */
export function meantOf(name: string, known: Iterable<string>): string {
  const near = nearestOf(name, known)
  return near === null ? '' : `; did you mean ${near}?`
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of adjacent letters. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) best = Math.min(best, at(beforeLast, j - 2) + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
