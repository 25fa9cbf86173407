import type { HealthDefinition, Rowed, SensorEntry } from '../../src/definitions/health.ts'
import { HEALTH, healthFor } from '../../src/definitions/health-catalogue.ts'
import { isSensorClass } from '../../src/lib/sensor-classes.ts'
import { isWirelessClass } from '../../src/lib/wireless-classes.ts'
import { needsOf } from '../../src/modules/defined/discover.ts'
import { type DefinedRow, rowsOf } from '../../src/modules/defined/rows.ts'
import { everySensorRow } from '../../src/modules/defined/sensors.ts'
import type { Read } from '../../src/modules/module.ts'
import { type Discovered, Range, readNeeds } from './discover.ts'
import type { Outcome, Rule } from './outcome.ts'
import type { RecordedDevice } from './recordings.ts'
import { shownOf } from './shown.ts'

/** What became of every instance that our definitions for a device name and the device has. */
export async function ownOutcomes(recorded: RecordedDevice, discovered: Discovered): Promise<readonly Outcome[]> {
  const shown = shownOf(discovered.observations)
  const range = new Range(recorded.values)
  const outcomes: Outcome[] = []
  for (const scope of healthFor(HEALTH.scopes(), discovered.device)) {
    const definition = HEALTH.definition(scope)
    const probed = scope.probe === null || recorded.values.has(scope.probe)
    const read = await readNeeds(recorded, needsOf(definition))
    const { os } = discovered.device
    const sharing = [...everySensorRow(definition, read, os)].filter(shown.hasKey)
    const taken = new Set(sharing.map(({ sensor_oid }) => sensor_oid))
    for (const named of namesOf(definition)) {
      const rules = rulesOf(definition, named, read)
      for (const oid of instancesOf(definition, named, range, recorded)) {
        const sameKey: Rule | null = named.kind === 'sensors' && taken.has(oid) ? 'sameKey' : null
        const found: Rule | null = shown.rule(named.kind, oid) ?? sameKey
        outcomes.push({
          device: recorded.name,
          system: discovered.device.os ?? '',
          definition: definition.name,
          source: 'own',
          kind: named.kind,
          oid,
          rule: found ?? (probed ? (rules.get(oid) ?? 'condition') : 'noProbe'),
        })
      }
    }
  }
  return outcomes
}

/** An object that an entry shows. */
interface NamedValue {
  readonly kind: Outcome['kind']
  readonly entry: Rowed
  readonly name: string
  /** Null for usages. */
  readonly sensor: SensorEntry | null
  readonly fallback: boolean
  /** Object with the size of a pool or disk; null: none. */
  readonly size: string | null
}

function* namesOf(definition: HealthDefinition): Generator<NamedValue, void, void> {
  for (const kind of ['sensors', 'wireless'] as const)
    for (const entry of definition[kind])
      for (const name of entry.values) yield { kind, entry, name, sensor: entry, fallback: false, size: null }
  for (const entry of definition.processors)
    yield { kind: 'processors', entry, name: entry.value, sensor: null, fallback: entry.fallback, size: null }
  for (const kind of ['mempools', 'storage'] as const)
    for (const entry of definition[kind])
      for (const name of [entry.used, entry.free, entry.percent].flatMap((one) => one ?? []).slice(0, 1))
        yield {
          kind,
          entry,
          name,
          sensor: null,
          fallback: entry.fallback,
          size: 'size' in entry ? entry.size : entry.total,
        }
}

function instancesOf(
  { tables, scalars }: HealthDefinition,
  { entry, name }: NamedValue,
  range: Range,
  { values }: RecordedDevice,
): readonly string[] {
  const source = entry.table === null ? undefined : tables[entry.table]
  const column = source === undefined || source.standard !== null ? undefined : source.columns[name]
  if (source !== undefined && source.standard === null && column !== undefined) {
    const oid = `${source.entry}.${column.id}`
    return [...range.below(oid).keys()].map((index) => `${oid}.${index}`)
  }
  const oid = scalars[name]
  return oid !== undefined && values.has(oid) ? [oid] : []
}

/** The rule for each row that meets the conditions of an entry, by the OID of its value. */
function rulesOf(definition: HealthDefinition, named: NamedValue, read: Read): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>()
  for (const row of rowsOf(definition, named.entry, named.name, read))
    rules.set(row.oid(named.name), ruleOf(named, row))
  return rules
}

function ruleOf({ kind, sensor, name, fallback, size }: NamedValue, row: DefinedRow): Rule {
  if (row.number(name) === null) return 'noNumber'
  if (fallback) return 'fallback'
  if (sensor === null) return size !== null && (row.number(size) ?? 0) === 0 ? 'noSize' : 'unexplained'
  const sensorClass = row.text(sensor.class)
  if (sensorClass === null || !(kind === 'wireless' ? isWirelessClass(sensorClass) : isSensorClass(sensorClass)))
    return 'noClass'
  const divisor = row.amount(sensor.divisor)
  if (divisor === null || divisor === 0 || row.amount(sensor.multiplier) === null) return 'noFactor'
  if (sensor.index !== null && row.text(sensor.index) === null) return 'noText'
  return sensor.aggregator === 'first' ? 'sameKey' : 'unexplained'
}
