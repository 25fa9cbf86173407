import type { MibTable, Rows } from '@portlight/snmp/table.ts'
import { entAliasMappingTable, type entPhysicalTable } from '../../mibs/entity-mib.ts'
import { ifXTable } from '../../mibs/if-mib.ts'
import { jnxDomCurrentTable } from '../../mibs/juniper-dom-mib.ts'
import { ENTITIES } from '../inventory/chassis.ts'
import { portsOfEntities } from '../inventory/entity-ports.ts'
import { type FollowUp, need, type PhaseInput, phase, type TableNeed } from '../module.ts'
import { isFrom } from '../vendor.ts'
import { entityTransceivers, interfaceName, pluggables } from './entities.ts'
import type { Interfaces } from './interfaces.ts'
import type { TransceiverRow } from './observation.ts'
import { MAX_CHANNELS } from './row.ts'
import { type Source, sourcesOf } from './vendors.ts'

const ALIASES = need(entAliasMappingTable)
const LANES = need(jnxDomCurrentTable)
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
    if (own) return
    if (isNamed(entities.rows)) yield { key: 'names', tables: { names: NAMES } }
    if (isFrom(device, 'juniper') && pluggables(entities.rows).size > 0)
      yield { key: 'lanes', tables: { lanes: LANES } }
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
    const lanes = followed.get('lanes')?.tables['lanes']?.rows as Rows<typeof jnxDomCurrentTable> | undefined
    const rows = own ? [] : entityTransceivers(entities.rows, interfaces).map((row) => withLanes(row, lanes))
    return [{ kind: 'transceivers', complete, rows }]
  },
})

/** The module with the lanes that the agent counts; without a count it stays as it is. */
function withLanes(row: TransceiverRow, lanes: Rows<typeof jnxDomCurrentTable> | undefined): TransceiverRow {
  const count = lanes?.get(String(row.ifIndex))?.jnxDomCurrentModuleLaneCount ?? 0
  return count > 0 && count <= MAX_CHANNELS ? { ...row, channels: count } : row
}

function rowsOf(source: Source, optics: Rows<MibTable>, interfaces: Interfaces): readonly TransceiverRow[] {
  const modules = new Map<string, TransceiverRow>()
  for (const [index, row] of optics) {
    const found = source.row(index, row, interfaces)
    if (found === null) continue
    const known = modules.get(found.index)
    modules.set(found.index, { ...(known ?? found), channels: Math.max(found.channels, known?.channels ?? 1) })
  }
  return [...modules.values()]
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
