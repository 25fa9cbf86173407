import type { Row } from '@portlight/snmp/table.ts'
import type { ENTITIES } from '../inventory/chassis.ts'

type Entities = ReadonlyMap<string, Row<(typeof ENTITIES)['table']>>

/** Levels of containment to climb: a sensor, its container, a power supply, its slot and the chassis. */
const LEVELS = 6
const SUPPLY = /^PowerSupply ?(\d+)$/

/** Without `temp sensor`, `sensor` and the like at its end. In steps, since runs of spaces would be looked at again and again. */
function withoutSensor(descr: string): string {
  if (!/\ssensor$/i.test(descr)) return descr
  const left = descr.slice(0, -'sensor'.length).trimEnd()
  return left.replace(/\s(temp|temperature|current|voltage)$/i, '').trimEnd()
}

/**
 * Name and group of an EOS sensor. entPhysicalDescr shows what is measured (`Input current sensor`), and containment
 * shows which power supply it belongs to. The descriptions of voltages begin with the converter (`PwrCon1 Rail3`),
 * which becomes the group.
 */
export function aristaName(
  descr: string,
  index: string,
  entities: Entities | undefined,
): { readonly name: string; readonly group: string } {
  const [, converter, rail] = /^(\S*PwrCon\S*) (.+)$/.exec(descr) ?? []
  const supply = supplyOf(index, entities)
  const name = withoutSensor(rail ?? descr)
    .replace(/\bsensor\b/gi, '')
    .replace(/^Power ?Supply ?(?=\d)/i, 'PSU ')
    .trim()
  if (supply === null || name.startsWith('PSU ')) return { name, group: groupOf(name, converter) }
  const of = name.replace(/^power ?supply\b/i, '').trim()
  return { name: of === '' ? `PSU ${supply}` : `PSU ${supply} ${of}`, group: 'PSUs' }
}

function groupOf(name: string, converter: string | undefined): string {
  if (converter !== undefined) return converter.replace(/PwrCon$/, '') || converter
  if (name.startsWith('PSU ')) return 'PSUs'
  return name.startsWith('DOM ') ? 'SFPs' : 'System'
}

/** Number of the power supply that contains an entity; null: none does. */
function supplyOf(index: string, entities: Entities | undefined): string | null {
  let at = index
  for (let level = 0; level < LEVELS; level++) {
    const entity = entities?.get(at)
    const [, number] = SUPPLY.exec(entity?.entPhysicalDescr ?? '') ?? []
    if (number !== undefined) return number
    const parent = entity?.entPhysicalContainedIn
    if (parent === undefined || parent === 0) return null
    at = String(parent)
  }
  return null
}
