import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { entAliasMappingTable, entPhysicalTable } from '../../mibs/entity-mib.ts'

type Entities = Rows<typeof entPhysicalTable>
type Entity = Row<typeof entPhysicalTable>

/**
 * The ifIndex column of IF-MIB, to which entAliasMappingIdentifier of a port points: as an OID, or as the text with
 * which some agents replace it (`ifIndex.7`).
 */
const IF_INDEX = /^(?:\.?1\.3\.6\.1\.2\.1\.2\.2\.1\.1|(?:IF-MIB::)?ifIndex)\.([1-9]\d{0,9})$/

/** ifIndex by entity, for entities with an interface of their own (entAliasMappingTable). */
export function portsOfEntities(aliases: Rows<typeof entAliasMappingTable> | undefined): ReadonlyMap<number, number> {
  const ports = new Map<number, number>()
  for (const [index, { entAliasMappingIdentifier: target }] of aliases ?? []) {
    const key = decodeIndex(index, ['integer', 'integer'])
    const ifIndex = Number(IF_INDEX.exec(target?.trim() ?? '')?.[1] ?? Number.NaN)
    if (key !== null && ifIndex <= 0x7fffffff && !ports.has(key[0])) ports.set(key[0], ifIndex)
  }
  return ports
}

/** Values of IANAPhysicalClass. */
const CONTAINER = 5
const MODULE = 9
const PORT = 10

/** How far to climb or descend: an optical sensor, its module, the cage, the port, and what some agents put between. */
const LEVELS = 6

/**
 * The interface of an entity: its own, or that of the nearest port or container around it. Modules are climbed through,
 * a chassis is not: what is in it belongs to no single port. Null: none.
 */
export function portAround(index: number, entities: Entities, ports: ReadonlyMap<number, number>): number | null {
  let at = index
  for (let level = 0; level <= LEVELS; level++) {
    const entity = entities.get(String(at))
    if (level > 0 && !isClimbed(entity)) return null
    const own = ports.get(at)
    // A module around something may be a line card, whose interface is only one of many in it.
    if (own !== undefined && (level === 0 || entity?.entPhysicalClass !== MODULE)) return own
    const parent = entity?.entPhysicalContainedIn ?? 0
    if (parent === 0 || parent === at) return null
    at = parent
  }
  return null
}

function isClimbed(entity: Entity | undefined): boolean {
  // Some agents leave out the class of some entities.
  const kind = entity?.entPhysicalClass
  return kind === undefined || kind === CONTAINER || kind === PORT || kind === MODULE
}

/** The entities directly inside each entity. */
export function partsOf(entities: Entities): ReadonlyMap<number, readonly number[]> {
  const parts = new Map<number, number[]>()
  for (const [index, { entPhysicalContainedIn: parent = 0 }] of entities) {
    const inside = parts.get(parent)
    if (inside === undefined) parts.set(parent, [Number(index)])
    else inside.push(Number(index))
  }
  return parts
}

/** The interface of a port inside an entity, at any depth; the first if there are several. Null: none. */
export function portInside(
  index: number,
  entities: Entities,
  parts: ReadonlyMap<number, readonly number[]>,
  ports: ReadonlyMap<number, number>,
): number | null {
  let level = [index]
  for (let depth = 0; depth < LEVELS && level.length > 0; depth++) {
    level = level.flatMap((at) => parts.get(at) ?? [])
    for (const part of level) {
      const port = entities.get(String(part))?.entPhysicalClass === PORT ? ports.get(part) : undefined
      if (port !== undefined) return port
    }
  }
  return null
}
