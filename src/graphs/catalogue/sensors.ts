import { formOf } from '../../lib/measure.ts'
import { isSensorClass } from '../../lib/sensor-classes.ts'
import { isWirelessClass } from '../../lib/wireless-classes.ts'
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
  if (!isSensorClass(sensorClass)) return null
  return {
    name: `device_${sensorClass}`,
    label: sensorClass === 'charge' ? 'Battery Charge' : sensorClass,
    title: titleOf(sensorClass),
    data: 'sensor',
    sensorClass,
    ...formOf('sensor', sensorClass),
    ...lines,
    ...(sensorClass === 'state' && { states: true, columns: ['state', 'ok'] }),
  }
}

/** The graph of all wireless sensors of a class on a device; null: unknown class. */
export function wirelessGraph(sensorClass: string): GraphType | null {
  if (!isWirelessClass(sensorClass)) return null
  const form = formOf('wireless', sensorClass)
  return {
    name: `device_wireless_${sensorClass}`,
    label: `Wireless ${sensorClass}`,
    title: titleOf(sensorClass),
    data: 'wireless',
    sensorClass,
    ...form,
    ...lines,
    ...(form.whole && { axis: 'zero' }),
  }
}
