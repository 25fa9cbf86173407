import type { GaugePoll } from '../module.ts'

/** The stored columns that polling a supply needs. */
export interface PolledSupply {
  readonly supply_oid: string
  readonly supply_capacity: number | null
}

/** Percent that is left; for what fills up, as waste boxes do, the room that is left. */
export const supplyPoll: GaugePoll<PolledSupply, number> = {
  oids: (row) => [row.supply_oid],
  sample: (row, values) => supplyPercent(values[0] ?? Number.NaN, row.supply_capacity),
}

/**
 * Negative levels say that none is known: other (-1), unknown (-2), at least one unit (-3). A printer that does not tell
 * the capacity (or says -2) and a level of up to 100 means percent. Source: Printer-MIB::prtMarkerSuppliesLevel.
 */
export function supplyPercent(level: number, capacity: number | null): number | null {
  if (!(level >= 0)) return null
  const whole = capacity !== null && capacity > 0 ? capacity : 100
  const percent = (level / whole) * 100
  return percent <= 100 ? percent : null
}
