import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { aiAccessPointTable } from '../../mibs/ai-ap-mib.ts'
import type { InventoryRow } from '../observation.ts'
import { physical } from './row.ts'

/** The virtual controller of an Aruba Instant cluster; undefined: not reported. */
export interface VirtualController {
  readonly key?: string | undefined
  readonly name?: string | undefined
  /** Version and build, separated by an underscore. */
  readonly version?: string | undefined
  readonly address?: string | undefined
  /** Address of the access point that acts as the controller. */
  readonly master?: string | undefined
}

/** Aruba Instant: the virtual controller has index 1; its access points follow in the order of their MAC addresses. */
export function instantRows(controller: VirtualController, points: Rows<typeof aiAccessPointTable>): InventoryRow[] {
  if (points.size === 0) return []
  const rows = [
    physical(CONTROLLER, {
      entPhysicalDescr: controller.address ?? null,
      entPhysicalClass: 'chassis',
      entPhysicalName: controller.name ?? null,
      entPhysicalModelName: 'Instant Virtual Controller Cluster',
      entPhysicalSerialNum: controller.key ?? null,
      entPhysicalMfgName: 'Aruba',
    }),
  ]
  const known = [...points].flatMap(([index, row]) => {
    const mac = decodeIndex(index, ['mac'])?.[0]
    return mac === undefined ? [] : [{ mac, row }]
  })
  for (const { mac, row } of known.sort((a, b) => (a.mac < b.mac ? -1 : 1))) {
    const role = row.aiAPIPAddress === controller.master ? 'Master' : 'Member'
    rows.push(
      physical(CONTROLLER + rows.length, {
        entPhysicalDescr: mac.replaceAll(/(..)(?=.)/g, '$1:'),
        entPhysicalClass: 'other',
        entPhysicalName: `${row.aiAPName ?? ''} ${row.aiAPIPAddress ?? ''} Cluster ${role}`.trimStart(),
        entPhysicalSoftwareRev: controller.version?.split('_', 1)[0] ?? null,
        entPhysicalModelName: row.aiAPModelName === undefined ? null : `ap${row.aiAPModelName}`,
        entPhysicalSerialNum: row.aiAPSerialNum ?? null,
        entPhysicalContainedIn: CONTROLLER,
        entPhysicalMfgName: 'Aruba',
      }),
    )
  }
  return rows
}

const CONTROLLER = 1
