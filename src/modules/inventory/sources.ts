import {
  aiAccessPointTable,
  aiMasterIPAddress,
  aiVirtualControllerIPAddress,
  aiVirtualControllerKey,
  aiVirtualControllerName,
  aiVirtualControllerVersion,
} from '../../mibs/ai-ap-mib.ts'
import { ifXTable } from '../../mibs/if-mib.ts'
import { cmmStackUnitTable, cmmTransEEPROMTable } from '../../mibs/ipi-cmm-chassis-mib.ts'
import { jnxContainersTable, jnxContentsTable } from '../../mibs/juniper-mib.ts'
import { tmnxChassisTable, tmnxChassisTypeTable, tmnxHwTable } from '../../mibs/timetra-chassis-mib.ts'
import { type DeviceFacts, need, type Read, type Scalars } from '../module.ts'
import type { InventoryRow } from '../observation.ts'
import { isOf, type Source, source } from '../source.ts'
import { instantRows, type VirtualController } from './aruba.ts'
import { juniperRows } from './juniper.ts'
import { nokiaRows } from './nokia.ts'
import { ocnosRows } from './ocnos.ts'

/** A vendor's own tables of parts, read from devices without ENTITY-MIB and converted to the same kind of rows. */
interface InventorySource extends Source<Read['scalars'], readonly InventoryRow[]> {
  readonly scalars?: Scalars
}

const SOURCES: readonly InventorySource[] = [
  source({
    vendors: ['juniper'],
    tables: { containers: need(jnxContainersTable), contents: need(jnxContentsTable) },
    read: ({ containers, contents }) => juniperRows(containers, contents),
  }),
  source({
    vendors: ['nokia'],
    tables: { chassis: need(tmnxChassisTable), types: need(tmnxChassisTypeTable), hardware: need(tmnxHwTable) },
    read: ({ chassis, types, hardware }) => nokiaRows(chassis, types, hardware),
  }),
  source({
    vendors: ['ipInfusion'],
    tables: { units: need(cmmStackUnitTable), optics: need(cmmTransEEPROMTable), names: need(ifXTable, ['ifName']) },
    read({ units, optics, names }) {
      const byName = new Map([...names].map(([index, { ifName }]) => [ifName ?? '', Number(index)]))
      return ocnosRows(units, optics, byName)
    },
  }),
  source({
    vendors: ['aruba'],
    tables: { points: need(aiAccessPointTable) },
    scalars: {
      key: aiVirtualControllerKey,
      name: aiVirtualControllerName,
      version: aiVirtualControllerVersion,
      address: aiVirtualControllerIPAddress,
      master: aiMasterIPAddress,
    },
    // these scalars are all text and are named like the members of VirtualController
    read: ({ points }, controller: Read['scalars']) => instantRows(controller as VirtualController, points),
  }),
]

/** The source for a device without ENTITY-MIB; undefined: its vendor has none. */
export function sourceOf(device: DeviceFacts): InventorySource | undefined {
  return SOURCES.find(({ vendors }) => isOf(device, vendors))
}
