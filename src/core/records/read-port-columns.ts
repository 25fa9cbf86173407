import { getTableColumns } from 'drizzle-orm'
import { ports } from '../../../db/schema/index.ts'

const PRIVATE: ReadonlySet<string> = new Set(['hc_mask', 'lc_mask', 'etherlike', 'search_text'])

/** Stored columns of the port record. */
export const STORED_PORT_COLUMNS: readonly string[] = Object.keys(getTableColumns(ports)).filter((c) => !PRIVATE.has(c))

const VARIANTS = ['', '_prev', '_delta', '_rate'] as const

/** Columns of the port record derived from its last two samples. */
export const LIVE_PORT_COLUMNS: readonly string[] = [
  ...['ifInUcastPkts', 'ifOutUcastPkts', 'ifInErrors', 'ifOutErrors', 'ifInOctets', 'ifOutOctets'].flatMap((counter) =>
    VARIANTS.map((variant) => counter + variant),
  ),
  'poll_time',
  'poll_prev',
  'poll_period',
]

/** All columns of the port record in API order. */
export const PORT_COLUMNS: readonly string[] = [...STORED_PORT_COLUMNS, ...LIVE_PORT_COLUMNS]

const STORED = new Set(STORED_PORT_COLUMNS)
const ALL = new Set(PORT_COLUMNS)

export const isPortColumn = (name: string): boolean => ALL.has(name)
export const isStoredPortColumn = (name: string): boolean => STORED.has(name)
