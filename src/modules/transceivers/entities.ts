import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { entPhysicalTable } from '../../mibs/entity-mib.ts'
import { partsOf, portAround, portInside } from '../inventory/entity-ports.ts'
import type { Interfaces } from './interfaces.ts'
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
 * attach, CFP, QSFP+, CPAK, CXP, CFP2, QSFP28, SFP25, 270G CXP, QSFP-DD, SFP50, QSFP56).
 */
const CISCO_OPTICS =
  /^1\.3\.6\.1\.4\.1\.9\.12\.3\.1\.9\.(?:16|51|60|76|77|84|93|101|106|113|117|118|122|134|139|149|154)\.\d/

/** The same for cevContainer: cages for pluggable modules. */
const CISCO_CAGES =
  /^1\.3\.6\.1\.4\.1\.9\.12\.3\.1\.5\.(?:105|106|115|142|171|198|265|288|289|330|35[678]|36[5789]|37[012]|390|423)$/

const CAGE_NAME = /\b(?:transceivers?|xcvr|pluggable|gbic|x2|xenpak|xfp|q?sfp[a-z0-9+-]*|cfp\d?|cpak|cxp)(?![a-z])/i
const OPTICS_NAME = /\b(?:transceiver|xcvr|pluggable optics?)\b|^optics\b/i

/** An interface name as agents give it to a port: letters, then numbers (`Ethernet52`, `xe-0/0/1`). */
const INTERFACE_NAME = /^[a-z][a-z-]*\d[\d/:.-]*$/i

/** Entities that are pluggable modules, by index. */
export function pluggables(entities: Rows<typeof entPhysicalTable>): ReadonlyMap<string, Entity> {
  const found = new Map([...entities].filter(([, entity]) => isPluggable(entity, parentOf(entities, entity))))
  for (const [index, entity] of found) {
    // Some agents show a module's EEPROM as an entity inside it, with the same numbers.
    const around = String(entity.entPhysicalContainedIn)
    if (around !== index && found.has(around)) found.delete(index)
  }
  return found
}

/**
 * The interface's name that the agent gives to a module: as its alias, or as the name of an entity that is the port
 * itself. Null: none.
 */
export function interfaceName({ entPhysicalAlias, entPhysicalName, entPhysicalClass }: Entity): string | null {
  const named = [entPhysicalAlias, entPhysicalClass === PORT ? entPhysicalName : undefined]
  return named.find((name) => INTERFACE_NAME.test(name ?? '')) ?? null
}

/**
 * Pluggable modules among the physical entities (ENTITY-MIB, RFC 6933): modules and ports with a part number or serial
 * number whose vendor type, container or name shows that they are pluggable.
 */
export function entityTransceivers(
  entities: Rows<typeof entPhysicalTable>,
  { ofEntity, byName }: Interfaces,
): TransceiverRow[] {
  const parts = partsOf(entities)
  return [...pluggables(entities)].flatMap(([index, entity]) => {
    const key = decodeIndex(index, ['integer'])
    if (key === null) return []
    const inside = (parts.get(key[0]) ?? []).map((part) => entities.get(String(part)))
    return transceiver({
      index,
      ifIndex:
        ofEntity.get(key[0]) ??
        portInside(key[0], entities, parts, ofEntity) ??
        portAround(key[0], entities, ofEntity) ??
        byName.get(interfaceName(entity) ?? '') ??
        null,
      entity_physical_index: key[0],
      type: typeOf(entity.entPhysicalDescr) ?? reported(entity.entPhysicalName),
      vendor: reported(entity.entPhysicalMfgName),
      model: reported(entity.entPhysicalModelName),
      revision: reported(entity.entPhysicalHardwareRev),
      serial: reported(entity.entPhysicalSerialNum),
      ddm: inside.some((part) => part?.entPhysicalClass === SENSOR) ? 1 : null,
    })
  })
}

/** The description without the place that Junos Evolved adds to it (`QSFP-100G-LR4 @ /Chassis[0]/Fpc[0]/...`). */
function typeOf(descr: string | undefined): string | null {
  return reported(descr?.replace(/ @ \/.*$/, ''))
}

function isPluggable(entity: Entity, parent: Entity | undefined): boolean {
  const model = reported(entity.entPhysicalModelName)
  const serial = reported(entity.entPhysicalSerialNum)
  const named = OPTICS_NAME.test(entity.entPhysicalDescr ?? '') || OPTICS_NAME.test(entity.entPhysicalName ?? '')
  switch (entity.entPhysicalClass) {
    case MODULE:
    case PORT:
      if (model === null && serial === null) return false
      if (entity.entPhysicalClass === PORT && model !== null && serial !== null && isFormFactor(entity)) return true
      return CISCO_OPTICS.test(entity.entPhysicalVendorType ?? '') || named || isCage(parent)
    // On Arista devices a module and its slot are one entity.
    case CONTAINER:
      return model !== null && serial !== null && named
    default:
      return false
  }
}

/** Whether a port with numbers of its own is described by the form factor of what is plugged into it. */
function isFormFactor({ entPhysicalDescr, entPhysicalName }: Entity): boolean {
  return CAGE_NAME.test(entPhysicalDescr ?? '') || CAGE_NAME.test(entPhysicalName ?? '')
}

function isCage(entity: Entity | undefined): boolean {
  if (entity?.entPhysicalClass !== CONTAINER) return false
  if (CISCO_CAGES.test(entity.entPhysicalVendorType ?? '')) return true
  return CAGE_NAME.test(entity.entPhysicalDescr ?? '') || CAGE_NAME.test(entity.entPhysicalName ?? '')
}

function parentOf(entities: Rows<typeof entPhysicalTable>, entity: Entity): Entity | undefined {
  return entities.get(String(entity.entPhysicalContainedIn))
}
