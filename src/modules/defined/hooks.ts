import type { SensorHook } from '../../definitions/health.ts'
import type { Lookup } from '../../definitions/template.ts'
import type { Read } from '../module.ts'
import type { SensorRow } from '../observation.ts'

/** What a hook may look at besides the row that the definition made: the places of its entry, and all that was read. */
export interface HookInput {
  /** Index of the row in its table; null for scalars. */
  readonly index: string | null
  readonly lookup: Lookup
  readonly read: Read
  /** From the sent to the shown unit. */
  readonly factor: number
}

/** What data cannot say, by the name that a definition's `hook` gives. Pure: takes the row and gives another. */
export const SENSOR_HOOKS: Readonly<Record<SensorHook, (row: SensorRow, input: HookInput) => SensorRow>> = {
  'cisco-entity-sensor': (row, input) => ({ ...row, ...ciscoLimits(row, input), sensor_descr: ciscoName(row, input) }),
}

/** CISCO-ENTITY-SENSOR-MIB::entSensorThresholdTable by entPhysicalIndex, one list for each table that was read. */
const thresholds = new WeakMap<object, ReadonlyMap<string, readonly Threshold[]>>()

interface Threshold {
  readonly severity: number
  /** Of high values; else of low ones. */
  readonly high: boolean
  readonly value: number
}

const [OTHER, MINOR, MAJOR, CRITICAL] = [1, 10, 20, 30]

/**
 * Minor thresholds warn; critical ones are limits, else major ones, else those without a severity. 0 stands for «not set»
 * where another severity of the same side has a value. Temperatures with thresholds for high values alone are not meant
 * to freeze.
 */
function ciscoLimits(row: SensorRow, { index, read, factor }: HookInput): Partial<SensorRow> {
  const own = thresholdsIn(read).get(index ?? '') ?? []
  if (own.length === 0) return {}
  const told = (high: boolean, severities: readonly number[]): number | null => {
    const side = own.filter((t) => t.high === high)
    for (const severity of severities) {
      const found = side.find((t) => t.severity === severity)
      if (found !== undefined && (found.value !== 0 || side.every((t) => t.value === 0))) return found.value * factor
    }
    return null
  }
  const cold = row.sensor_class === 'temperature'
  return {
    sensor_limit: told(true, [CRITICAL, MAJOR, OTHER]),
    sensor_limit_warn: told(true, [MINOR]),
    sensor_limit_low: told(false, [CRITICAL, MAJOR, OTHER]) ?? (cold ? -5 : null),
    sensor_limit_low_warn: told(false, [MINOR]) ?? (cold ? -1 : null),
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
      // lessThan, lessOrEqual, greaterThan, greaterOrEqual; equality is no limit
      if (!(relation >= 1 && relation <= 4) || !Number.isFinite(value)) continue
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

/** That it is a sensor needs no telling; what it is in does, unless its own description begins with that. */
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

/** `Slot 1 Temp: UADP` is `Slot 1 UADP`, `Gi1/0/52 Bias Current Sensor` is `Gi1/0/52 Bias Current`. */
function nameOfSensor(name: string): string {
  return capitals(name.replace(/temp: |temperature|sensor/gi, '').trim())
}

function capitals(text: string): string {
  return text.replace(/(^|\s)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
