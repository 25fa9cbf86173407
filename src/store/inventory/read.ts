import type { Store } from '../client.ts'

/** A physical entity as the API shows it (ENTITY-MIB::entPhysicalTable). */
export interface InventoryRecord {
  readonly entPhysical_id: number
  readonly device_id: number
  readonly entPhysicalIndex: number
  readonly entPhysicalDescr: string | null
  readonly entPhysicalClass: string | null
  readonly entPhysicalName: string | null
  readonly entPhysicalHardwareRev: string | null
  readonly entPhysicalFirmwareRev: string | null
  readonly entPhysicalSoftwareRev: string | null
  readonly entPhysicalAlias: string | null
  readonly entPhysicalAssetID: string | null
  readonly entPhysicalIsFRU: string | null
  readonly entPhysicalModelName: string | null
  readonly entPhysicalVendorType: string | null
  readonly entPhysicalSerialNum: string | null
  readonly entPhysicalContainedIn: number
  readonly entPhysicalParentRelPos: number
  readonly entPhysicalMfgName: string | null
  readonly entPhysicalMfgDate: string | null
  readonly ifIndex: number | null
}

/**
 * Physical entities of a device by id. `containedIn` is the parent's entPhysicalIndex; `entClass` is case-insensitive;
 * absent: all.
 */
export async function listInventory(
  { sql }: Store,
  deviceId: number,
  filter: { readonly containedIn?: number; readonly entClass?: string },
): Promise<InventoryRecord[]> {
  return await sql<InventoryRecord[]>`
    select "entPhysical_id", device_id, "entPhysicalIndex", "entPhysicalDescr", "entPhysicalClass", "entPhysicalName",
      "entPhysicalHardwareRev", "entPhysicalFirmwareRev", "entPhysicalSoftwareRev", "entPhysicalAlias",
      "entPhysicalAssetID", "entPhysicalIsFRU", "entPhysicalModelName", "entPhysicalVendorType",
      "entPhysicalSerialNum", "entPhysicalContainedIn", "entPhysicalParentRelPos", "entPhysicalMfgName",
      "entPhysicalMfgDate", "ifIndex"
    from "entPhysical"
    where device_id = ${deviceId}
      and ${filter.containedIn === undefined ? sql`true` : sql`"entPhysicalContainedIn" = ${filter.containedIn}`}
      and ${filter.entClass === undefined ? sql`true` : sql`lower("entPhysicalClass") = lower(${filter.entClass})`}
    order by "entPhysical_id"`
}
