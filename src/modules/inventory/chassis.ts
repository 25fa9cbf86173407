import { entPhysicalTable } from '../../mibs/entity-mib.ts'
import type { Row, Rows } from '../../snmp/table.ts'
import { need } from '../module.ts'

/** All of entPhysicalTable; one need, so that the modules which want it read it once. */
export const ENTITIES = need(entPhysicalTable, [
  'entPhysicalName',
  'entPhysicalClass',
  'entPhysicalDescr',
  'entPhysicalVendorType',
  'entPhysicalContainedIn',
  'entPhysicalParentRelPos',
  'entPhysicalHardwareRev',
  'entPhysicalFirmwareRev',
  'entPhysicalSoftwareRev',
  'entPhysicalSerialNum',
  'entPhysicalMfgName',
  'entPhysicalModelName',
  'entPhysicalAlias',
  'entPhysicalAssetID',
  'entPhysicalIsFRU',
])

const CHASSIS = 3
const STACK = 11

/**
 * The entity that stands for the whole device: the first chassis of a stack or of nothing, else the first entity that is
 * contained in nothing. Null when there is none, or none of them names itself.
 */
export function chassisOf(rows: Rows<typeof entPhysicalTable>): Row<typeof entPhysicalTable> | null {
  const entities = [...rows.entries()]
    .map(([index, row]) => ({ index: Number(index), row }))
    .sort((a, b) => a.index - b.index)
  const stacks = new Set(entities.filter(({ row }) => row.entPhysicalClass === STACK).map(({ index }) => index))
  const outermost = entities.filter(({ row }) => {
    const parent = row.entPhysicalContainedIn ?? 0
    return parent === 0 || stacks.has(parent)
  })
  const named = outermost.filter(({ row }) => row.entPhysicalSerialNum || row.entPhysicalModelName)
  const chassis =
    named.find(({ row }) => row.entPhysicalClass === CHASSIS) ?? named.find(({ row }) => row.entPhysicalClass !== STACK)
  return (chassis ?? named[0] ?? outermost[0])?.row ?? null
}
