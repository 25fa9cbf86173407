import type { InventoryRow } from '../observation.ts'

/** Highest PhysicalIndex of ENTITY-MIB (RFC 6933). */
export const MAX_INDEX = 0x7fffffff

/**
 * A row from a table with fewer objects than entPhysicalTable. Missing columns are null; without further data the
 * entity has no parent and no position.
 */
export function physical(entPhysicalIndex: number, known: Partial<InventoryRow>): InventoryRow {
  return {
    entPhysicalDescr: null,
    entPhysicalClass: null,
    entPhysicalName: null,
    entPhysicalHardwareRev: null,
    entPhysicalFirmwareRev: null,
    entPhysicalSoftwareRev: null,
    entPhysicalAlias: null,
    entPhysicalAssetID: null,
    entPhysicalIsFRU: null,
    entPhysicalModelName: null,
    entPhysicalVendorType: null,
    entPhysicalSerialNum: null,
    entPhysicalContainedIn: 0,
    entPhysicalParentRelPos: -1,
    entPhysicalMfgName: null,
    ifIndex: null,
    ...known,
    entPhysicalIndex,
  }
}
