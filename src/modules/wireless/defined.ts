import type { HealthDefinition, SensorEntry } from '../../definitions/health.ts'
import { isWirelessClass, type WirelessClass } from '../../lib/wireless-classes.ts'
import { type DefinedRow, rowsOf } from '../defined/rows.ts'
import { described } from '../defined/sensors.ts'
import type { Read } from '../module.ts'
import type { WirelessRow } from './observation.ts'
import { shownValue } from './poll.ts'

/** Rows of one entry that together form one sensor. */
interface Group {
  readonly entry: SensorEntry
  readonly sensorClass: WirelessClass
  readonly index: string
  readonly first: DefinedRow
  readonly oids: string[]
  readonly values: number[]
}

/**
 * The wireless sensors that a definition finds in what was read. Rows of an entry with the same class and index form
 * one sensor with their sum, mean or number, for example the clients of one SSID on several radios. If two entries find
 * the same sensor, the first one wins.
 */
export function wirelessRows(definition: HealthDefinition, read: Read): readonly WirelessRow[] {
  const rows = new Map<string, WirelessRow>()
  for (const entry of definition.wireless) {
    for (const group of groupsOf(definition, entry, read)) {
      const row = wirelessRow(definition, group, read)
      const key = row === null ? '' : `${row.sensor_class} ${row.sensor_type} ${row.sensor_index}`
      if (row !== null && !rows.has(key)) rows.set(key, row)
    }
  }
  return [...rows.values()]
}

function groupsOf(definition: HealthDefinition, entry: SensorEntry, read: Read): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const row of rowsOf(definition, entry, entry.values[0] ?? '', read)) {
    const sensorClass = row.text(entry.class)
    const isCount = entry.aggregator === 'count'
    const known = entry.values.filter((name) => (isCount ? row.lookup(name) !== undefined : row.number(name) !== null))
    if (sensorClass === null || !isWirelessClass(sensorClass) || known.length === 0) continue
    const index = row.text(entry.index) ?? row.index ?? '0'
    const key = `${sensorClass} ${index}`
    if (entry.aggregator === 'first' && groups.has(key)) continue
    const group = groups.get(key) ?? { entry, sensorClass, index, first: row, oids: [], values: [] }
    groups.set(key, group)
    for (const name of known) {
      group.oids.push(row.oid(name))
      group.values.push(isCount ? 1 : (row.number(name) ?? 0))
    }
  }
  return groups.values()
}

/** A count of rows that were not all read says nothing, so nothing is polled for it until they are. */
const isUncounted = ({ aggregator, table }: SensorEntry, { tables }: Read): boolean =>
  aggregator === 'count' && table !== null && tables[table]?.complete !== true

function wirelessRow(definition: HealthDefinition, group: Group, read: Read): WirelessRow | null {
  const { entry, sensorClass, index, first } = group
  const [oids, values] = isUncounted(entry, read) ? [[], []] : [group.oids, group.values]
  const divisor = first.amount(entry.divisor)
  const multiplier = first.amount(entry.multiplier)
  if (divisor === null || divisor === 0 || multiplier === null) return null
  const limit = (amount: SensorEntry['limits']['high']): number | null => {
    const given = first.amount(amount)
    return given === null || typeof amount === 'number' || !entry.limits.scaled ? given : (given * multiplier) / divisor
  }
  const aggregator = entry.aggregator === 'first' ? 'sum' : entry.aggregator
  const shown = { sensor_class: sensorClass, sensor_divisor: divisor, sensor_multiplier: multiplier }
  return {
    ...shown,
    sensor_type: entry.type ?? definition.name,
    sensor_index: index,
    sensor_descr: described(entry, first) ?? `${sensorClass} ${index}`,
    sensor_aggregator: aggregator,
    sensor_oids: JSON.stringify(oids.map((oid) => `.${oid}`)),
    sensor_current: shownValue({ ...shown, sensor_aggregator: aggregator }, values),
    sensor_limit: limit(entry.limits.high),
    sensor_limit_warn: limit(entry.limits.warn),
    sensor_limit_low: limit(entry.limits.low),
    sensor_limit_low_warn: limit(entry.limits.lowWarn),
    entPhysicalIndex: first.text(entry.entity),
    entPhysicalIndex_measured: entry.measured,
  }
}
