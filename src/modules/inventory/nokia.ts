import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { enumName, TRUTH_VALUE } from '../../mibs/snmpv2-tc.ts'
import {
  TMNX_HW_CLASS,
  type tmnxChassisTable,
  type tmnxChassisTypeTable,
  type tmnxHwTable,
} from '../../mibs/timetra-chassis-mib.ts'
import type { InventoryRow } from '../observation.ts'
import { MAX_INDEX, physical } from './row.ts'

/**
 * The chassis, by tmnxChassisIndex, and the components of tmnxHwTable, by tmnxHwIndex. The top octet of tmnxHwIndex is
 * the class, so it never collides with a chassis. If two chassis have the same tmnxHwIndex, the first wins.
 */
export function nokiaRows(
  chassis: Rows<typeof tmnxChassisTable>,
  types: Rows<typeof tmnxChassisTypeTable>,
  hardware: Rows<typeof tmnxHwTable>,
): InventoryRow[] {
  const rows = new Map<number, InventoryRow>()
  for (const [index, { tmnxChassisType }] of chassis) {
    const key = decodeIndex(index, ['integer'])
    const type = types.get(String(tmnxChassisType))
    if (key === null || key[0] === 0 || key[0] > MAX_INDEX || type === undefined) continue
    rows.set(
      key[0],
      physical(key[0], {
        entPhysicalDescr: type.tmnxChassisTypeDescription ?? null,
        entPhysicalClass: 'chassis',
        entPhysicalName: type.tmnxChassisTypeName ?? null,
      }),
    )
  }
  for (const [index, row] of hardware) {
    const key = decodeIndex(index, ['integer', 'integer'])
    if (key === null || key[1] === 0 || key[1] > MAX_INDEX || rows.has(key[1])) continue
    rows.set(
      key[1],
      physical(key[1], {
        entPhysicalClass: enumName(TMNX_HW_CLASS, row.tmnxHwClass) ?? null,
        entPhysicalName: row.tmnxHwName ?? null,
        entPhysicalFirmwareRev: row.tmnxHwBootCodeVersion ?? null,
        entPhysicalSoftwareRev: row.tmnxHwSoftwareCodeVersion ?? null,
        entPhysicalAlias: row.tmnxHwAlias ?? null,
        entPhysicalAssetID: row.tmnxHwAssetID ?? null,
        entPhysicalIsFRU: enumName(TRUTH_VALUE, row.tmnxHwIsFRU) ?? null,
        entPhysicalModelName: row.tmnxHwMfgBoardNumber ?? null,
        entPhysicalSerialNum: row.tmnxHwSerialNumber ?? null,
        entPhysicalContainedIn: row.tmnxHwContainedIn ?? 0,
        entPhysicalParentRelPos: row.tmnxHwParentRelPos ?? -1,
        entPhysicalMfgName: row.tmnxHwMfgString ?? null,
      }),
    )
  }
  return [...rows.values()]
}
