import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { ifTable, ifXTable } from '../../mibs/if-mib.ts'
import { COUNTER_COLUMNS } from './counters.ts'

/** A column read at every poll of a device's ports. */
export interface PortPollColumn {
  /** A counter, by its index in PORT_COUNTERS, or an object whose changes are stored. */
  readonly field: number | PortStateField
  /** OID of the column in dotted decimal, without the ifIndex. */
  readonly oid: string
  /** Width of a counter; 0: not a counter. */
  readonly bits: 0 | 32 | 64
}

export type PortStateField = 'ifAdminStatus' | 'ifOperStatus' | 'ifName' | 'ifAlias' | 'ifDescr' | 'ifHighSpeed'

/** Mbit/s. An ifHighSpeed above 100 Tbit/s is an agent's -1, or garbage. */
export const MAX_HIGH_SPEED = 100_000_000

const STATE_COLUMNS: readonly PortPollColumn[] = [
  { field: 'ifAdminStatus', oid: `${ifTable.entry}.${ifTable.columns.ifAdminStatus.id}`, bits: 0 },
  { field: 'ifOperStatus', oid: `${ifTable.entry}.${ifTable.columns.ifOperStatus.id}`, bits: 0 },
  { field: 'ifName', oid: `${ifXTable.entry}.${ifXTable.columns.ifName.id}`, bits: 0 },
  { field: 'ifAlias', oid: `${ifXTable.entry}.${ifXTable.columns.ifAlias.id}`, bits: 0 },
  { field: 'ifHighSpeed', oid: `${ifXTable.entry}.${ifXTable.columns.ifHighSpeed.id}`, bits: 0 },
]

/** Read where the description of a port identifies it. */
const DESCRIPTION: PortPollColumn = {
  field: 'ifDescr',
  oid: `${ifTable.entry}.${ifTable.columns.ifDescr.id}`,
  bits: 0,
}

/**
 * Columns to poll for these ports: 64-bit counters that any port has, 32-bit ones that some port needs because it lacks
 * the 64-bit one, and the five objects whose changes matter between discoveries; ifDescr with `described`. `nonunicast`
 * false leaves out the broadcast and multicast counters. SNMPv1 has no Counter64 (RFC 2576 §2.1).
 *
 * A port uses the 64-bit column if its `hcMask` has the counter's bit and the version is not v1, else the 32-bit one.
 */
export function portPollColumns(
  rows: Iterable<{ readonly hcMask: number; readonly lcMask: number }>,
  options: { readonly snmpver: 'v1' | 'v2c' | 'v3'; readonly nonunicast: boolean; readonly described?: boolean },
): readonly PortPollColumn[] {
  let wide = 0
  let narrow = 0
  for (const { hcMask, lcMask } of rows) {
    const hc = options.snmpver === 'v1' ? 0 : hcMask
    wide |= hc
    narrow |= lcMask & ~hc
  }
  const columns: PortPollColumn[] = [...STATE_COLUMNS, ...(options.described === true ? [DESCRIPTION] : [])]
  COUNTER_COLUMNS.forEach(({ hc, lc }, counter) => {
    if (!options.nonunicast && /_[bm]cast$/.test(PORT_COUNTERS[counter]?.series ?? '')) return
    if (hc !== null && (wide >> counter) & 1) columns.push({ field: counter, oid: hc.oid, bits: 64 })
    if ((narrow >> counter) & 1) columns.push({ field: counter, oid: lc.oid, bits: 32 })
  })
  return columns
}
