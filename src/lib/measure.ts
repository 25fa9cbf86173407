import { SENSOR_CLASSES } from './sensor-classes.ts'
import { type Prefixes, readable } from './si.ts'
import { type ValueForm, valueText } from './value-axis.ts'
import { isWirelessClass, WIRELESS_UNITS } from './wireless-classes.ts'

/** The unit of a measured value, and how it is written. */
export type MeasureForm = Omit<ValueForm, 'axis'>

/** Classes of whole numbers. */
const WHOLE = ['count', 'ap-count', 'clients', 'mcs', 'channel', 'cell']
const PERCENT: MeasureForm = { unit: '%', prefixes: 'none' }
const NUMBER: MeasureForm = { unit: '', prefixes: 'none' }

/**
 * How values of a class are written: on charts, cards, pages, in images, mails and files. Two kinds may have a class of
 * the same name with different units: power is watts of a sensor and dBm of a radio, frequency hertz and megahertz.
 * `kind` is `sensor` or `wireless`; all others (`processor`, `mempool`, `storage`) are percentages.
 */
export function formOf(kind: string, sensorClass: string): MeasureForm {
  const whole = WHOLE.includes(sensorClass) ? ({ whole: true } as const) : {}
  if (kind === 'wireless') {
    if (!isWirelessClass(sensorClass)) return NUMBER
    const unit = WIRELESS_UNITS[sensorClass]
    return { unit, prefixes: unit === 'bit/s' ? 'large' : 'none', ...whole }
  }
  if (kind !== 'sensor') return PERCENT
  const known = Object.hasOwn(SENSOR_CLASSES, sensorClass) ? SENSOR_CLASSES[sensorClass] : undefined
  return known === undefined ? NUMBER : { unit: known[0], prefixes: known[1], ...whole }
}

/** A value with its unit, as `26 dBm`, `5580 MHz`, `6.5 mA` or `-40.5 °C`; `-` if it is not finite. */
export function measureText(form: MeasureForm, value: number): string {
  return valueText({ ...form, axis: 'free' }, value, false)
}

/** Octets of memory and file systems, in binary prefixes: `3.86 GiB`. Traffic has decimal ones (`readable`). */
export function octetsText(octets: number): string {
  return readable(octets, 'B', 'binary' satisfies Prefixes)
}
