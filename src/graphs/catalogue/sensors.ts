import { SENSOR_CLASSES } from '../../lib/sensor-classes.ts'
import { isWirelessClass, WIRELESS_UNITS } from '../../lib/wireless-classes.ts'
import type { GraphType } from './graph-type.ts'

/** Titles for classes whose names are not words. */
const TITLES: Readonly<Record<string, string>> = {
  airflow: 'Air Flow',
  ber: 'Bit Error Rate',
  bitrate: 'Bit Rate',
  charge: 'Battery Charge',
  dbm: 'Optical Power',
  eer: 'Energy Efficiency Ratio',
  fanspeed: 'Fan Speed',
  percent: 'Percentage',
  power_consumed: 'Energy',
  snr: 'Signal-to-Noise Ratio',
  tv_signal: 'TV Signal',
  waterflow: 'Water Flow',
  'ap-count': 'Access Points',
  mcs: 'MCS Index',
  ccq: 'CCQ',
  sinr: 'SINR',
  rsrp: 'RSRP',
  rsrq: 'RSRQ',
  ssr: 'Signal Strength Ratio',
  mse: 'MSE',
  xpi: 'XPI',
  rssi: 'RSSI',
}

/** Classes of whole numbers. */
const WHOLE = ['count', 'ap-count', 'clients', 'mcs', 'channel', 'cell']

const titleOf = (name: string): string =>
  TITLES[name] ??
  name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/** A line for each sensor, on an axis around the values. */
const lines = {
  axis: 'free',
  elements: 'lines',
  columns: ['now', 'min', 'avg', 'max'],
} as const

/** The graph of all sensors of a class on a device; null: unknown class. */
export function sensorGraph(sensorClass: string): GraphType | null {
  const known = Object.hasOwn(SENSOR_CLASSES, sensorClass) ? SENSOR_CLASSES[sensorClass] : undefined
  if (known === undefined) return null
  const [unit, prefixes] = known
  return {
    name: `device_${sensorClass}`,
    label: sensorClass === 'charge' ? 'Battery Charge' : sensorClass,
    title: titleOf(sensorClass),
    data: 'sensor',
    sensorClass,
    unit,
    prefixes,
    ...lines,
    ...(WHOLE.includes(sensorClass) && { whole: true }),
    ...(sensorClass === 'state' && { states: true, columns: ['state', 'ok'] }),
  }
}

/** The graph of all wireless sensors of a class on a device; null: unknown class. */
export function wirelessGraph(sensorClass: string): GraphType | null {
  if (!isWirelessClass(sensorClass)) return null
  const unit = WIRELESS_UNITS[sensorClass]
  return {
    name: `device_wireless_${sensorClass}`,
    label: `Wireless ${sensorClass}`,
    title: titleOf(sensorClass),
    data: 'wireless',
    sensorClass,
    unit,
    prefixes: unit === 'bit/s' ? 'large' : 'none',
    ...lines,
    ...(WHOLE.includes(sensorClass) && { whole: true, axis: 'zero' }),
  }
}
