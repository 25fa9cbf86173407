import { decodeIndex } from '../../lib/index-decode.ts'
import {
  aiAccessPointTable,
  aiMasterIPAddress,
  aiVirtualControllerIPAddress,
  aiVirtualControllerKey,
  aiVirtualControllerName,
  aiVirtualControllerVersion,
} from '../../mibs/ai-ap-mib.ts'
import { entAliasMappingTable, type entPhysicalTable, PHYSICAL_CLASS } from '../../mibs/entity-mib.ts'
import { ifXTable } from '../../mibs/if-mib.ts'
import { cmmStackUnitTable, cmmTransEEPROMTable } from '../../mibs/ipi-cmm-chassis-mib.ts'
import { jnxContainersTable, jnxContentsTable } from '../../mibs/juniper-mib.ts'
import { enumName, TRUTH_VALUE } from '../../mibs/snmpv2-tc.ts'
import { tmnxChassisTable, tmnxChassisTypeTable, tmnxHwTable } from '../../mibs/timetra-chassis-mib.ts'
import type { Row } from '../../snmp/table.ts'
import { need, phase } from '../module.ts'
import type { InventoryRow } from '../observation.ts'
import { isFrom, when } from '../vendor.ts'
import { instantRows, type VirtualController } from './aruba.ts'
import { ENTITIES } from './chassis.ts'
import { juniperRows } from './juniper.ts'
import { nokiaRows } from './nokia.ts'
import { ocnosRows } from './ocnos.ts'
import { MAX_INDEX } from './row.ts'

/** Scalars read from an Aruba Instant cluster besides its access points. */
const CONTROLLER = {
  key: aiVirtualControllerKey,
  name: aiVirtualControllerName,
  version: aiVirtualControllerVersion,
  address: aiVirtualControllerIPAddress,
  master: aiMasterIPAddress,
}

/** ifIndex column of IF-MIB, to which entAliasMappingIdentifier points for a port. */
const IF_INDEX = '1.3.6.1.2.1.2.2.1.1.'

/**
 * Physical entities (ENTITY-MIB). A port's ifIndex comes from its alias mapping, or from that of the entity around it.
 * Juniper, Nokia, OcNOS and Aruba Instant agents without ENTITY-MIB have tables of their own, which are converted to
 * the same rows.
 */
export const discoverInventory = phase({
  tables: { entities: ENTITIES },
  likely: [need(entAliasMappingTable)],
  *follow({ tables: { entities }, device }) {
    const without = entities.rows.size === 0 && entities.complete
    const juniper = without && isFrom(device, 'juniper')
    const nokia = without && isFrom(device, 'nokia')
    const ocnos = without && isFrom(device, 'ipInfusion')
    const instant = without && isFrom(device, 'aruba')
    if (without && !juniper && !nokia && !ocnos && !instant) return
    yield {
      key: 'more',
      tables: {
        aliases: when(entities.rows.size > 0, need(entAliasMappingTable)),
        containers: when(juniper, need(jnxContainersTable)),
        contents: when(juniper, need(jnxContentsTable)),
        chassis: when(nokia, need(tmnxChassisTable)),
        chassisTypes: when(nokia, need(tmnxChassisTypeTable)),
        hardware: when(nokia, need(tmnxHwTable)),
        units: when(ocnos, need(cmmStackUnitTable)),
        optics: when(ocnos, need(cmmTransEEPROMTable)),
        names: when(ocnos, need(ifXTable, ['ifName'])),
        points: when(instant, need(aiAccessPointTable)),
      },
      scalars: instant ? CONTROLLER : {},
    }
  },
  run({ tables: { entities }, followed }) {
    const more = followed.get('more')?.tables
    const aliases = more?.aliases
    const ifIndexes = new Map<number, number>()
    for (const [index, row] of aliases?.rows ?? []) {
      const key = decodeIndex(index, ['integer', 'integer'])
      const target = row.entAliasMappingIdentifier
      const ifIndex = target?.startsWith(IF_INDEX) ? Number(target.slice(IF_INDEX.length)) : Number.NaN
      if (key !== null && Number.isInteger(ifIndex) && !ifIndexes.has(key[0])) ifIndexes.set(key[0], ifIndex)
    }
    const rows: InventoryRow[] = []
    for (const [index, row] of entities.rows) {
      const key = decodeIndex(index, ['integer'])
      if (key === null || key[0] === 0 || key[0] > MAX_INDEX) continue
      rows.push(
        inventoryRow(key[0], row, ifIndexes.get(key[0]) ?? ifIndexes.get(row.entPhysicalContainedIn ?? 0) ?? null),
      )
    }
    if (more !== undefined) {
      rows.push(...juniperRows(more.containers.rows, more.contents.rows))
      rows.push(...nokiaRows(more.chassis.rows, more.chassisTypes.rows, more.hardware.rows))
      const byName = new Map([...more.names.rows].map(([index, { ifName }]) => [ifName ?? '', Number(index)]))
      rows.push(...ocnosRows(more.units.rows, more.optics.rows, byName))
      // The members are those of CONTROLLER, whose objects are all text, or none.
      const controller = followed.get('more')?.scalars as VirtualController | undefined
      rows.push(...instantRows(controller ?? {}, more.points.rows))
    }
    const complete = entities.complete && Object.values(more ?? {}).every((table) => table.complete)
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
