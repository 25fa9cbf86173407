import type { HealthDefinition, SensorEntry } from '../../definitions/health.ts'
import { converted } from '../../lib/conversions.ts'
import { isSensorClass } from '../../lib/sensor-classes.ts'
import { STATE_TEXT, stateOfText } from '../../lib/text-readings.ts'
import { withLimits } from '../guessed-limits.ts'
import type { Read } from '../module.ts'
import type { SensorRow } from '../observation.ts'
import { SENSOR_HOOKS } from './hooks.ts'
import { type DefinedRow, rowsOf } from './rows.ts'

/**
 * The sensors that a definition finds in what was read. Their type is the OS unless the entry names another. If two
 * entries find the same sensor, the first one wins. Of rows of one entry with the same class, type and index, as of a
 * table whose index has a part that the entry leaves out, the last one wins.
 */
export function sensorRows(definition: HealthDefinition, read: Read, os: string | null): readonly SensorRow[] {
  const found = new Map<string, SensorRow>()
  const objects = new Set<string>()
  for (const entry of definition.sensors) {
    const own = new Map<string, SensorRow>()
    for (const sensor of rowsOfEntry(definition, entry, read, os))
      own.set(`${sensor.sensor_class} ${sensor.sensor_type} ${sensor.sensor_index}`, sensor)
    for (const [key, sensor] of own) {
      const object = `${sensor.sensor_class} ${sensor.sensor_oid}`
      if (found.has(key) || objects.has(object)) continue
      found.set(key, sensor)
      objects.add(object)
    }
  }
  return [...found.values()]
}

/** The sensors that a definition finds, with those that share class, type and index or read the same object. */
export function* everySensorRow(definition: HealthDefinition, read: Read, os: string | null): Generator<SensorRow> {
  for (const entry of definition.sensors) yield* rowsOfEntry(definition, entry, read, os)
}

function* rowsOfEntry(
  definition: HealthDefinition,
  entry: SensorEntry,
  read: Read,
  os: string | null,
): Generator<SensorRow> {
  const type = os === null || os === 'generic' ? definition.name : os
  const name = entry.values[0] ?? ''
  for (const row of rowsOf(definition, entry, name, read)) {
    const sensor = sensorRow(type, entry, name, row, read)
    if (sensor !== null) yield sensor
  }
}

function sensorRow(type: string, entry: SensorEntry, name: string, row: DefinedRow, read: Read): SensorRow | null {
  const named = stateText(entry, row.lookup(name))
  const value = named ?? row.number(name)
  const sensorClass = row.text(entry.class)
  const [divisor, multiplier] = factors(entry, row)
  if (value === null || sensorClass === null || !isSensorClass(sensorClass)) return null
  if (divisor === null || divisor === 0 || multiplier === null) return null
  const index = row.text(entry.index) ?? row.index ?? '0'
  const limit = (amount: SensorEntry['limits']['high']): number | null => {
    const given = row.amount(amount)
    if (given === null || typeof amount === 'number' || !entry.limits.scaled) return given
    return converted(entry.convert, (given * multiplier) / divisor)
  }
  // Agents send 0 for a temperature without an upper limit.
  const limitOf = (amount: SensorEntry['limits']['high']): number | null =>
    sensorClass === 'temperature' && row.amount(amount) === 0 ? null : limit(amount)
  const found: SensorRow = {
    sensor_class: sensorClass,
    sensor_type: entry.type ?? type,
    sensor_index: index,
    sensor_oid: row.oid(name),
    sensor_descr: described(entry, row) ?? `${sensorClass} ${index}`,
    group: row.text(entry.group),
    sensor_divisor: divisor,
    sensor_multiplier: multiplier,
    sensor_current: converted(entry.convert, (value * multiplier) / divisor),
    sensor_limit: limitOf(entry.limits.high),
    sensor_limit_warn: limitOf(entry.limits.warn),
    sensor_limit_low: limit(entry.limits.low),
    sensor_limit_low_warn: limit(entry.limits.lowWarn),
    entPhysicalIndex: row.text(entry.entity),
    entPhysicalIndex_measured: entry.measured,
    ...(entry.convert !== null && { user_func: entry.convert }),
    ...(named !== null && { user_func: STATE_TEXT }),
    ...(entry.states !== null && { states: entry.states }),
  }
  if (entry.hook === null) return withLimits(found)
  const input = { index: row.index, lookup: row.lookup, read, factor: multiplier / divisor }
  return withLimits(SENSOR_HOOKS[entry.hook](found, input))
}

/** Value of the state whose name the agent sends in place of a number; null: it does not, or no state has that name. */
function stateText(entry: SensorEntry, reported: string | undefined): number | null {
  if (entry.states === null || reported === undefined || Number.isFinite(Number(reported))) return null
  return stateOfText(reported, new Map(entry.states.values.map(({ descr, value }) => [descr.toLowerCase(), value])))
}

/** Divisor and multiplier of a row, including its exponent; whole numbers if those of the definition are. */
function factors(entry: SensorEntry, row: DefinedRow): readonly [divisor: number | null, multiplier: number | null] {
  const divisor = row.amount(entry.divisor)
  const multiplier = row.amount(entry.multiplier)
  if (entry.exponent.length === 0) return [divisor, multiplier]
  let exponent = 0
  for (const template of entry.exponent) exponent += row.amount(template) ?? 0
  if (exponent < 0) return [divisor === null ? null : divisor * 10 ** Math.min(15, -exponent), multiplier]
  return [divisor, multiplier === null ? null : multiplier * 10 ** Math.min(9, exponent)]
}

/** The first description that is not empty. */
export function described(entry: Pick<SensorEntry, 'descr'>, row: DefinedRow): string | null {
  for (const template of entry.descr) {
    const text = row.text(template)
    if (text !== null && text !== '') return text
  }
  return null
}
