import type { GaugePoll } from '../module.ts'
import { type Usage, type UsageOids, usageOf, usageOids } from '../usage.ts'

/** The stored columns that polling a filesystem needs. */
export interface PolledStorage {
  readonly storage_used_oid: string | null
  readonly storage_free_oid: string | null
  readonly storage_size_oid: string | null
  readonly storage_perc_oid: string | null
  readonly storage_units: number
  readonly storage_size: number | null
}

function oidsOf(row: PolledStorage): UsageOids {
  return {
    used: row.storage_used_oid,
    free: row.storage_free_oid,
    total: row.storage_size_oid,
    perc: row.storage_perc_oid,
  }
}

/** Bytes used and free, from whichever of the filesystem's objects have values. */
export const storagePoll: GaugePoll<PolledStorage, Usage> = {
  oids: (row) => usageOids(oidsOf(row)),
  sample: (row, values) => usageOf(oidsOf(row), values, row.storage_units, row.storage_size),
}
