import { hash01, smoothNoise } from './hash.ts'

/**
 * The integral of a rate: maps seconds since the fleet's epoch to an amount. A curve never decreases, takes constant
 * time to evaluate and has no state, so counters continue after a restart and the deltas between any polls are
 * consistent.
 *
 * Curves can be composed: each maps seconds to "seconds at mean rate", so `noisy(daily(s))` has noise proportional to
 * the daily rate and its mean rate is still 1.
 */
export type Curve = (s: number) => number

const DAY_S = 86_400
const WEEK_S = 7 * DAY_S

/** Daily and weekly cycle of the rate. The mean is 1. */
export interface DailyShape {
  /** Hour (UTC) of the maximum. */
  readonly peakHour: number
  /** 0: constant; 0.75: a fifth of the mean at night. */
  readonly depth: number
  /** 0: all days are equal; 0.15: quiet weekends. */
  readonly weekend: number
}

/**
 * Daily and weekly cosines, integrated in closed form. The rate stays above 0 for depth <= 0.75 and weekend <= 0.15.
 */
export function daily({ peakHour, depth, weekend }: DailyShape): Curve {
  const day = (2 * Math.PI) / DAY_S
  const week = (2 * Math.PI) / WEEK_S
  const peakS = peakHour * 3600
  // the epoch is a Monday, so this is Wednesday noon
  const midWeekS = 2.5 * DAY_S
  return (s) =>
    s +
    (depth / day) * Math.sin(day * (s - peakS)) -
    ((0.05 * depth) / (2 * day)) * Math.sin(2 * day * (s - peakS)) +
    (weekend / week) * Math.sin(week * (s - midWeekS))
}

/** Period in seconds and depth of each noise layer, from the scale of single polls to that of a daily graph. */
const LAYERS = [
  { slotS: 13, depth: 1 },
  { slotS: 47, depth: 1 },
  { slotS: 223, depth: 0.9 },
  { slotS: 1297, depth: 0.8 },
  { slotS: 7919, depth: 0.6 },
] as const

/**
 * Noise in the rate around a mean of 1. Each layer is a curve with a rate between 1 - `roughness` and 1 + `roughness`,
 * which stays above 0 for any roughness below 1; layers multiply.
 */
export function noisy(seed: number, roughness: number): Curve {
  return (s) => {
    let warped = s
    for (const [layer, { slotS, depth }] of LAYERS.entries()) {
      // the slope of smoothNoise is at most 3
      warped += (roughness * depth * slotS * smoothNoise(seed + layer, warped / slotS)) / 3
    }
    return warped
  }
}

/**
 * One burst at a random time in every `slotS` seconds, which carries `share` of the slot's total. It lasts from
 * `shortest` to 40 % of the slot, more often short than long; its rate is at most 1 + share / shortest.
 */
export function bursty(seed: number, slotS: number, share: number, shortest = 0.04): Curve {
  return (s) => {
    const slot = Math.floor(s / slotS)
    const part = s / slotS - slot
    const width = shortest + (0.4 - shortest) * hash01(seed, 2 * slot) ** 2
    const start = hash01(seed, 2 * slot + 1) * (1 - width)
    const done = Math.min(1, Math.max(0, (part - start) / width))
    return s * (1 - share) + share * slotS * (slot + done)
  }
}

/** `outer(inner(s))`. */
export function compose(outer: Curve, inner: Curve): Curve {
  return (s) => outer(inner(s))
}

/** Something that is off for one window at a random time in every cycle. */
export interface Windows {
  /** Seconds since the epoch spent outside the windows. */
  readonly onSeconds: Curve
  /** True outside the windows. */
  isOn(s: number): boolean
  /** Time of the last change, in seconds since the epoch. */
  changedAt(s: number): number
}

/** Off for `offS` seconds in every `cycleS` seconds; `offS` is less than `cycleS`. */
export function windows(seed: number, cycleS: number, offS: number): Windows {
  const startOf = (cycle: number) => cycle * cycleS + hash01(seed, cycle) * (cycleS - offS)
  return {
    onSeconds(s) {
      const cycle = Math.floor(s / cycleS)
      const off = Math.min(offS, Math.max(0, s - startOf(cycle)))
      return s - cycle * offS - off
    },
    isOn(s) {
      const start = startOf(Math.floor(s / cycleS))
      return s < start || s >= start + offS
    },
    changedAt(s) {
      const cycle = Math.floor(s / cycleS)
      const start = startOf(cycle)
      if (s < start) return startOf(cycle - 1) + offS
      return s < start + offS ? start : start + offS
    },
  }
}
