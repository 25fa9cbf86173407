import { col, type MibScalar, mibTable, scalar } from '@portlight/snmp/table.ts'
import type { HealthDefinition, HealthScope, TableSource } from '../../definitions/health.ts'
import { type HealthCatalogue, healthFor, isByBranch } from '../../definitions/health-catalogue.ts'
import { type LoadedDefinitions, NO_DEFINITIONS } from '../../librenms/store.ts'
import { ifTable, ifXTable } from '../../mibs/if-mib.ts'
import { ENTITIES } from '../inventory/chassis.ts'
import { LAST } from '../loaded/detect.ts'
import { formOf } from '../loaded/rules.ts'
import {
  type DeviceFacts,
  type FollowUp,
  isComplete,
  need,
  type Phase,
  type PhaseInput,
  type Read,
  type TableNeed,
  type Tables,
} from '../module.ts'
import type { Observation } from '../observation.ts'
import { withoutIgnored } from '../storage/ignored.ts'
import { wirelessRows } from '../wireless/defined.ts'
import { sensorRows } from './sensors.ts'
import { mempoolRows, processorRows, storageRows } from './usages.ts'

/** Health data from definitions. Kinds that none of the device's definitions mention are not observed. */
export function discoverDefined(
  catalogue: HealthCatalogue,
  open: (folder: unknown) => LoadedDefinitions = () => NO_DEFINITIONS,
): Phase {
  let probes: Readonly<Record<string, MibScalar>> | null = null
  return {
    get scalars() {
      probes ??= probesOf(catalogue.scopes())
      return probes
    },
    follow: (input) =>
      applying(catalogue, input).flatMap((scope) => {
        const definition = catalogue.definition(scope)
        const taken = takenFrom(scope, input.device, open)
        return kindsOf(definition).every((kind) => taken.has(kind)) ? [] : [followUp(definition)]
      }),
    run(input) {
      const found: Observation[] = []
      for (const scope of catalogue.scopes()) {
        const read = input.followed.get(scope.name)
        if (read !== undefined) {
          const taken = takenFrom(scope, input.device, open)
          const observed = [...observe(catalogue.definition(scope), read, input.device)]
          found.push(...observed.filter(({ kind }) => !taken.has(kind)))
        }
        // The probes went unanswered, so nothing is known and the stored rows are kept.
        else if (scope.probe !== null && !input.scalarsComplete)
          found.push(...observe(catalogue.definition(scope), UNREAD, input.device))
      }
      return found
    },
  }
}

const UNREAD: Read = { tables: {}, scalars: {}, scalarsComplete: false }

/** The definitions' probes, asked of every device: one request shows which definitions are worth reading. */
function probesOf(definitions: readonly HealthScope[]): Readonly<Record<string, MibScalar>> {
  return Object.fromEntries(
    definitions.flatMap(({ name, probe }) =>
      probe === null ? [] : [[name, scalar(`${name} probe`, probe, 'DisplayString')] as const],
    ),
  )
}

/**
 * The kinds that a definition must not observe on a device: those that the loaded file of the device's OS has, if the
 * definition names other systems and applies only because theirs have the same branch of sysObjectID.
 */
function takenFrom(
  scope: HealthScope,
  device: DeviceFacts,
  open: (folder: unknown) => LoadedDefinitions,
): ReadonlySet<string> {
  if (!isByBranch(scope, device)) return NONE
  const form = formOf(open, device)
  // the systems of last resort say nothing about the vendor
  if (form === null || LAST.includes(form.os)) return NONE
  return new Set((['sensors', 'processors', 'mempools', 'storage'] as const).filter((kind) => form[kind].length > 0))
}

const NONE: ReadonlySet<string> = new Set()

function kindsOf({ sensors, wireless, processors, mempools, storage }: HealthDefinition): readonly string[] {
  const kinds = { sensors, wireless, processors, mempools, storage }
  return Object.entries(kinds).flatMap(([kind, entries]) => (entries.length > 0 ? [kind] : []))
}

/** The definitions that apply to a device and whose probe, if any, was answered. */
function applying(catalogue: HealthCatalogue, input: Pick<PhaseInput, 'device' | 'scalars'>): readonly HealthScope[] {
  return healthFor(catalogue.scopes(), input.device).filter(
    ({ name, probe }) => probe === null || input.scalars[name] !== undefined,
  )
}

function followUp(definition: HealthDefinition): FollowUp {
  const read = needs.get(definition) ?? needsOf(definition)
  needs.set(definition, read)
  return { key: definition.name, ...read }
}

const needs = new WeakMap<HealthDefinition, { readonly tables: Tables; readonly scalars: Record<string, MibScalar> }>()

export function needsOf(definition: HealthDefinition) {
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

/** Columns are read as text, because placeholders are text and a number in text is still a number. */
function tableNeed(source: TableSource): TableNeed {
  if (source.standard !== null) return STANDARD[source.standard]
  const columns = Object.entries(source.columns).map(([name, { id, syntax }]) => [name, col(id, syntax)] as const)
  return need(mibTable(source.name, source.entry, Object.fromEntries(columns)))
}

/** A set is complete if everything that the definition reads was read to the end. */
function* observe(
  definition: HealthDefinition,
  read: Read,
  { settings, os }: DeviceFacts,
): Generator<Observation, void, void> {
  const complete = isComplete(read)
  if (definition.sensors.length > 0) yield { kind: 'sensors', complete, rows: sensorRows(definition, read, os) }
  if (definition.wireless.length > 0) yield { kind: 'wireless', complete, rows: wirelessRows(definition, read) }
  if (definition.processors.length > 0) yield { kind: 'processors', complete, rows: processorRows(definition, read) }
  if (definition.mempools.length > 0) yield { kind: 'mempools', complete, rows: mempoolRows(definition, read) }
  if (definition.storage.length > 0) {
    yield { kind: 'storage', complete, rows: withoutIgnored(storageRows(definition, read), settings) }
  }
}
