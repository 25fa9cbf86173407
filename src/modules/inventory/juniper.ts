import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { jnxContainersTable, jnxContentsTable } from '../../mibs/juniper-mib.ts'
import type { InventoryRow } from '../observation.ts'
import { MAX_INDEX, physical } from './row.ts'

/**
 * JUNIPER-CHASSIS-DEFINES-MIB: the generic types for power supplies and fans that most products use in jnxContentsType.
 */
const GENERIC_CLASS: Readonly<Record<string, string>> = {
  '1.3.6.1.4.1.2636.1.1.3.2.12.4': 'powerSupply',
  '1.3.6.1.4.1.2636.1.1.3.2.12.5': 'fan',
}

/**
 * The containers of JUNIPER-MIB and their contents. A container keeps its own index. A component gets L1 * 1 000 000 +
 * L2 * 10 000 + L3 * 100 + container, from the four parts of its index in the table, so its number stays the same while
 * it remains in its slot. The component in the outermost container is the chassis itself, whose serial number it
 * supplies.
 */
export function juniperRows(
  containers: Rows<typeof jnxContainersTable>,
  contents: Rows<typeof jnxContentsTable>,
): InventoryRow[] {
  const rows = new Map<number, InventoryRow>()
  const outermost = new Set<number>()
  for (const [index, row] of containers) {
    const key = decodeIndex(index, ['integer'])
    if (key === null || key[0] === 0 || key[0] >= 100) continue
    const within = row.jnxContainersWithin ?? 0
    if (within === 0) outermost.add(key[0])
    rows.set(
      key[0],
      physical(key[0], {
        entPhysicalDescr: row.jnxContainersDescr ?? null,
        entPhysicalClass: within === 0 ? 'chassis' : 'container',
        entPhysicalContainedIn: within,
      }),
    )
  }
  for (const [index, row] of contents) {
    const key = decodeIndex(index, ['integer', 'integer', 'integer', 'integer'])
    if (key === null) continue
    const [container, l1, l2, l3] = key
    const around = rows.get(container)
    if (around !== undefined && outermost.has(container)) {
      rows.set(container, {
        ...around,
        entPhysicalSerialNum: around.entPhysicalSerialNum || (row.jnxContentsSerialNo ?? null),
        entPhysicalModelName: around.entPhysicalModelName || (row.jnxContentsPartNo ?? null),
      })
      continue
    }
    const number = l1 * 1_000_000 + l2 * 10_000 + l3 * 100 + container
    if (container >= 100 || l2 >= 100 || l3 >= 100 || number > MAX_INDEX) continue
    rows.set(
      number,
      physical(number, {
        entPhysicalDescr: row.jnxContentsDescr ?? null,
        entPhysicalClass: classOf(row.jnxContentsType, around?.entPhysicalDescr ?? ''),
        entPhysicalHardwareRev: row.jnxContentsRevision ?? null,
        // Junos reports this word instead of a part number for fixed components.
        entPhysicalIsFRU: row.jnxContentsPartNo === 'BUILTIN' ? 'false' : 'true',
        entPhysicalModelName: row.jnxContentsPartNo ?? null,
        entPhysicalVendorType: row.jnxContentsType ?? null,
        entPhysicalSerialNum: row.jnxContentsSerialNo ?? null,
        entPhysicalContainedIn: container,
        entPhysicalMfgName: 'Juniper',
      }),
    )
  }
  return [...rows.values()]
}

/**
 * The class according to the generic type, else according to the slot's name, because some products have types of their
 * own. Other components have no class in this MIB.
 */
function classOf(type: string | undefined, slot: string): string | null {
  const generic = type === undefined ? undefined : GENERIC_CLASS[type]
  if (generic !== undefined) return generic
  if (/\bfan\b/i.test(slot)) return 'fan'
  return /\b(?:PEM|PSM|power supply)\b/i.test(slot) ? 'powerSupply' : null
}
