import type { MibTable, Rows } from '@portlight/snmp/table.ts'
import { entAliasMappingTable } from '../../mibs/entity-mib.ts'
import { ifXTable } from '../../mibs/if-mib.ts'
import { ENTITIES } from '../inventory/chassis.ts'
import { portsOfEntities } from '../inventory/entity-ports.ts'
import { type FollowUp, need, phase, type TableNeed } from '../module.ts'
import { entityTransceivers } from './entities.ts'
import { sourcesOf } from './vendors.ts'

/**
 * Pluggable optics. There is no standard table, so the vendor's own is used if it has one, and otherwise the physical
 * entities (ENTITY-MIB) are searched.
 */
export const discoverTransceivers = phase({
  tables: { entities: ENTITIES },
  follow({ device, tables }) {
    const more: FollowUp<Record<string, TableNeed>, Record<string, never>>[] = []
    if (tables.entities.rows.size > 0) more.push({ key: 'ports', tables: { aliases: need(entAliasMappingTable) } })
    const sources = sourcesOf(device)
    for (const [i, { optics }] of sources.entries()) more.push({ key: `optics ${i}`, tables: { optics } })
    if (sources.some(({ names }) => names)) more.push({ key: 'names', tables: { names: need(ifXTable, ['ifName']) } })
    return more
  },
  run({ device, tables: { entities }, followed }) {
    const aliases = followed.get('ports')?.tables['aliases']
    const ofEntity = portsOfEntities(aliases?.rows as Rows<typeof entAliasMappingTable> | undefined)
    const names = followed.get('names')?.tables['names']?.rows as Rows<typeof ifXTable> | undefined
    const byName = new Map([...(names ?? [])].map(([index, { ifName }]) => [ifName ?? '', Number(index)]))
    let complete = entities.complete && (aliases?.complete ?? true)
    for (const [i, source] of sourcesOf(device).entries()) {
      const optics = followed.get(`optics ${i}`)?.tables['optics']
      if (optics === undefined) continue
      complete &&= optics.complete
      if (!optics.supported) continue
      const rows = [...(optics.rows as Rows<MibTable>)].flatMap(
        ([index, row]) => source.row(index, row, { ofEntity, byName }) ?? [],
      )
      return [{ kind: 'transceivers', complete, rows }]
    }
    return [{ kind: 'transceivers', complete, rows: entityTransceivers(entities.rows, ofEntity) }]
  },
})
