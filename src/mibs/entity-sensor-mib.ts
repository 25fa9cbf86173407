import { col, mibTable } from '@portlight/snmp/table.ts'

/** ENTITY-SENSOR-MIB::entPhySensorTable (RFC 3433), indexed by entPhysicalIndex. */
export const entPhySensorTable = mibTable('ENTITY-SENSOR-MIB::entPhySensorTable', '1.3.6.1.2.1.99.1.1.1', {
  entPhySensorType: col(1, 'Integer'),
  entPhySensorScale: col(2, 'Integer'),
  entPhySensorPrecision: col(3, 'Integer'),
  entPhySensorValue: col(4, 'Integer'),
  entPhySensorOperStatus: col(5, 'Integer'),
})

/** EntitySensorDataType. 14 is not in the RFC but is widely used for optical power. */
export const SENSOR_DATA_TYPE = {
  1: 'other',
  2: 'unknown',
  3: 'voltsAC',
  4: 'voltsDC',
  5: 'amperes',
  6: 'watts',
  7: 'hertz',
  8: 'celsius',
  9: 'percentRH',
  10: 'rpm',
  11: 'cmm',
  12: 'truthvalue',
  14: 'dBm',
} as const

/**
 * Power of ten for an EntitySensorDataScale: yocto (1) to yotta (17) in steps of three, where 9 is units. `undefined`
 * outside this range.
 */
export function sensorScaleExponent(scale: number): number | undefined {
  return Number.isInteger(scale) && scale >= 1 && scale <= 17 ? (scale - 9) * 3 : undefined
}

export const SENSOR_STATUS = { 1: 'ok', 2: 'unavailable', 3: 'nonoperational' } as const
