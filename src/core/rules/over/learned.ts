/** An hour of history: its hour of the week (1 to 168) and the average of its values. */
export interface PastHour {
  /** Epoch seconds of its start. */
  readonly at: number
  readonly hour: number
  readonly value: number
}

export const HOURS_OF_WEEK = 168

/** What is usual at each hour of the week, and the usual distance from it; null: unknown. Both have 168 members. */
export interface Usual {
  readonly usual: readonly (number | null)[]
  readonly spread: readonly (number | null)[]
}

/** Fewer weeks than this say nothing about what is usual. */
const LEAST_WEEKS = 3
/** A spread is at least this part of what is usual: a value that hardly ever changes is no reason for an alert. */
const LEAST_PART = 0.01
/** Of a normal distribution, the standard deviation in median deviations. */
const DEVIATION = 1.4826

/**
 * What is usual: the median of the hours of several weeks, so that a single week with a fault does not count. The spread is
 * the median distance from it, of the hour and the hours before and after, in the measure of a standard deviation. A thing
 * whose values never differ has no spread, and so nothing is unusual about it.
 */
export function usualOf(hours: readonly PastHour[]): Usual {
  const byHour = new Map<number, number[]>()
  for (const { hour, value } of hours)
    if (hour >= 1 && hour <= HOURS_OF_WEEK && Number.isFinite(value)) push(byHour, hour, value)
  const indexes = Array.from({ length: HOURS_OF_WEEK }, (_, i) => i + 1)
  const usual = indexes.map((hour) => {
    const values = byHour.get(hour) ?? []
    return values.length < LEAST_WEEKS ? null : median(values)
  })
  const distances = new Map<number, number[]>()
  for (const [hour, values] of byHour) {
    const middle = usual[hour - 1] ?? null
    if (middle !== null) for (const value of values) push(distances, hour, Math.abs(value - middle))
  }
  const all = median([...distances.values()].flat())
  const spread = indexes.map((hour) => {
    const middle = usual[hour - 1] ?? null
    if (middle === null || all === null) return null
    const near = [before(hour), hour, after(hour)].flatMap((one) => distances.get(one) ?? [])
    const own = Math.max((median(near) ?? 0) * DEVIATION, (all * DEVIATION) / 2, Math.abs(middle) * LEAST_PART)
    return own > 0 ? own : null
  })
  return { usual, spread }
}

const before = (hour: number): number => (hour === 1 ? HOURS_OF_WEEK : hour - 1)
const after = (hour: number): number => (hour === HOURS_OF_WEEK ? 1 : hour + 1)

function push(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/** The middle one; of an even number, between the two in the middle. null: there are none. */
export function median(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values).toSorted()
  const high = sorted[sorted.length >> 1]
  const low = sorted[(sorted.length - 1) >> 1]
  return high === undefined || low === undefined ? null : low + (high - low) / 2
}

/** A trend needs values of so many days. */
const LEAST_DAYS = 4
/** Days beyond these say nothing about how it changes now. */
const MOST_DAYS = 62
const DAY_S = 86_400

/**
 * By how much a value changes in a day: the median of the slopes between its days, so that neither a day on which something
 * was cleared nor one with a burst decides. null: fewer than four days are known.
 */
export function perDayOf(days: readonly { readonly at: number; readonly value: number }[]): number | null {
  const known = days
    .filter(({ at, value }) => Number.isFinite(value) && Number.isFinite(at))
    .toSorted((a, b) => a.at - b.at)
    .slice(-MOST_DAYS)
  if (known.length < LEAST_DAYS) return null
  const slopes = known.flatMap((to, i) =>
    known
      .slice(0, i)
      .flatMap((from) => (to.at > from.at ? [(to.value - from.value) / ((to.at - from.at) / DAY_S)] : [])),
  )
  const slope = median(slopes)
  return slope === null || !Number.isFinite(slope) ? null : slope
}

/** How often a condition on the distance from what is usual would have been true. */
export interface Replay {
  /** Hours in which it was, and times that it began. */
  readonly hours: number
  readonly times: number
}

/** Runs a comparison of spreads over past hours in order; an unknown hour ends nothing. */
export function replayOf(
  hours: readonly PastHour[],
  { usual, spread }: Usual,
  isTrue: (spreads: number) => boolean,
): Replay {
  let count = 0
  let times = 0
  let on = false
  for (const { hour, value } of hours.toSorted((a, b) => a.at - b.at)) {
    const [middle, own] = [usual[hour - 1] ?? null, spread[hour - 1] ?? null]
    if (middle === null || own === null || !Number.isFinite(value)) continue
    const now = isTrue((value - middle) / own)
    if (now) count++
    if (now && !on) times++
    on = now
  }
  return { hours: count, times }
}
