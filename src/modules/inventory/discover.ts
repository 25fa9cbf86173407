import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { entAliasMappingTable, type entPhysicalTable, PHYSICAL_CLASS } from '../../mibs/entity-mib.ts'
import { enumName, TRUTH_VALUE } from '../../mibs/snmpv2-tc.ts'
import { type FollowUp, need, phase, type Scalars, type TableNeed } from '../module.ts'
import type { InventoryRow } from '../observation.ts'
import { ENTITIES } from './chassis.ts'
import { portsOfEntities } from './entity-ports.ts'
import { MAX_INDEX } from './row.ts'
import { sourceOf } from './sources.ts'

/**
 * Physical entities (ENTITY-MIB). A port's ifIndex comes from its own alias mapping, or from that of the entity
 * containing it. Agents without ENTITY-MIB may have vendor tables (`sources.ts`), which are converted to the same rows.
 */
export const discoverInventory = phase({
  tables: { entities: ENTITIES },
  likely: [need(entAliasMappingTable)],
  follow({ tables: { entities }, device }): FollowUp<Record<string, TableNeed>, Scalars>[] {
    if (entities.rows.size > 0) return [{ key: 'aliases', tables: { aliases: need(entAliasMappingTable) } }]
    const own = entities.complete ? sourceOf(device) : undefined
    return own === undefined ? [] : [{ key: 'own', tables: own.tables, scalars: own.scalars ?? {} }]
  },
  run({ tables: { entities }, device, followed }) {
    const aliases = followed.get('aliases')?.tables['aliases']
    const ifIndexes = portsOfEntities(aliases?.rows as Rows<typeof entAliasMappingTable> | undefined)
    const rows: InventoryRow[] = []
    for (const [index, row] of entities.rows) {
      const key = decodeIndex(index, ['integer'])
      if (key === null || key[0] === 0 || key[0] > MAX_INDEX) continue
      const parent = row.entPhysicalContainedIn ?? 0
      // what is in an entity that the agent does not have would be in no tree
      const outermost = entities.complete && parent !== 0 && !entities.rows.has(String(parent))
      const placed = outermost ? { ...row, entPhysicalContainedIn: 0 } : row
      rows.push(
        inventoryRow(key[0], placed, ifIndexes.get(key[0]) ?? ifIndexes.get(row.entPhysicalContainedIn ?? 0) ?? null),
      )
    }
    const own = followed.get('own')
    if (own !== undefined) rows.push(...(sourceOf(device)?.read(own.tables, own.scalars) ?? []))
    const complete =
      entities.complete && [...followed.values()].every(({ tables }) => Object.values(tables).every((t) => t.complete))
    return [{ kind: 'inventory', complete, rows }]
  },
})

function inventoryRow(
  entPhysicalIndex: number,
  row: Row<typeof entPhysicalTable>,
  ifIndex: number | null,
): InventoryRow {
  return {
    entPhysicalIndex,
    entPhysicalDescr: row.entPhysicalDescr ?? null,
    entPhysicalClass: enumName(PHYSICAL_CLASS, row.entPhysicalClass) ?? null,
    entPhysicalName: row.entPhysicalName ?? null,
    entPhysicalHardwareRev: row.entPhysicalHardwareRev ?? null,
    entPhysicalFirmwareRev: row.entPhysicalFirmwareRev ?? null,
    entPhysicalSoftwareRev: row.entPhysicalSoftwareRev ?? null,
    entPhysicalAlias: row.entPhysicalAlias ?? null,
    entPhysicalAssetID: row.entPhysicalAssetID ?? null,
    entPhysicalIsFRU: enumName(TRUTH_VALUE, row.entPhysicalIsFRU) ?? null,
    entPhysicalModelName: row.entPhysicalModelName ?? null,
    entPhysicalVendorType: row.entPhysicalVendorType ?? null,
    entPhysicalSerialNum: row.entPhysicalSerialNum ?? null,
    entPhysicalContainedIn: row.entPhysicalContainedIn ?? 0,
    entPhysicalParentRelPos: row.entPhysicalParentRelPos ?? -1,
    entPhysicalMfgName: row.entPhysicalMfgName ?? null,
    ifIndex,
  }
}
