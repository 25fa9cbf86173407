import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { ifTable, ifXTable } from '../../mibs/if-mib.ts'

/** A counter's column in each width: 64-bit (null if IF-MIB has none) and 32-bit, with the column's OID. */
interface CounterColumns {
  readonly hc: CounterColumn | null
  readonly lc: CounterColumn
}
interface CounterColumn {
  readonly name: string
  readonly oid: string
  readonly table: 'ifTable' | 'ifXTable'
}

const IF_COLUMNS: Readonly<Record<string, { readonly id: number }>> = ifTable.columns
const IFX_COLUMNS: Readonly<Record<string, { readonly id: number }>> = ifXTable.columns

function column(name: string): CounterColumn {
  const inIf = IF_COLUMNS[name]
  if (inIf !== undefined) return { name, oid: `${ifTable.entry}.${inIf.id}`, table: 'ifTable' }
  const inIfX = IFX_COLUMNS[name]
  if (inIfX !== undefined) return { name, oid: `${ifXTable.entry}.${inIfX.id}`, table: 'ifXTable' }
  throw new Error(`no column ${name} in IF-MIB`)
}

/** In the order of PORT_COUNTERS. */
export const COUNTER_COLUMNS: readonly CounterColumns[] = PORT_COUNTERS.map((counter) => ({
  hc: counter.hc === null ? null : column(counter.hc),
  lc: column(counter.lc),
}))
