/** Random choices that one seed decides, so that a run can be repeated. */
export interface Rng {
  /** In [0, 1). */
  next(): number
  /** In [0, below). */
  below(below: number): number
  chance(probability: number): boolean
  /** One of the items; throws for an empty list. */
  pick<T>(items: readonly T[]): T
}

/** Mulberry32: 32 bits of state, which is plenty for choosing requests. */
export function rng(seed: number): Rng {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}
