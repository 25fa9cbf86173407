import type { Prefixes } from '../../lib/si.ts'
import { isWirelessClass, WIRELESS_UNITS } from '../../lib/wireless-classes.ts'
import type { GraphType } from './graph-type.ts'

/** Every `sensor_class` of the sensor record (contract SCHEMA.md) with its stored unit. */
const CLASSES: Readonly<Record<string, readonly [unit: string, prefixes: Prefixes]>> = {
  airflow: ['cfm', 'none'],
  ber: ['', 'none'],
  bitrate: ['bit/s', 'large'],
  charge: ['%', 'none'],
  chromatic_dispersion: ['ps/nm', 'none'],
  cooling: ['W', 'all'],
  count: ['', 'large'],
  current: ['A', 'all'],
  dbm: ['dBm', 'none'],
  delay: ['s', 'all'],
  eer: ['', 'none'],
  fanspeed: ['rpm', 'none'],
  frequency: ['Hz', 'large'],
  humidity: ['%', 'none'],
  load: ['%', 'none'],
  loss: ['%', 'none'],
  percent: ['%', 'none'],
  power: ['W', 'all'],
  power_consumed: ['kWh', 'none'],
  power_factor: ['', 'none'],
  pressure: ['kPa', 'none'],
  quality_factor: ['dB', 'none'],
  runtime: ['min', 'none'],
  signal: ['dBm', 'none'],
  signal_loss: ['dB', 'none'],
  snr: ['dB', 'none'],
  state: ['', 'none'],
  temperature: ['°C', 'none'],
  tv_signal: ['dBmV', 'none'],
  voltage: ['V', 'all'],
  waterflow: ['l/min', 'none'],
}

/** Classes of sensors that have a graph. */
export const SENSOR_CLASSES: readonly string[] = Object.keys(CLASSES)

/** A line for each sensor, on an axis around the values. */
const lines = {
  fineDays: 2,
  axis: 'free',
  elements: 'lines',
  columns: ['now', 'min', 'avg', 'max'],
} as const

/** The graph of all sensors of a class on a device; null: unknown class. */
export function sensorGraph(sensorClass: string): GraphType | null {
  const known = Object.hasOwn(CLASSES, sensorClass) ? CLASSES[sensorClass] : undefined
  if (known === undefined) return null
  const [unit, prefixes] = known
  return {
    name: `device_${sensorClass}`,
    label: sensorClass === 'charge' ? 'Battery Charge' : sensorClass,
    data: 'sensor',
    sensorClass,
    unit,
    prefixes,
    ...lines,
  }
}

/** The graph of all wireless sensors of a class on a device; null: unknown class. */
export function wirelessGraph(sensorClass: string): GraphType | null {
  if (!isWirelessClass(sensorClass)) return null
  const unit = WIRELESS_UNITS[sensorClass]
  return {
    name: `device_wireless_${sensorClass}`,
    label: `Wireless ${sensorClass}`,
    data: 'wireless',
    sensorClass,
    unit,
    prefixes: unit === 'bit/s' ? 'large' : 'none',
    ...lines,
  }
}
