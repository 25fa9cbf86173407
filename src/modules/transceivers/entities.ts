import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { entPhysicalTable } from '../../mibs/entity-mib.ts'
import type { TransceiverRow } from './observation.ts'
import { reported, transceiver } from './row.ts'

type Entity = Row<typeof entPhysicalTable>

/** Values of IANAPhysicalClass. */
const CONTAINER = 5
const SENSOR = 8
const MODULE = 9
const PORT = 10

/**
 * CISCO-ENTITY-VENDORTYPE-OID-MIB: groups of cevModule that are pluggable optics (GBIC, SFP, X2, SFP+, 10G direct
 * attach, CFP, QSFP+, CPAK, CFP2, QSFP28, SFP25, SFP50, QSFP56).
 */
const CISCO_OPTICS = /^1\.3\.6\.1\.4\.1\.9\.12\.3\.1\.9\.(?:16|51|60|76|77|84|93|101|113|117|118|122|149|154)\.\d/

/** The same for cevContainer: cages for pluggable modules. */
const CISCO_CAGES =
  /^1\.3\.6\.1\.4\.1\.9\.12\.3\.1\.5\.(?:115|142|198|265|288|289|330|35[678]|36[5789]|37[012]|390|423)$/

const CAGE_NAME = /\b(?:transceivers?|xcvr|pluggable|gbic|x2|xenpak|xfp|q?sfp[a-z0-9+-]*|cfp\d?|cpak|cxp)(?![a-z])/i
const OPTICS_NAME = /\b(?:transceiver|xcvr|pluggable optics?)\b|^optics\b/i

/**
 * Pluggable modules among the physical entities (ENTITY-MIB, RFC 6933): modules and ports with a part number or serial
 * number whose vendor type, container or name shows that they are pluggable.
 */
export function entityTransceivers(
  entities: Rows<typeof entPhysicalTable>,
  ports: ReadonlyMap<number, number>,
): TransceiverRow[] {
  const found = [...entities].filter(([, entity]) => isPluggable(entity, parentOf(entities, entity)))
  const indexes = new Set(found.map(([index]) => index))
  return found.flatMap(([index, entity]) => {
    const key = decodeIndex(index, ['integer'])
    // Some agents show a module's EEPROM as an entity inside it, with the same numbers.
    if (key === null || indexes.has(String(entity.entPhysicalContainedIn))) return []
    const inside = [...entities].filter(([, part]) => String(part.entPhysicalContainedIn) === index)
    return transceiver({
      index,
      ifIndex: portOf(key[0], entity, inside, entities, ports),
      entity_physical_index: key[0],
      type: reported(entity.entPhysicalDescr) ?? reported(entity.entPhysicalName),
      vendor: reported(entity.entPhysicalMfgName),
      model: reported(entity.entPhysicalModelName),
      revision: reported(entity.entPhysicalHardwareRev),
      serial: reported(entity.entPhysicalSerialNum),
      ddm: inside.some(([, part]) => part.entPhysicalClass === SENSOR) ? 1 : null,
    })
  })
}

function isPluggable(entity: Entity, parent: Entity | undefined): boolean {
  const model = reported(entity.entPhysicalModelName)
  const serial = reported(entity.entPhysicalSerialNum)
  const named = OPTICS_NAME.test(entity.entPhysicalDescr ?? '') || OPTICS_NAME.test(entity.entPhysicalName ?? '')
  switch (entity.entPhysicalClass) {
    case MODULE:
    case PORT:
      if (model === null && serial === null) return false
      return CISCO_OPTICS.test(entity.entPhysicalVendorType ?? '') || named || isCage(parent)
    // On Arista devices a module and its slot are one entity.
    case CONTAINER:
      return model !== null && serial !== null && named
    default:
      return false
  }
}

function isCage(entity: Entity | undefined): boolean {
  if (entity?.entPhysicalClass !== CONTAINER) return false
  if (CISCO_CAGES.test(entity.entPhysicalVendorType ?? '')) return true
  return CAGE_NAME.test(entity.entPhysicalDescr ?? '') || CAGE_NAME.test(entity.entPhysicalName ?? '')
}

function parentOf(entities: Rows<typeof entPhysicalTable>, entity: Entity): Entity | undefined {
  return entities.get(String(entity.entPhysicalContainedIn))
}

/** The interface of the module itself, of a port inside it, or of the port or cage around it. */
function portOf(
  index: number,
  entity: Entity,
  inside: readonly (readonly [string, Entity])[],
  entities: Rows<typeof entPhysicalTable>,
  ports: ReadonlyMap<number, number>,
): number | null {
  const own = ports.get(index)
  if (own !== undefined) return own
  for (const [part, { entPhysicalClass }] of inside) {
    const port = entPhysicalClass === PORT ? ports.get(Number(part)) : undefined
    if (port !== undefined) return port
  }
  const around = parentOf(entities, entity)?.entPhysicalClass
  const holds = around === PORT || around === CONTAINER
  return (holds ? ports.get(entity.entPhysicalContainedIn ?? 0) : undefined) ?? null
}
