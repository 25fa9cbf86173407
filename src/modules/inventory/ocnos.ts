import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import {
  CMM_ETHERNET,
  CMM_EXTENDED_ETHERNET,
  type cmmStackUnitTable,
  type cmmTransEEPROMTable,
} from '../../mibs/ipi-cmm-chassis-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { InventoryRow } from '../observation.ts'
import { cmmTransceiver, distance } from '../transceivers/ocnos.ts'
import { MAX_INDEX, physical } from './row.ts'

/** OcNOS: stack units, indexed by their number, and the modules in their cages, indexed by unit * 10000 + cage. */
export function ocnosRows(
  units: Rows<typeof cmmStackUnitTable>,
  optics: Rows<typeof cmmTransEEPROMTable>,
  byName: ReadonlyMap<string, number>,
): InventoryRow[] {
  const rows: InventoryRow[] = []
  for (const [index, row] of units) {
    const unit = decodeIndex(index, ['integer'])?.[0]
    if (unit === undefined || unit === 0 || unit > MAX_INDEX) continue
    rows.push(
      physical(unit, {
        entPhysicalDescr: row.cmmStackUnitModelName ?? null,
        entPhysicalClass: 'chassis',
        entPhysicalName: row.cmmStackUnitModelName ?? null,
        entPhysicalIsFRU: 'false',
        entPhysicalSerialNum: row.cmmStackUnitSerialNumber ?? null,
        entPhysicalParentRelPos: unit,
      }),
    )
  }
  for (const [index, row] of optics) {
    const key = decodeIndex(index, ['integer', 'integer'])
    const module = cmmTransceiver(row, index, { byName })
    const number = module?.entity_physical_index ?? 0
    if (key === null || module === null || number === 0 || number > MAX_INDEX) continue
    const standard =
      enumName(CMM_ETHERNET, row.cmmTransEthCompliance) ?? enumName(CMM_EXTENDED_ETHERNET, row.cmmTransExtEthCompliance)
    const metres = distance(row)
    const reach = metres === null ? null : metres >= 1000 && metres % 1000 === 0 ? `${metres / 1000}km` : `${metres}m`
    rows.push(
      physical(number, {
        entPhysicalDescr: [module.type, standard, reach].filter((part) => (part ?? null) !== null).join(' '),
        entPhysicalClass: 'module',
        entPhysicalName: module.model ?? null,
        entPhysicalHardwareRev: module.revision ?? null,
        entPhysicalIsFRU: 'true',
        entPhysicalModelName: module.model ?? null,
        entPhysicalSerialNum: module.serial ?? null,
        entPhysicalContainedIn: key[0],
        entPhysicalParentRelPos: key[1],
        entPhysicalMfgName: module.vendor ?? null,
        ifIndex: module.ifIndex ?? null,
      }),
    )
  }
  return rows
}
