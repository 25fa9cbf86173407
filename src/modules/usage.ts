/** Bytes and percent of a memory pool or filesystem; null: unknown. */
export interface Usage {
  readonly used: number | null
  readonly free: number | null
  readonly total: number | null
  readonly perc: number | null
}

/** The OIDs that a pool or filesystem may have, in the order in which they are requested. */
export interface UsageOids {
  readonly used: string | null
  readonly free: string | null
  readonly total: string | null
  readonly perc: string | null
}

export function usageOids(oids: UsageOids): readonly string[] {
  return [oids.used, oids.free, oids.total, oids.perc].filter((oid) => oid !== null)
}

/**
 * Usage from polled values, `values[i]` belonging to `usageOids(oids)[i]`. `unit` is bytes per counted unit. A total
 * that is not polled is taken from the stored row. Any two of used, free and total give the third. `null` if nothing is
 * known.
 */
export function usageOf(
  oids: UsageOids,
  values: ArrayLike<number>,
  unit: number,
  storedTotal: number | null,
): Usage | null {
  let next = 0
  const take = (oid: string | null) => (oid === null ? Number.NaN : (values[next++] ?? Number.NaN))
  const [used, free, total, perc] = [take(oids.used), take(oids.free), take(oids.total), take(oids.perc)]
  return complete(octets(used, unit), octets(free, unit), octets(total, unit) ?? storedTotal, perc)
}

/** Bytes from a number of units. Integer32 ends below 2^31, so agents send larger sizes as negative numbers. */
export function octets(value: number | undefined, unit: number): number | null {
  if (value === undefined || !Number.isFinite(value)) return null
  return (value < 0 ? value + 2 ** 32 : value) * unit
}

/** Computes the missing values from the known ones. */
export function complete(used: number | null, free: number | null, total: number | null, perc: number): Usage | null {
  const whole = total !== null && total > 0 ? total : used !== null && free !== null ? used + free : null
  const share = perc >= 0 && perc <= 100 ? perc : null
  const taken =
    used ??
    (whole !== null && free !== null ? Math.max(0, whole - free) : null) ??
    (whole !== null && share !== null ? Math.round((whole * share) / 100) : null)
  if (taken === null && share === null) return null
  const left = free ?? (whole !== null && taken !== null ? Math.max(0, whole - taken) : null)
  const percent = share ?? (whole !== null && whole > 0 && taken !== null ? Math.min(100, (taken / whole) * 100) : null)
  return { used: taken, free: left, total: whole, perc: percent }
}
