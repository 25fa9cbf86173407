import type { HealthDefinition, TableSource } from '../../definitions/health.ts'
import { healthFor } from '../../definitions/health-catalogue.ts'
import { ifTable, ifXTable } from '../../mibs/if-mib.ts'
import { col, type MibScalar, mibTable, scalar } from '../../snmp/table.ts'
import { ENTITIES } from '../inventory/chassis.ts'
import { type FollowUp, need, type Phase, type PhaseInput, type Read, type TableNeed, type Tables } from '../module.ts'
import type { Observation } from '../observation.ts'
import { wirelessRows } from '../wireless/defined.ts'
import { sensorRows } from './sensors.ts'
import { mempoolRows, processorRows, storageRows } from './usages.ts'

/** What the definitions say of a device's health; kinds that no definition speaks of are not observed. */
export function discoverDefined(definitions: readonly HealthDefinition[]): Phase {
  const probes = probesOf(definitions)
  return {
    scalars: probes,
    follow: (input) => applying(definitions, input).map((definition) => followUp(definition)),
    run(input) {
      const found: Observation[] = []
      for (const definition of definitions) {
        const read = input.followed.get(definition.name)
        if (read !== undefined) found.push(...observe(definition, read))
        // The probe was not answered, so that nothing is known: what is stored stays.
        else if (definition.probe !== null && !input.scalarsComplete) found.push(...observe(definition, UNREAD))
      }
      return found
    },
  }
}

const UNREAD: Read = { tables: {}, scalars: {}, scalarsComplete: false }

/** Probes of the definitions that are for every device: one request tells which of them are worth more. */
function probesOf(definitions: readonly HealthDefinition[]): Readonly<Record<string, MibScalar>> {
  return Object.fromEntries(
    definitions.flatMap(({ name, probe }) =>
      probe === null ? [] : [[name, scalar(`${name} probe`, probe, 'DisplayString')] as const],
    ),
  )
}

/** The definitions that are for a device and whose probe, if they have one, it answers. */
function applying(
  definitions: readonly HealthDefinition[],
  input: Pick<PhaseInput, 'device' | 'scalars'>,
): readonly HealthDefinition[] {
  return healthFor(definitions, input.device).filter(
    ({ name, probe }) => probe === null || input.scalars[name] !== undefined,
  )
}

function followUp(definition: HealthDefinition): FollowUp {
  const read = needs.get(definition) ?? needsOf(definition)
  needs.set(definition, read)
  return { key: definition.name, ...read }
}

const needs = new WeakMap<HealthDefinition, { readonly tables: Tables; readonly scalars: Record<string, MibScalar> }>()

function needsOf(definition: HealthDefinition) {
  const tables: Record<string, TableNeed> = {}
  for (const [name, source] of Object.entries(definition.tables)) tables[name] = tableNeed(source)
  const scalars: Record<string, MibScalar> = {}
  for (const [name, oid] of Object.entries(definition.scalars)) scalars[name] = scalar(name, oid, 'DisplayString')
  return { tables, scalars }
}

const STANDARD = {
  entPhysicalTable: ENTITIES,
  ifTable: need(ifTable, ['ifDescr', 'ifOperStatus']),
  ifXTable: need(ifXTable, ['ifName', 'ifAlias']),
}

/** Columns are read as text, because places are text; whatever is a number is one there. */
function tableNeed(source: TableSource): TableNeed {
  if (source.standard !== null) return STANDARD[source.standard]
  const columns = Object.entries(source.columns).map(([name, { id, syntax }]) => [name, col(id, syntax)] as const)
  return need(mibTable(source.name, source.entry, Object.fromEntries(columns)))
}

/** A set is complete when all that the definition reads was read to its end. */
function* observe(definition: HealthDefinition, read: Read): Generator<Observation, void, void> {
  const complete = read.scalarsComplete && Object.values(read.tables).every((table) => table.complete)
  if (definition.sensors.length > 0) yield { kind: 'sensors', complete, rows: sensorRows(definition, read) }
  if (definition.wireless.length > 0) yield { kind: 'wireless', complete, rows: wirelessRows(definition, read) }
  if (definition.processors.length > 0) yield { kind: 'processors', complete, rows: processorRows(definition, read) }
  if (definition.mempools.length > 0) yield { kind: 'mempools', complete, rows: mempoolRows(definition, read) }
  if (definition.storage.length > 0) yield { kind: 'storage', complete, rows: storageRows(definition, read) }
}
