import {
  entPhySensorTable,
  SENSOR_DATA_TYPE,
  SENSOR_STATUS,
  sensorScaleExponent,
} from '../../mibs/entity-sensor-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { Row } from '../../snmp/table.ts'
import { withLimits } from '../defined/limits.ts'
import { ENTITIES } from '../inventory/chassis.ts'
import { need, phase } from '../module.ts'
import type { SensorRow } from '../observation.ts'

const VALUE_COLUMN = `${entPhySensorTable.entry}.${entPhySensorTable.columns.entPhySensorValue.id}`

/** Class of a sensor by what it measures; the types that measure nothing known have none. */
const CLASS: Readonly<Partial<Record<string, string>>> = {
  voltsAC: 'voltage',
  voltsDC: 'voltage',
  amperes: 'current',
  watts: 'power',
  hertz: 'frequency',
  celsius: 'temperature',
  percentRH: 'humidity',
  rpm: 'fanspeed',
  cmm: 'airflow',
  dBm: 'dbm',
}

/** What agents send for «not measured», whatever the status says (RFC 3433 gives ±10^9 as under- and overflow). */
const NOT_MEASURED: ReadonlySet<number> = new Set([-1_000_000_000, 1_000_000_000, -127])

const SENSOR_COLUMNS = [
  'entPhySensorValue',
  'entPhySensorType',
  'entPhySensorScale',
  'entPhySensorPrecision',
  'entPhySensorOperStatus',
] as const

/** Sensors of ENTITY-SENSOR-MIB (RFC 3433), named by their physical entity. */
export const discoverEntitySensors = phase({
  tables: { sensors: need(entPhySensorTable, SENSOR_COLUMNS) },
  follow: ({ tables }) => (tables.sensors.rows.size === 0 ? [] : [{ key: 'names', tables: { entities: ENTITIES } }]),
  run({ tables: { sensors }, followed }) {
    const entities = followed.get('names')?.tables.entities.rows
    const rows = [...sensors.rows].flatMap(([index, row]) => {
      const entity = entities?.get(index)
      return sensorRow(index, row, entity?.entPhysicalName || entity?.entPhysicalDescr) ?? []
    })
    return [{ kind: 'sensors', complete: sensors.complete, rows }]
  },
})

function sensorRow(index: string, row: Row<typeof entPhySensorTable>, name: string | undefined): SensorRow | null {
  const sensorClass = CLASS[enumName(SENSOR_DATA_TYPE, row.entPhySensorType) ?? '']
  const value = row.entPhySensorValue
  const status = enumName(SENSOR_STATUS, row.entPhySensorOperStatus) ?? 'ok'
  if (sensorClass === undefined || value === undefined || status !== 'ok' || NOT_MEASURED.has(value)) return null
  const { divisor, multiplier } = factors(row.entPhySensorScale, row.entPhySensorPrecision)
  return withLimits({
    sensor_class: sensorClass,
    sensor_type: 'entity-sensor',
    sensor_index: index,
    sensor_oid: `${VALUE_COLUMN}.${index}`,
    sensor_descr: sensorName(name) ?? `Sensor ${index}`,
    group: null,
    sensor_divisor: divisor,
    sensor_multiplier: multiplier,
    sensor_current: (value * multiplier) / divisor,
    sensor_limit: null,
    sensor_limit_warn: null,
    sensor_limit_low: null,
    sensor_limit_low_warn: null,
    entPhysicalIndex: index,
    entPhysicalIndex_measured: null,
  })
}

/** That it is a sensor needs no telling: `RPM sensor for fan 1` is `RPM for fan 1`. Null when nothing else is told. */
function sensorName(name: string | undefined): string | null {
  const told = (name ?? '')
    .replace(/\bsensor\b/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
  // A number alone needs the word.
  if (told === '' || /^[\d./:]+$/.test(told)) return name || null
  return told
}

/**
 * Unit value = sent value * 10^(scale exponent - precision). As divisor or multiplier, so that both stay whole numbers.
 * Precision is -8 … 9 (RFC 3433); a negative one says how many digits are inaccurate and moves nothing.
 */
export function factors(
  scale: number | undefined,
  precision: number | undefined,
): { readonly divisor: number; readonly multiplier: number } {
  const exponent = (sensorScaleExponent(scale ?? 9) ?? 0) - Math.min(9, Math.max(0, precision ?? 0))
  if (exponent > 0) return { divisor: 1, multiplier: 10 ** Math.min(9, exponent) }
  return { divisor: 10 ** Math.min(15, -exponent), multiplier: 1 }
}
