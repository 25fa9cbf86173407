import type { MibTable, Rows } from '@portlight/snmp/table.ts'
import { entAliasMappingTable, type entPhysicalTable } from '../../mibs/entity-mib.ts'
import { ifXTable } from '../../mibs/if-mib.ts'
import { ENTITIES } from '../inventory/chassis.ts'
import { portsOfEntities } from '../inventory/entity-ports.ts'
import { type FollowUp, need, type PhaseInput, phase, type TableNeed } from '../module.ts'
import { entityTransceivers, interfaceName, pluggables } from './entities.ts'
import type { Interfaces } from './interfaces.ts'
import type { TransceiverRow } from './observation.ts'
import { type Source, sourcesOf } from './vendors.ts'

const ALIASES = need(entAliasMappingTable)
const NAMES = need(ifXTable, ['ifName'])

type Followed = Pick<PhaseInput, 'followed'>['followed']

/**
 * Pluggable optics. There is no standard table, so the first of the vendor's own tables that has modules is used, and
 * otherwise the physical entities (ENTITY-MIB) are searched.
 */
export const discoverTransceivers = phase({
  tables: { entities: ENTITIES },
  *follow({ device, tables: { entities }, followed }): Iterable<FollowUp<Record<string, TableNeed>>> {
    if (entities.rows.size > 0) yield { key: 'aliases', tables: { aliases: ALIASES } }
    let own = false
    for (const [i, source] of sourcesOf(device).entries()) {
      yield { key: `optics ${i}`, tables: { optics: source.optics } }
      const optics = followed.get(`optics ${i}`)?.tables['optics']
      if (!optics?.supported) continue
      own = true
      if (source.names) yield { key: 'names', tables: { names: NAMES } }
      if (rowsOf(source, optics.rows as Rows<MibTable>, interfacesOf(followed)).length > 0) return
    }
    if (!own && isNamed(entities.rows)) yield { key: 'names', tables: { names: NAMES } }
  },
  run({ device, tables: { entities }, followed }) {
    const interfaces = interfacesOf(followed)
    let complete = entities.complete && (followed.get('aliases')?.tables['aliases']?.complete ?? true)
    let own = false
    for (const [i, source] of sourcesOf(device).entries()) {
      const optics = followed.get(`optics ${i}`)?.tables['optics']
      if (optics === undefined) continue
      complete &&= optics.complete
      own ||= optics.supported
      const rows = rowsOf(source, optics.rows as Rows<MibTable>, interfaces)
      if (rows.length > 0) return [{ kind: 'transceivers', complete, rows }]
    }
    return [{ kind: 'transceivers', complete, rows: own ? [] : entityTransceivers(entities.rows, interfaces) }]
  },
})

function rowsOf(source: Source, optics: Rows<MibTable>, interfaces: Interfaces): readonly TransceiverRow[] {
  return [...optics].flatMap(([index, row]) => source.row(index, row, interfaces) ?? [])
}

function interfacesOf(followed: Followed): Interfaces {
  const aliases = followed.get('aliases')?.tables?.['aliases']
  const names = followed.get('names')?.tables?.['names']?.rows as Rows<typeof ifXTable> | undefined
  return {
    ofEntity: portsOfEntities(aliases?.rows as Rows<typeof entAliasMappingTable> | undefined),
    byName: new Map([...(names ?? [])].map(([index, { ifName }]) => [ifName ?? '', Number(index)])),
  }
}

/** Whether a pluggable module among the entities has the name of an interface. */
function isNamed(entities: Rows<typeof entPhysicalTable>): boolean {
  return [...pluggables(entities).values()].some((entity) => interfaceName(entity) !== null)
}
