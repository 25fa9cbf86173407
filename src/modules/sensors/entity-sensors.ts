import type { Row, Rows } from '@portlight/snmp/table.ts'
import { converted } from '../../lib/conversions.ts'
import { aristaEntSensorThresholdTable } from '../../mibs/arista-entity-sensor-mib.ts'
import { entAliasMappingTable, type entPhysicalTable } from '../../mibs/entity-mib.ts'
import {
  entPhySensorTable,
  SENSOR_DATA_TYPE,
  SENSOR_STATUS,
  sensorScaleExponent,
} from '../../mibs/entity-sensor-mib.ts'
import { ifXTable } from '../../mibs/if-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { withLimits } from '../guessed-limits.ts'
import { ENTITIES } from '../inventory/chassis.ts'
import { portAround, portsOfEntities } from '../inventory/entity-ports.ts'
import { type FollowUp, need, phase, type TableNeed } from '../module.ts'
import type { SensorRow } from '../observation.ts'
import { isFrom, when } from '../vendor.ts'
import { aristaName } from './arista.ts'

const VALUE_COLUMN = `${entPhySensorTable.entry}.${entPhySensorTable.columns.entPhySensorValue.id}`

/** Sensor class by the data type; other types have none. */
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

/**
 * Values that agents send for "not measured", regardless of the status (RFC 3433 defines ±10^9 as underflow and
 * overflow).
 */
const NOT_MEASURED: ReadonlySet<number> = new Set([-1_000_000_000, 1_000_000_000, -127])

/** EntitySensorValue lies between this and its negative; the sensor exists, but what it measures is unknown. */
const MAX_VALUE = 1_000_000_000

/**
 * Names of optical power sensors. EOS sends watts for what its command line, its thresholds and the optics' data sheets
 * give in dBm; all other agents' types are taken as they are.
 */
const LIGHT = /\b(DOM|optical|laser|[TR]x|transmit|receive)\b.*\bpower\b/i

const ARISTA_LIMITS = need(aristaEntSensorThresholdTable)
const ALIASES = need(entAliasMappingTable)
const PORT_NAMES = need(ifXTable, ['ifName'])

const SENSOR_COLUMNS = [
  'entPhySensorValue',
  'entPhySensorType',
  'entPhySensorScale',
  'entPhySensorPrecision',
  'entPhySensorOperStatus',
] as const

/** Sensors of ENTITY-SENSOR-MIB (RFC 3433), named after their physical entities. */
export const discoverEntitySensors = phase({
  tables: { sensors: need(entPhySensorTable, SENSOR_COLUMNS) },
  *follow({ tables, device }): Iterable<FollowUp<Record<string, TableNeed>>> {
    if (tables.sensors.rows.size === 0) return
    const limits = when(isFrom(device, 'arista'), ARISTA_LIMITS)
    yield { key: 'names', tables: { entities: ENTITIES, limits, aliases: ALIASES, ports: PORT_NAMES } }
  },
  run({ tables: { sensors }, followed, device }) {
    const read = followed.get('names')?.tables
    const entities = read?.['entities']?.rows as Rows<typeof entPhysicalTable> | undefined
    const limits = read?.['limits']?.rows as Rows<typeof aristaEntSensorThresholdTable> | undefined
    const interfaces = portsOfEntities(read?.['aliases']?.rows as Rows<typeof entAliasMappingTable> | undefined)
    const names = read?.['ports']?.rows as Rows<typeof ifXTable> | undefined
    const rows = [...sensors.rows].flatMap(([index, row]) => {
      const entity = entities?.get(index)
      const given = entity?.entPhysicalName || entity?.entPhysicalDescr
      const { name, group } =
        given !== undefined && isFrom(device, 'arista')
          ? aristaName(given, index, entities)
          : { name: sensorName(given), group: null }
      const light = isFrom(device, 'arista') && LIGHT.test(given ?? '')
      const found = sensorRow(index, row, light, limits?.get(index))
      if (found === null) return []
      const port = entities === undefined ? null : portAround(Number(index), entities, interfaces)
      return [{ ...found, sensor_descr: ofPort(name ?? found.sensor_descr, names?.get(String(port))?.ifName), group }]
    })
    return [{ kind: 'sensors', complete: sensors.complete, rows }]
  },
})

/**
 * The name of a sensor in a port's module, with the port's name in front unless it is in there: every module has the
 * same sensors (`SFP RX Power`).
 */
function ofPort(name: string, port: string | undefined): string {
  if (port === undefined || port === '' || ` ${name} `.toLowerCase().includes(` ${port.toLowerCase()} `)) return name
  return `${port} ${name}`
}

function sensorRow(
  index: string,
  row: Row<typeof entPhySensorTable>,
  optical: boolean,
  thresholds: Row<typeof aristaEntSensorThresholdTable> | undefined,
): SensorRow | null {
  const sent = CLASS[enumName(SENSOR_DATA_TYPE, row.entPhySensorType) ?? '']
  const light = sent === 'power' && optical
  const sensorClass = light ? 'dbm' : sent
  const value = row.entPhySensorValue
  const status = enumName(SENSOR_STATUS, row.entPhySensorOperStatus) ?? 'ok'
  if (sensorClass === undefined || value === undefined || status !== 'ok' || NOT_MEASURED.has(value)) return null
  const { divisor, multiplier } = factors(row.entPhySensorScale, row.entPhySensorPrecision)
  const isSent = Math.abs(value) <= MAX_VALUE
  const limit = (sent: number | undefined): number | null => {
    if (sent === undefined || NOT_MEASURED.has(sent)) return null
    const shown = converted(light ? 'w_to_dbm' : null, (sent * multiplier) / divisor)
    // limits in dBm have two decimals before the agent converts them to watts
    return light && shown !== null ? Math.round(shown * 100) / 100 : shown
  }
  return withLimits({
    sensor_class: sensorClass,
    sensor_type: 'entity-sensor',
    sensor_index: index,
    sensor_oid: `${VALUE_COLUMN}.${index}`,
    sensor_descr: `Sensor ${index}`,
    group: null,
    sensor_divisor: divisor,
    sensor_multiplier: multiplier,
    sensor_current: isSent ? converted(light ? 'w_to_dbm' : null, (value * multiplier) / divisor) : null,
    sensor_limit: limit(thresholds?.aristaEntSensorThresholdHighCritical),
    sensor_limit_warn: limit(thresholds?.aristaEntSensorThresholdHighWarning),
    sensor_limit_low: limit(thresholds?.aristaEntSensorThresholdLowCritical),
    sensor_limit_low_warn: limit(thresholds?.aristaEntSensorThresholdLowWarning),
    entPhysicalIndex: index,
    entPhysicalIndex_measured: null,
    ...(light && { user_func: 'w_to_dbm' }),
  })
}

/** Drops the word "sensor": `RPM sensor for fan 1` becomes `RPM  For Fan 1`. Null without a name. */
function sensorName(name: string | undefined): string | null {
  const rest = (name ?? '').replace(/sensor/gi, '').trim()
  // A bare number keeps the word "sensor".
  if (rest === '' || /^[\d./:]+$/.test(rest)) return name || null
  return rest.replace(/(^|\s)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/**
 * Value in units = sent value * 10^(scale exponent - precision), as a divisor and a multiplier so that both are whole
 * numbers. Precision is -8 … 9 (RFC 3433); a negative one is the number of inaccurate digits and shifts nothing.
 */
export function factors(
  scale: number | undefined,
  precision: number | undefined,
): { readonly divisor: number; readonly multiplier: number } {
  const exponent = (sensorScaleExponent(scale ?? 9) ?? 0) - Math.min(9, Math.max(0, precision ?? 0))
  if (exponent > 0) return { divisor: 1, multiplier: 10 ** Math.min(9, exponent) }
  return { divisor: 10 ** Math.min(15, -exponent), multiplier: 1 }
}
