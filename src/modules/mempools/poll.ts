import type { GaugePoll } from '../module.ts'
import { type Usage, type UsageOids, usageOf, usageOids } from '../usage.ts'

/** The stored columns that polling a memory pool needs. */
export interface PolledMempool {
  readonly mempool_used_oid: string | null
  readonly mempool_free_oid: string | null
  readonly mempool_total_oid: string | null
  readonly mempool_perc_oid: string | null
  readonly mempool_precision: number
  readonly mempool_total: number | null
}

function oidsOf(row: PolledMempool): UsageOids {
  return {
    used: row.mempool_used_oid,
    free: row.mempool_free_oid,
    total: row.mempool_total_oid,
    perc: row.mempool_perc_oid,
  }
}

/** Bytes used and free, from whichever of the pool's objects have values. */
export const mempoolPoll: GaugePoll<PolledMempool, Usage> = {
  oids: (row) => usageOids(oidsOf(row)),
  sample: (row, values) => usageOf(oidsOf(row), values, row.mempool_precision, row.mempool_total),
}
