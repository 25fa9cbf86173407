import { STATE_TEXT, textReading } from '../../lib/text-readings.ts'
import { FUNCTIONS } from '../../lib/value-functions.ts'
import type { FormOs, FormSensor, FormWalk } from '../../librenms/form.ts'
import { withLimits } from '../guessed-limits.ts'
import type { SensorRow } from '../observation.ts'
import type { Cells } from './cells.ts'
import { evaluate, filledByIndex, type RowFields } from './fields.ts'
import { firstNumber, isNumberLike, numberOf } from './numbers.ts'
import { isOid } from './plan.ts'
import { type DeviceFields, isSkipped, ownColumns, rowAt } from './rows.ts'

/** Limit of sensors per definition; more than any device has. */
const MAX_SENSORS = 50_000
/**
 * Limit of rows of all items together: reading the largest possible table for each of a hundred items would take
 * minutes.
 */
const MAX_ROWS = 1_000_000

/** The sensors that a definition finds. If several have the same class, type and index, the last one wins. */
export function loadedSensors(form: FormOs, cells: Cells, device: DeviceFields): readonly SensorRow[] {
  const found = new Map<string, SensorRow>()
  for (const sensor of everySensor(form, cells, device)) {
    found.set(`${sensor.sensor_class} ${sensor.sensor_type} ${sensor.sensor_index}`, sensor)
    if (found.size >= MAX_SENSORS) break
  }
  return [...found.values()]
}

/** The sensors that a definition finds, with those that share class, type and index. */
export function* everySensor(form: FormOs, cells: Cells, device: DeviceFields): Generator<SensorRow, void, void> {
  let rows = 0
  const walks = new Map(form.walks.map((walk) => [walk.text, walk]))
  for (const item of form.sensors) {
    const walk = walks.get(item.oid)
    if (walk === undefined) continue
    rows += cells.rows(walk).length
    if (rows > MAX_ROWS) break
    yield* sensorsOf(form, item, walk, cells, device)
  }
}

function* sensorsOf(
  form: FormOs,
  item: FormSensor,
  walk: FormWalk,
  cells: Cells,
  device: DeviceFields,
): Generator<SensorRow, void, void> {
  const own = ownColumns(walk, form.objects)
  // the names by which the item's fields refer to each other
  const keys = { descr: item.descr, group: item.group, value: item.value, oid: item.oid, index: item.index }
  // only an exact name is a column; a name with an instance is not
  const isColumn = own(item.value)
  let count = 0
  for (const index of cells.rows(walk)) {
    count++
    const raw = (isColumn ? cells.text(item.value, index) : undefined) ?? ''
    const row = rowAt(cells, index, own, keys)
    const value = numberIn(item, raw)
    if (value !== null && item.below !== null && value < item.below) continue
    if (value !== null && item.above !== null && value > item.above) continue
    if (isSkipped(item.skip, value ?? false, row, cells, device) || value === null) continue
    const sensor = sensorRow(form, item, row, { raw, value, count })
    if (sensor !== null) yield sensor
  }
}

/**
 * The number in a text: the text itself, the value of the state that it names, or the first number in it unless that is
 * `0`.
 */
function numberIn(item: FormSensor, raw: string): number | null {
  if (isNumberLike(raw)) return Number(raw)
  const state = item.states?.find(({ descr }) => descr === raw)
  if (state !== undefined) return state.value
  const first = firstNumber(raw)
  return first === null || first === '0' ? null : Number(first)
}

function sensorRow(
  form: FormOs,
  item: FormSensor,
  row: RowFields,
  { raw, value, count }: { readonly raw: string; readonly value: number; readonly count: number },
): SensorRow | null {
  const oid = item.numOid === null ? '' : filledByIndex(item.numOid, row.index)
  if (!isOid(oid)) return null
  const counted = { ...row, count }
  const divisor = Math.trunc(numberOf(evaluate(item.divisor, counted))) || 1
  const factor = evaluate(item.multiplier, counted)
  const multiplier = isNumberLike(factor) ? Math.trunc(Number(factor)) : 1
  const isState = item.class === 'state'
  const fahrenheit = item.class === 'temperature' && !isNumberLike(raw) && /f$/i.test(raw)
  const reading = textReading(item.func)
  const name = fahrenheit
    ? 'fahrenheit_to_celsius'
    : isState && item.func === null && !isNumberLike(raw)
      ? STATE_TEXT
      : item.func
  const convert = (number: number): number | null => {
    const result = name === null || !Object.hasOwn(FUNCTIONS, name) ? number : (FUNCTIONS[name]?.(number) ?? number)
    return Number.isFinite(result) ? result : null
  }
  const limit = (field: FormSensor['high']): number | null => {
    if (field === null) return null
    if (isNumberLike(field)) return Number(field)
    const text = evaluate(field, row).trim()
    if (!isNumberLike(text)) return null
    return convert(item.scaled ? (Number(text) / divisor) * multiplier : Number(text))
  }
  const scaled = isState ? convert(value) : (convert((value / divisor) * multiplier) ?? 0)
  const read = reading === null ? scaled : reading(raw, Date.now())
  const current = Number.isNaN(read) ? null : read
  const entity = item.entity === null ? '' : evaluate(item.entity, row).trim()
  const group = item.group === null ? '' : evaluate(item.group, row).trim()
  const descr = evaluate(item.descr, row).trim()
  return withLimits({
    sensor_class: item.class,
    sensor_type: (isState ? item.stateName : null) ?? form.os,
    sensor_index: indexOf(item, row),
    sensor_oid: oid,
    sensor_descr: descr,
    group: group === '' ? null : group,
    sensor_divisor: divisor,
    sensor_multiplier: multiplier,
    sensor_current: current,
    sensor_limit: limit(item.high),
    sensor_limit_warn: limit(item.warn),
    sensor_limit_low: limit(item.low),
    sensor_limit_low_warn: limit(item.lowWarn),
    entPhysicalIndex: entity === '' || entity === '0' ? null : entity,
    entPhysicalIndex_measured: item.measured,
    ...(name !== null && { user_func: name }),
    ...(item.rrd !== undefined && { rrd_type: item.rrd }),
    ...(isState && item.stateName !== null && { states: statesOf(item, item.stateName) }),
  })
}

function indexOf(item: FormSensor, row: RowFields): string {
  if (item.index === null) return row.index
  const text = String(item.index)
  return text.includes('{{') ? evaluate(text, row).trim() : text
}

const GENERIC = ['ok', 'warning', 'critical', 'unknown'] as const

const made = new WeakMap<FormSensor, NonNullable<SensorRow['states']>>()

function statesOf(item: FormSensor, name: string): NonNullable<SensorRow['states']> {
  const known = made.get(item)
  if (known !== undefined) return known
  const values = (item.states ?? []).map(({ value, generic, descr }) => ({
    value,
    descr,
    generic: GENERIC[generic] ?? 'unknown',
  }))
  const states = { name, values }
  made.set(item, states)
  return states
}
