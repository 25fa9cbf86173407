import { hash01, smoothNoise } from './hash.ts'

/**
 * The integral of a rate: seconds since the fleet's epoch in, an amount out. A curve never decreases, costs the same
 * wherever it is evaluated, and remembers nothing, so a counter made of it goes on after a restart as if there had been
 * none, and any two polls agree with every other two about what lay between them.
 *
 * Curves are composed: each maps seconds to "seconds of mean rate", so `noisy(daily(s))` has noise in proportion to the
 * time of day, and its mean rate is still 1.
 */
export type Curve = (s: number) => number

const DAY_S = 86_400
const WEEK_S = 7 * DAY_S

/** How the rate moves through day and week. The mean is 1. */
export interface DailyShape {
  /** Hour of the day (UTC) of the highest rate. */
  readonly peakHour: number
  /** 0: level; 0.75: nights at a fifth of the mean. */
  readonly depth: number
  /** 0: all days alike; 0.15: quiet weekends. */
  readonly weekend: number
}

/** Day and week as cosines, integrated in closed form. The rate stays above 0 for depth <= 0.75 and weekend <= 0.15. */
export function daily({ peakHour, depth, weekend }: DailyShape): Curve {
  const day = (2 * Math.PI) / DAY_S
  const week = (2 * Math.PI) / WEEK_S
  const peakS = peakHour * 3600
  // the epoch is a Monday; the working week's middle is Wednesday noon
  const midWeekS = 2.5 * DAY_S
  return (s) =>
    s +
    (depth / day) * Math.sin(day * (s - peakS)) -
    ((0.05 * depth) / (2 * day)) * Math.sin(2 * day * (s - peakS)) +
    (weekend / week) * Math.sin(week * (s - midWeekS))
}

/** Seconds and depths of the layers of noise: from what polls every few seconds see to what a day's graph shows. */
const LAYERS = [
  { slotS: 13, depth: 1 },
  { slotS: 47, depth: 1 },
  { slotS: 223, depth: 0.9 },
  { slotS: 1297, depth: 0.8 },
  { slotS: 7919, depth: 0.6 },
] as const

/**
 * Rate noise around 1. Every layer is a curve of its own whose rate is between 1 - `roughness` and 1 + `roughness`, so
 * that the rate stays above 0 for any roughness below 1; one after the other they multiply.
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
 * Once in every `slotS` seconds, at a random place, `share` of all that the slot carries. It takes from `shortest` to
 * 40 % of the slot, more often short than long; the rate in it is at most 1 + share / shortest.
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

/** A window in every cycle in which something is off, at a random place of the cycle. */
export interface Windows {
  /** Seconds since the epoch spent outside of windows. */
  readonly onSeconds: Curve
  /** True outside of windows. */
  isOn(s: number): boolean
  /** When it last went on or off, seconds since the epoch. */
  changedAt(s: number): number
}

/** `offS` seconds off in every `cycleS` seconds; `offS` is less than `cycleS`. */
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
