/** What a definition read for a pool or disk, in its units, and percent used; null: not given. */
export interface Given {
  readonly total: number | null
  readonly used: number | null
  readonly free: number | null
  readonly percent: number | null
}

/** Bytes. */
export interface Amounts {
  readonly total: number
  readonly used: number
  readonly free: number
}

/**
 * The amounts in bytes, with missing ones computed from the others; null if too little is known or the total is 0. A
 * percentage above 100 is taken as tenths or hundredths. With `wrapped`, a negative number is one that exceeded 31
 * bits.
 */
export function filledUp(given: Given, unit: number, wrapped: boolean): Amounts | null {
  const whole = (value: number | null): number | null => (value === null || !wrapped ? value : unwrapped(value))
  let { percent } = given
  if (percent !== null && wrapped) percent = Math.round(percent)
  while (percent !== null && percent > 100) percent /= 10
  let [total, used, free] = [whole(given.total), whole(given.used), whole(given.free)]
  if (
    total !== null &&
    ((used !== null && given.used !== null && given.used < 0 && used > total) ||
      (free !== null && given.free !== null && given.free < 0 && free > total))
  )
    return null
  total ??= totalOf(used, free, percent)
  if (total === null || total <= 0 || (used === null && free === null && percent === null)) return null
  used ??= free === null ? (total * (percent ?? 0)) / 100 : total - free
  free ??= total - used
  return { total: Math.round(total * unit), used: Math.round(used * unit), free: Math.round(free * unit) }
}

function unwrapped(value: number): number {
  return Math.trunc(value < 0 ? value + 2 ** 32 : value)
}

function totalOf(used: number | null, free: number | null, percent: number | null): number | null {
  if (used !== null && free !== null) return used + free
  if (percent === null) return null
  if (used !== null && used !== 0 && percent !== 0) return used / (percent / 100)
  if (free !== null && free !== 0 && percent < 100) return free / (1 - percent / 100)
  return 100
}
