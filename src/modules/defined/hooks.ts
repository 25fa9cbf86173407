import type { SensorHook } from '../../definitions/health.ts'
import type { Read } from '../module.ts'
import type { SensorRow } from '../observation.ts'
import type { HookInput } from './hook-input.ts'
import { withSetPoints } from './rittal-set-points.ts'
import { inUpsUnits } from './ups-units.ts'

/**
 * Rules that a definition cannot express as data, by the name given in its `hook`. Pure: takes a row and returns the
 * changed row.
 */
export const SENSOR_HOOKS: Readonly<Record<SensorHook, (row: SensorRow, input: HookInput) => SensorRow>> = {
  'cisco-entity-sensor': (row, input) => ({ ...row, ...ciscoLimits(row, input), sensor_descr: ciscoName(row, input) }),
  'rittal-set-points': withSetPoints,
  'ups-units': inUpsUnits,
}

/** CISCO-ENTITY-SENSOR-MIB::entSensorThresholdTable by entPhysicalIndex, cached per table read. */
const thresholds = new WeakMap<object, ReadonlyMap<string, readonly Threshold[]>>()

interface Threshold {
  readonly severity: number
  /** True: an upper limit; false: a lower one. */
  readonly high: boolean
  readonly value: number
}

/**
 * Values of this magnitude mean underflow or overflow (EntitySensorValue); agents send them where no threshold is set.
 */
const NO_THRESHOLD = 1_000_000_000

/** IOS XR sends the least 16-bit integer, whatever the sensor's scale and class, where no threshold is set. */
const NOT_SET = -32_768

const [OTHER, MINOR, MAJOR, CRITICAL] = [1, 10, 20, 30]

/**
 * Minor thresholds become warning limits. The limit itself is the critical threshold, else the major one, else the one
 * without a severity. 0 means "not set" if another severity on the same side has a value, except for dBm values beyond
 * which 0 lies, where it is 1 mW. A negative fan speed also means "not set". A temperature sensor with only upper
 * thresholds gets lower limits around freezing.
 */
function ciscoLimits(row: SensorRow, { index, read, factor }: HookInput): Partial<SensorRow> {
  const own = thresholdsIn(read).get(index ?? '') ?? []
  if (own.length === 0) return {}
  const isSet = ({ value, high }: Threshold, side: readonly Threshold[]): boolean => {
    if (row.sensor_class === 'fanspeed' && value < 0) return false
    if (value !== 0 || side.every((t) => t.value === 0)) return true
    return row.sensor_class === 'dbm' && side.every((t) => (high ? t.value <= 0 : t.value >= 0))
  }
  const threshold = (high: boolean, severities: readonly number[]): number | null => {
    const side = own.filter((t) => t.high === high)
    for (const severity of severities) {
      const found = side.find((t) => t.severity === severity)
      if (found !== undefined && isSet(found, side)) return found.value * factor
    }
    return null
  }
  const cold = row.sensor_class === 'temperature'
  return {
    sensor_limit: threshold(true, [CRITICAL, MAJOR, OTHER]),
    sensor_limit_warn: threshold(true, [MINOR]),
    sensor_limit_low: threshold(false, [CRITICAL, MAJOR, OTHER]) ?? (cold ? -5 : null),
    sensor_limit_low_warn: threshold(false, [MINOR]) ?? (cold ? -1 : null),
  }
}

function thresholdsIn({ tables }: Read): ReadonlyMap<string, readonly Threshold[]> {
  const rows = tables['thresholds']?.rows
  if (rows === undefined) return new Map()
  let known = thresholds.get(rows)
  if (known === undefined) {
    const found = new Map<string, Threshold[]>()
    for (const [index, cells] of rows) {
      const [severity, relation, value] = ['Severity', 'Relation', 'Value'].map((name) =>
        Number(cells[`entSensorThreshold${name}`] ?? Number.NaN),
      ) as [number, number, number]
      // lessThan, lessOrEqual, greaterThan, greaterOrEqual; equality is not a limit
      if (!(relation >= 1 && relation <= 4) || !(Math.abs(value) < NO_THRESHOLD) || value === NOT_SET) continue
      const entity = index.split('.')[0] ?? ''
      const list = found.get(entity) ?? []
      list.push({ severity, high: relation >= 3, value })
      found.set(entity, list)
    }
    known = found
    thresholds.set(rows, known)
  }
  return known
}

const CHASSIS = '3'

/**
 * Drops the word "sensor" and puts the name of the containing entity in front, unless the description already starts
 * with it.
 */
function ciscoName(row: SensorRow, { lookup }: HookInput): string {
  const descr = lookup('self.entPhysicalDescr') ?? ''
  const own = nameOfSensor(lookup('self.entPhysicalName') || descr)
  const parent = lookup('parent.entPhysicalName') ?? ''
  const apart =
    parent !== '' &&
    lookup('parent.entPhysicalClass') !== CHASSIS &&
    !descr.toLowerCase().startsWith(parent.toLowerCase()) &&
    !parent.startsWith('Transceiver(')
  return (apart ? `${capitals(parent)} - ${own}` : own) || row.sensor_descr
}

/** `Slot 1 Temp: UADP` becomes `Slot 1 UADP`; `Gi1/0/52 Bias Current Sensor` becomes `Gi1/0/52 Bias Current`. */
function nameOfSensor(name: string): string {
  return capitals(name.replace(/temp: |temperature|sensor/gi, '').trim())
}

function capitals(text: string): string {
  return text.replace(/(^|\s)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
