import type { Prefixes } from './si.ts'

const UNITS = {
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
} as const satisfies Readonly<Record<string, readonly [unit: string, prefixes: Prefixes]>>

export type SensorClass = keyof typeof UNITS

/** Every `sensor_class` of the sensor record (contract SCHEMA.md) with its stored unit. */
export const SENSOR_CLASSES: Readonly<Record<string, readonly [unit: string, prefixes: Prefixes]>> = UNITS

/** Whether the name is a class of the sensor record. */
export const isSensorClass = (name: string): name is SensorClass => Object.hasOwn(UNITS, name)

export const SENSOR_CLASS_NAMES: readonly SensorClass[] = Object.keys(UNITS).filter(isSensorClass)
