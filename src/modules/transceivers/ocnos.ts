import type { Row } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import {
  CMM_NOT_PRESENT,
  CMM_TRANS_CONNECTOR,
  CMM_TRANS_ENCODING,
  CMM_TRANS_TYPE,
  type cmmTransEEPROMTable,
} from '../../mibs/ipi-cmm-chassis-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { type Known, positive, reported, truth } from './row.ts'

type Cells = Row<typeof cmmTransEEPROMTable>

/** Interface names by form factor: gigabit and 10/25G in SFP cages, 40/100G and faster in QSFP cages. */
export const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  sfp: ['xe', 'ge', 'eth'],
  qsfp: ['ce', 'cd', 'xe'],
}

/** A row of cmmTransEEPROMTable (OcNOS); null for an empty cage. */
export function cmmTransceiver(
  row: Cells,
  index: string,
  { byName }: { readonly byName: ReadonlyMap<string, number> },
): Known | null {
  const key = decodeIndex(index, ['integer', 'integer'])
  if (key === null || row.cmmTransPresence === CMM_NOT_PRESENT) return null
  const type = enumName(CMM_TRANS_TYPE, row.cmmTransType)
  const serial = reported(row.cmmTransVendorSerialNumber)
  if (type === undefined && serial === null) return null
  return {
    index,
    ifIndex: interfaceOf(PREFIXES[type ?? ''] ?? [], row.cmmTransFrontPanelPortNumber, byName),
    // The agent numbers its entities unit * 10000 + cage, from cmmStackUnitIndex and cmmTransIndex.
    entity_physical_index: key[0] * 10_000 + key[1],
    type: type ?? null,
    vendor: reported(row.cmmTransVendorName),
    oui: reported(row.cmmTransVendorOUI),
    model: reported(row.cmmTransVendorPartNumber),
    revision: reported(row.cmmTransVendorRevision),
    serial,
    date: reported(row.cmmTransDateCode),
    ddm: truth(row.cmmTransDDMSupport),
    encoding: enumName(CMM_TRANS_ENCODING, row.cmmTransEncoding) ?? null,
    distance: distance(row),
    connector: enumName(CMM_TRANS_CONNECTOR, row.cmmTransconnectortype) ?? null,
    channels: positive(row.cmmTransNoOfChannels) ?? 1,
  }
}

/**
 * The interface of a cage; null if unknown. Front-panel numbers start at 1 for each kind of cage, interface names at 0
 * or 1.
 */
export function interfaceOf(
  prefixes: readonly string[],
  panel: number | undefined,
  byName: ReadonlyMap<string, number>,
): number | null {
  if (panel === undefined) return null
  for (const prefix of prefixes) {
    if (!byName.has(`${prefix}0`) && !byName.has(`${prefix}1`)) continue
    return byName.get(`${prefix}${byName.has(`${prefix}0`) ? panel - 1 : panel}`) ?? null
  }
  return null
}

/** The longest distance over any fibre, in metres. */
export function distance(row: Cells): number | null {
  const lengths = [
    (positive(row.cmmTransLengthKmtrs) ?? 0) * 1000,
    (positive(row.cmmTransLengthMtrs) ?? 0) * 100,
    ...[row.cmmTransLengthOM1, row.cmmTransLengthOM2, row.cmmTransLengthOM3, row.cmmTransLengthOM4].map(
      (metres) => positive(metres) ?? 0,
    ),
  ]
  return positive(Math.max(...lengths))
}
