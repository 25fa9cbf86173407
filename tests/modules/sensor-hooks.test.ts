import { expect, test } from 'bun:test'
import { converted } from '../../src/lib/conversions.ts'
import { SENSOR_HOOKS } from '../../src/modules/defined/hooks.ts'
import type { SensorRow } from '../../src/modules/observation.ts'

const ROW: SensorRow = {
  sensor_class: 'temperature',
  sensor_type: 'cisco-entity-sensor',
  sensor_index: '1016',
  sensor_oid: '1.3.6.1.4.1.9.9.91.1.1.1.1.4.1016',
  sensor_descr: 'as the definition has it',
  group: null,
  sensor_divisor: 1,
  sensor_multiplier: 1,
  sensor_current: 27,
  sensor_limit: null,
  sensor_limit_warn: null,
  sensor_limit_low: null,
  sensor_limit_low_warn: null,
  entPhysicalIndex: '1016',
  entPhysicalIndex_measured: null,
}

/** Severity (10 minor, 20 major, 30 critical), relation (2 lessOrEqual, 4 greaterOrEqual), value. */
function cisco(
  thresholds: readonly (readonly [number, number, number])[],
  places: Readonly<Record<string, string>> = {},
  sensor_class = 'temperature',
) {
  const rows = new Map(
    thresholds.map(([severity, relation, value], i) => [
      `1016.${i + 1}`,
      {
        entSensorThresholdSeverity: String(severity),
        entSensorThresholdRelation: String(relation),
        entSensorThresholdValue: String(value),
      },
    ]),
  )
  const read = { tables: { thresholds: { supported: true, complete: true, rows } }, scalars: {}, scalarsComplete: true }
  const row = { ...ROW, sensor_class }
  return SENSOR_HOOKS['cisco-entity-sensor'](row, { index: '1016', lookup: (name) => places[name], read, factor: 0.1 })
}

test('minor thresholds are warning limits, critical ones are limits, in the shown unit', () => {
  const found = cisco([
    [10, 4, 650],
    [20, 4, 700],
    [30, 4, 750],
    [10, 2, -10],
    [30, 2, -50],
  ])
  expect(found).toMatchObject({
    sensor_limit: 75,
    sensor_limit_warn: 65,
    sensor_limit_low: -5,
    sensor_limit_low_warn: -1,
  })
})

test('a critical threshold of 0 next to a major one counts as not set', () => {
  const found = cisco([
    [10, 4, 700],
    [20, 4, 750],
    [30, 4, 0],
  ])
  expect(found).toMatchObject({ sensor_limit: 75, sensor_limit_warn: 70 })
})

test('overflow is not a threshold', () => {
  const found = cisco([
    [30, 4, 2_147_483_647],
    [10, 2, -1_000_000_000],
    [20, 4, 700],
  ])
  expect(found).toMatchObject({ sensor_limit: 70, sensor_limit_low_warn: -1 })
})

test('0 dBm beyond the other thresholds is a threshold, and a negative fan speed is not', () => {
  const dbm = cisco(
    [
      [30, 4, 0],
      [10, 4, -30],
      [30, 2, -130],
    ],
    {},
    'dbm',
  )
  expect(dbm).toMatchObject({ sensor_limit: 0, sensor_limit_warn: -3, sensor_limit_low: -13 })
  const unset = cisco(
    [
      [30, 4, 0],
      [20, 4, 15],
      [30, 2, 0],
      [20, 2, -90],
    ],
    {},
    'dbm',
  )
  expect(unset).toMatchObject({ sensor_limit: 1.5, sensor_limit_low: -9 })
  const fan = cisco(
    [
      [10, 2, 80],
      [30, 2, -1],
      [20, 2, -1],
    ],
    {},
    'fanspeed',
  )
  expect(fan).toMatchObject({ sensor_limit_low_warn: 8, sensor_limit_low: null })
})

test('the least 16-bit integer means that a threshold is not set, whatever the class', () => {
  for (const sensorClass of ['voltage', 'current', 'temperature', 'dbm']) {
    const found = cisco(
      [
        [10, 4, 3465],
        [20, 4, -32_768],
        [30, 4, -32_768],
        [30, 2, -32_768],
      ],
      {},
      sensorClass,
    )
    expect(found).toMatchObject({ sensor_limit: null, sensor_limit_warn: 346.5 })
    expect(found.sensor_limit_low ?? 0).toBeGreaterThan(-6)
  }
})

test("a sensor without thresholds keeps the definition's limits", () => {
  expect(cisco([])).toMatchObject({ sensor_limit: null, sensor_limit_low: null })
})

test.each([
  {
    name: 'the containing entity comes first',
    own: ['Switch 1 Slot 1 Temp: Outlet_A', 'Temp: Outlet_A'],
    parent: ['Switch 1 Slot 1 Supervisor', '9'],
    want: 'Switch 1 Slot 1 Supervisor - Switch 1 Slot 1 Outlet_A',
  },
  {
    name: 'unless the description already starts with it',
    own: ['subslot 0/0 transceiver 0 Bias Current Sensor', 'subslot 0/0 transceiver 0 Bias Current Sensor'],
    parent: ['subslot 0/0 transceiver 0', '9'],
    want: 'Subslot 0/0 Transceiver 0 Bias Current',
  },
  { name: 'but not the chassis', own: ['Sensor 1', 'Sensor 1'], parent: ['IR809G chassis', '3'], want: '1' },
])('a Cisco sensor name: $name', ({ own, parent, want }) => {
  const places = {
    'self.entPhysicalName': own[0] ?? '',
    'self.entPhysicalDescr': own[1] ?? '',
    'parent.entPhysicalName': parent[0] ?? '',
    'parent.entPhysicalClass': parent[1] ?? '',
  }
  expect(cisco([], places).sensor_descr).toBe(want)
})

test.each([
  { name: 'w_to_dbm', value: 0.0006322, want: -1.991 },
  { name: 'uw_to_dbm', value: 1000, want: 0 },
  { name: 'mw_to_dbm', value: 0, want: null },
  { name: 'fahrenheit_to_celsius', value: 212, want: 100 },
  { name: 'unknown', value: 7, want: 7 },
  { name: null, value: 7, want: 7 },
])('conversion $name of $value is $want', ({ name, value, want }) => {
  expect(converted(name, value)).toBe(want)
})
