import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { deviceGraph } from '../../src/graphs/catalogue/devices.ts'
import { serviceGraph } from '../../src/graphs/catalogue/drawings.ts'
import { formOf, measureText, octetsText } from '../../src/lib/measure.ts'
import { SENSOR_CLASS_NAMES } from '../../src/lib/sensor-classes.ts'
import { valueAxis } from '../../src/lib/value-axis.ts'
import { WIRELESS_UNITS } from '../../src/lib/wireless-classes.ts'

const CLASSES = [
  ...SENSOR_CLASS_NAMES.map((name) => ['sensor', name] as const),
  ...Object.keys(WIRELESS_UNITS).map((name) => ['wireless', name] as const),
]

test.each([
  ['wireless', 'power', 26, '26 dBm'],
  ['sensor', 'power', 26, '26 W'],
  ['sensor', 'power', 1260, '1.26 kW'],
  ['wireless', 'frequency', 5580, '5580 MHz'],
  ['sensor', 'frequency', 5580, '5.58 kHz'],
  ['wireless', 'rate', 866_700_000, '866.7 Mbit/s'],
  ['wireless', 'distance', 12_000, '12000 km'],
  ['wireless', 'rssi', -71, '-71 dBm'],
  ['wireless', 'snr', 2000, '2000 dB'],
  ['sensor', 'dbm', -0.0004, '-0.0004 dBm'],
  ['sensor', 'current', 0.0065, '6.5 mA'],
  ['sensor', 'temperature', -40.5, '-40.5 °C'],
  ['sensor', 'fanspeed', 12_480, '12480 rpm'],
  ['sensor', 'runtime', 5000, '5000 min'],
  ['wireless', 'clients', 12, '12'],
  ['processor', 'processor', 97.1, '97.1 %'],
  ['mempool', 'memory', 0.004, '0.004 %'],
  ['sensor', 'of a newer version', 5, '5'],
])('%s %s of %p is %s', (kind, name, value, text) => {
  expect(measureText(formOf(kind, name), value)).toBe(text)
})

describe('every class', () => {
  test.each(CLASSES)('%s %s keeps its unit, without a prefix where that would mean another', (kind, name) => {
    const form = formOf(kind, name)
    const takesPrefix = ['A', 'V', 'W', 'Hz', 's', 'bit/s', ''].includes(form.unit)
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
        const [, unit = ''] = measureText(form, value).split(' ')
        if (takesPrefix) expect(unit.endsWith(form.unit)).toBe(true)
        else expect(unit).toBe(form.unit)
        const axis = valueAxis({
          type: { ...form, axis: 'free' },
          min: value,
          max: value,
          mirrored: false,
          maxTicks: 5,
        })
        if (!takesPrefix) expect(axis.unit).toBe(form.unit)
      }),
      { numRuns: 60 },
    )
  })

  test.each(CLASSES)('%s %s has the same form on its graph', (kind, name) => {
    const type = deviceGraph(kind === 'wireless' ? `device_wireless_${name}` : `device_${name}`)
    const { unit, prefixes, whole } = formOf(kind, name)
    expect({ unit: type?.unit, prefixes: type?.prefixes, whole: type?.whole }).toEqual({ unit, prefixes, whole })
  })
})

test('units of checks that are no SI units take no prefix', () => {
  for (const unit of ['ms', 'KB', 'GB', 'dBm', '%', 'c', 'rpm']) expect(serviceGraph('x', unit).prefixes).toBe('none')
  expect(serviceGraph('x', 's').prefixes).toBe('all')
  expect(serviceGraph('x', 'B').prefixes).toBe('large')
})

test('memory and file systems are in binary prefixes', () => {
  expect(octetsText(8 * 1024 ** 3)).toBe('8 GiB')
  expect(octetsText(500_107_862_016)).toBe('465.8 GiB')
})
