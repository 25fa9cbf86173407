/** Octets of a bill's 5-minute bucket, and its seconds. */
export interface BilledBucket {
  readonly seconds: number
  readonly in: number
  readonly out: number
}

/** A bill's current period: its buckets so far, those of the last week, and the seconds that are left of it. */
export interface RunningPeriod {
  readonly soFar: readonly BilledBucket[]
  readonly lastWeek: readonly BilledBucket[]
  readonly leftS: number
  /** `agg`: in and out together are billed; otherwise the greater of the two. */
  readonly direction: 'in' | 'out' | 'agg'
}

const BUCKET_S = 300

/**
 * The 95th percentile that the period will end with, bits per second, if the rest of it is like the last week: the buckets of
 * the week stand for those to come. null: nothing is known of the week, and there are buckets to come.
 */
export function rate95AtEnd({ soFar, lastWeek, leftS, direction }: RunningPeriod): number | null {
  const week = lastWeek.filter(({ seconds }) => seconds > 0)
  const known = soFar.filter(({ seconds }) => seconds > 0)
  const left = Math.max(0, Math.floor(leftS / BUCKET_S))
  if (left > 0 && week.length === 0) return null
  const each = left === 0 ? 0 : left / week.length
  const of = (octets: (one: BilledBucket) => number) => {
    const rate = (one: BilledBucket) => (octets(one) * 8) / one.seconds
    return percentile95([
      ...known.map((one) => [rate(one), 1] as const),
      ...(each === 0 ? [] : week.map((one) => [rate(one), each] as const)),
    ])
  }
  if (direction === 'agg') return of((one) => one.in + one.out)
  const ways = [of((one) => one.in), of((one) => one.out)].filter((one) => one !== null)
  return ways.length === 0 ? null : Math.max(...ways)
}

/** The octets that the period will end with, on the same assumption. null: nothing is known of the week. */
export function totalAtEnd({ soFar, lastWeek, leftS }: RunningPeriod): number | null {
  const sum = (of: (one: BilledBucket) => number, list: readonly BilledBucket[]) =>
    list.reduce((a, one) => a + of(one), 0)
  const octets = (one: BilledBucket) => one.in + one.out
  const seconds = sum((one) => one.seconds, lastWeek)
  if (leftS > 0 && seconds <= 0) return null
  return sum(octets, soFar) + (leftS <= 0 ? 0 : (sum(octets, lastWeek) / seconds) * leftS)
}

/** The 95th percentile of values with weights, placed as in bills: the value at round(n * 0.95) - 1 of n, from 1. */
function percentile95(values: readonly (readonly [value: number, weight: number])[]): number | null {
  const n = Math.round(values.reduce((sum, [, weight]) => sum + weight, 0))
  if (n === 0) return null
  const place = Math.max(1, Math.floor((n * 19 + 10) / 20) - 1)
  let seen = 0
  const sorted = values.toSorted(([a], [b]) => a - b)
  for (const [value, weight] of sorted) {
    seen += weight
    // sums of fractions are not exact
    if (seen >= place - 1e-6) return value
  }
  return sorted.at(-1)?.[0] ?? null
}
