import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { entAliasMappingTable } from '../../mibs/entity-mib.ts'

/** The ifIndex column of IF-MIB; for a port, entAliasMappingIdentifier points to it. */
const IF_INDEX = '1.3.6.1.2.1.2.2.1.1.'

/** ifIndex by entity, for entities with an interface of their own (entAliasMappingTable). */
export function portsOfEntities(aliases: Rows<typeof entAliasMappingTable> | undefined): ReadonlyMap<number, number> {
  const ports = new Map<number, number>()
  for (const [index, { entAliasMappingIdentifier: target }] of aliases ?? []) {
    const key = decodeIndex(index, ['integer', 'integer'])
    const ifIndex = target?.startsWith(IF_INDEX) ? Number(target.slice(IF_INDEX.length)) : Number.NaN
    if (key !== null && Number.isInteger(ifIndex) && !ports.has(key[0])) ports.set(key[0], ifIndex)
  }
  return ports
}
