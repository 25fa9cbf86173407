/**
 * The 95th percentile of bills and graph legends: of the n known values in ascending order, the one at index
 * max(0, round(n * 0.95) - 2), counted from 0. NaN is ignored; null when nothing is known. To agree with bills, the values
 * must be rates of 5-minute buckets.
 * Source: contract BEHAVIOUR.md 14, get_bill.
 */
export function percentile95(values: ArrayLike<number>): number | null {
  const known = new Float64Array(values.length)
  let n = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (!Number.isNaN(value)) known[n++] = value
  }
  if (n === 0) return null
  const sorted = known.subarray(0, n).sort()
  return sorted[Math.max(0, Math.round(n * 0.95) - 2)] ?? null
}
