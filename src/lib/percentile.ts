/**
 * The 95th percentile as used for bills: of the n known values in ascending order, the one at index max(0, round(n *
 * 0.95) - 2), counted from 0. NaN and infinite values are ignored; null when no value is known. To agree with bills, the values must be
 * rates of 5-minute buckets. Source: contract BEHAVIOUR.md 14, get_bill.
 */
export function percentile95(values: ArrayLike<number>): number | null {
  const sorted = sortedKnown(values)
  return sorted[Math.max(0, Math.round(sorted.length * 0.95) - 2)] ?? null
}

/** With fewer values, the rank used for bills is visibly below 95 %: of three values it is the median. */
const FEW = 100

/**
 * The 95th percentile in graph legends: as for bills, but for fewer than 100 known values by nearest rank, ceil(n *
 * 0.95), so that it is not below the average of a few values.
 */
export function legendPercentile95(values: ArrayLike<number>): number | null {
  const sorted = sortedKnown(values)
  return sorted.length >= FEW ? percentile95(sorted) : (sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null)
}

function sortedKnown(values: ArrayLike<number>): Float64Array {
  const known = new Float64Array(values.length)
  let n = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isFinite(value)) known[n++] = value
  }
  return known.subarray(0, n).sort()
}
