import type { Row } from '@portlight/snmp/table.ts'
import { ETHERLIKE_COUNTERS } from '../../lib/etherlike-counters.ts'
import { dot3StatsTable } from '../../mibs/etherlike-mib.ts'
import { need, phase } from '../module.ts'
import type { EtherlikeCounterRow } from './observation.ts'

const OTHERS = ETHERLIKE_COUNTERS.map(({ object }) => object).filter((object) => object !== 'dot3StatsFCSErrors')

const COUNTERS = {
  ...need(
    dot3StatsTable,
    // the first one is read first, and every agent has it
    ['dot3StatsFCSErrors', ...OTHERS],
  ),
  interfaces: true,
  // agents leave out the counters of half duplex
  sparse: true,
} as const

const MAX_IF_INDEX = 0x7fff_ffff
const MAX_COUNTER32 = 0xffff_ffff

/** Which interfaces have Ethernet counters. */
export const discoverEtherlike = phase({
  tables: { counters: COUNTERS },
  run: ({ tables: { counters } }) => [
    {
      kind: 'etherlike',
      complete: counters.complete,
      rows: countersOf(counters.rows).map(({ ifIndex }) => ({ ifIndex })),
    },
  ],
})

/** Their values. Polled with GETBULK over the table, a few requests more for each poll of a switch. */
export const pollEtherlike = phase({
  tables: { counters: COUNTERS },
  run: ({ tables: { counters } }) => [
    { kind: 'etherlike_counters', complete: counters.complete, rows: countersOf(counters.rows) },
  ],
})

/** Interfaces of which at least one counter is known. */
function countersOf(rows: ReadonlyMap<string, Row<typeof dot3StatsTable>>): EtherlikeCounterRow[] {
  return [...rows].flatMap(([index, row]) => {
    const ifIndex = Number(index)
    if (!Number.isInteger(ifIndex) || ifIndex < 0 || ifIndex > MAX_IF_INDEX) return []
    const counters = ETHERLIKE_COUNTERS.map(({ object }) => counterOf(row[object]))
    return counters.every(Number.isNaN) ? [] : [{ ifIndex, counters }]
  })
}

function counterOf(value: number | undefined): number {
  return value !== undefined && value >= 0 && value <= MAX_COUNTER32 ? value : Number.NaN
}
