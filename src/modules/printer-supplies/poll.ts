import type { GaugePoll } from '../module.ts'

/** The stored columns that polling a supply needs. */
export interface PolledSupply {
  readonly supply_oid: string
  readonly supply_capacity: number | null
}

/** Percent left; for supplies that fill up, such as waste boxes, the percentage still free. */
export const supplyPoll: GaugePoll<PolledSupply, number> = {
  oids: (row) => [row.supply_oid],
  sample: (row, values) => supplyPercent(values[0] ?? Number.NaN, row.supply_capacity),
}

/**
 * A negative level means that no level is known: other (-1), unknown (-2), at least one unit (-3). Without a capacity
 * (missing or -2), a level of up to 100 is a percentage. Source: Printer-MIB::prtMarkerSuppliesLevel.
 */
export function supplyPercent(level: number, capacity: number | null): number | null {
  if (!(level >= 0)) return null
  const whole = capacity !== null && capacity > 0 ? capacity : 100
  const percent = (level / whole) * 100
  return percent <= 100 ? percent : null
}
