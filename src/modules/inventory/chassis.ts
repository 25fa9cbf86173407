import type { Row, Rows } from '@portlight/snmp/table.ts'
import { entPhysicalTable } from '../../mibs/entity-mib.ts'
import { need } from '../module.ts'

/** All of entPhysicalTable, as a single need so that modules that use it read it only once. */
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
 * The entity that represents the whole device: the first chassis that is outermost or directly inside a stack, else the
 * first outermost entity. Entities with a serial number or model name are preferred. Null if there are none.
 */
export function chassisOf(rows: Rows<typeof entPhysicalTable>): Row<typeof entPhysicalTable> | null {
  const entities = [...rows.entries()]
    .map(([index, row]) => ({ index: Number(index), row }))
    .sort((a, b) => a.index - b.index)
  const stacks = new Set(entities.filter(({ row }) => row.entPhysicalClass === STACK).map(({ index }) => index))
  const known = new Set(entities.map(({ index }) => index))
  const outermost = entities.filter(({ row }) => {
    const parent = row.entPhysicalContainedIn ?? 0
    // some agents put the outermost entity into one that they do not have
    return parent === 0 || stacks.has(parent) || !known.has(parent)
  })
  const named = outermost.filter(({ row }) => row.entPhysicalSerialNum || row.entPhysicalModelName)
  const chassis =
    named.find(({ row }) => row.entPhysicalClass === CHASSIS) ?? named.find(({ row }) => row.entPhysicalClass !== STACK)
  return (chassis ?? named[0] ?? outermost[0])?.row ?? null
}
