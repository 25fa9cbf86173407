import { expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { ProcessorRow, SensorRow } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, gauge, int, moduleOf, oid, text } from './agent.ts'

/** Finds what health definitions make of tables written by hand from vendor MIBs. */
async function found(os: string, cells: Readonly<Record<string, SnmpValue>>) {
  const facts = { os, sysObjectID: null, sysDescr: null }
  const all = await discover([moduleOf(MODULES, 'defined-health')], agentOf(cells), facts)
  const sensors = all.flatMap((o) => (o.kind === 'sensors' ? [...o.rows] : []))
  const processors = all.flatMap((o) => (o.kind === 'processors' ? [...o.rows] : []))
  const mempools = all.flatMap((o) => (o.kind === 'mempools' ? [...o.rows] : []))
  const storage = all.flatMap((o) => (o.kind === 'storage' ? [...o.rows] : []))
  return { sensors, processors, mempools, storage }
}

const shown = (rows: readonly SensorRow[]) =>
  rows.map((row) => `${row.sensor_class} ${row.sensor_descr}: ${row.sensor_current}`)
const loads = (rows: readonly ProcessorRow[]) => rows.map((row) => `${row.processor_descr}: ${row.processor_usage}`)

test('Junos: a component with memory has a processor; absent FRUs have no sensors', async () => {
  const operating = '1.3.6.1.4.1.2636.3.1.13.1'
  const frus = '1.3.6.1.4.1.2636.3.1.15.1'
  const { sensors, processors, mempools } = await found('junos', {
    [`${operating}.5.1.1.0.0`]: text('midplane'),
    [`${operating}.5.9.1.0.0`]: text('Routing Engine 0'),
    [`${operating}.7.1.1.0.0`]: gauge(0),
    [`${operating}.7.9.1.0.0`]: gauge(41),
    [`${operating}.8.1.1.0.0`]: gauge(0),
    [`${operating}.8.9.1.0.0`]: gauge(17),
    [`${operating}.11.1.1.0.0`]: gauge(0),
    [`${operating}.11.9.1.0.0`]: gauge(25),
    [`${operating}.15.1.1.0.0`]: int(0),
    [`${operating}.15.9.1.0.0`]: int(1000),
    [`${frus}.8.2.1.1.0`]: int(6),
    [`${frus}.8.2.1.2.0`]: int(2),
    [`${frus}.5.2.1.1.0`]: text('Power Supply 0'),
    [`${frus}.5.2.1.2.0`]: text('Power Supply 1'),
    '1.3.6.1.4.1.2636.3.4.2.2.1.0': int(3),
  })
  expect(shown(sensors)).toEqual([
    'temperature Routing Engine 0: 41',
    'state Power Supply 0: 6',
    'state Yellow Alarm: 3',
  ])
  expect(loads(processors)).toEqual(['Routing Engine 0: 17'])
  expect(mempools).toMatchObject([{ mempool_total: 1000 * 2 ** 20, mempool_used: 250 * 2 ** 20 }])
})

test('Junos: transceiver limits are scaled like their values; an empty cage has none', async () => {
  const dom = '1.3.6.1.4.1.2636.3.60.1.1.1.1'
  const cells = {
    [`${dom}.5.513`]: int(-230),
    [`${dom}.8.513`]: int(42),
    [`${dom}.9.513`]: int(100),
    [`${dom}.10.513`]: int(-1309),
    [`${dom}.5.514`]: int(0),
    [`${dom}.8.514`]: int(0),
    '1.3.6.1.2.1.2.2.1.2.513': text('xe-0/0/0'),
  }
  const { sensors } = await found('junos', cells)
  expect(shown(sensors)).toEqual(['dbm xe-0/0/0 Rx Power: -2.3', 'temperature xe-0/0/0 Temperature: 42'])
  expect(sensors[0]).toMatchObject({ sensor_limit: 1, sensor_limit_low: -13.09, entPhysicalIndex_measured: 'ports' })
})

test('RouterOS: class and scale of a gauge come from its unit', async () => {
  const gauges = '1.3.6.1.4.1.14988.1.1.3.100.1'
  const row = (index: number, name: string, value: number, unit: number) => ({
    [`${gauges}.2.${index}`]: text(name),
    [`${gauges}.3.${index}`]: gauge(value),
    [`${gauges}.4.${index}`]: int(unit),
  })
  const { sensors } = await found('routeros', {
    ...row(1, 'cpu-temperature', 45, 1),
    ...row(2, 'fan1-speed', 4200, 2),
    ...row(3, 'voltage', 237, 3),
    ...row(4, 'current', 12, 4),
    ...row(5, 'power', 284, 5),
    ...row(6, 'psu1-state', 1, 6),
    ...row(7, 'unheard-of', 1, 9),
  })
  expect(shown(sensors)).toEqual([
    'temperature cpu-temperature: 45',
    'fanspeed fan1-speed: 4200',
    'voltage voltage: 23.7',
    'current current: 1.2',
    'power power: 28.4',
    'state psu1-state: 1',
  ])
})

test('VRP: board names come from ENTITY-MIB; boards without a processor have no load', async () => {
  const entities = '1.3.6.1.4.1.2011.5.25.31.1.1.1.1'
  const { sensors, processors } = await found('vrp', {
    [`${entities}.5.9`]: int(7),
    [`${entities}.7.9`]: int(36),
    [`${entities}.11.9`]: int(40),
    [`${entities}.5.10`]: int(0),
    [`${entities}.7.10`]: int(0),
    [`${entities}.11.10`]: int(2147483647),
    '1.3.6.1.2.1.47.1.1.1.1.5.9': int(9),
    '1.3.6.1.2.1.47.1.1.1.1.7.9': text('MPU Board 0'),
  })
  expect(shown(sensors)).toEqual(['temperature MPU Board 0: 40'])
  expect(loads(processors)).toEqual(['MPU Board 0 Processor: 7'])
})

test('Sentry: probe limits are whole degrees, values tenths; a socket without a probe has no sensor', async () => {
  const temperatures = '1.3.6.1.4.1.1718.4.1.9'
  const all = await discover(
    [moduleOf(MODULES, 'defined-health')],
    agentOf({
      [`${temperatures}.2.1.3.5.1`]: text('Rack top'),
      [`${temperatures}.3.1.1.5.1`]: int(239),
      [`${temperatures}.3.1.2.5.1`]: int(0),
      [`${temperatures}.3.1.1.1.1`]: int(-410),
      [`${temperatures}.3.1.2.1.1`]: int(7),
      [`${temperatures}.4.1.2.5.1`]: int(1),
      [`${temperatures}.4.1.5.5.1`]: int(50),
    }),
    { sysObjectID: '1.3.6.1.4.1.1718.4' },
  )
  const rows = all.flatMap((o) => (o.kind === 'sensors' ? [...o.rows] : []))
  expect(rows).toMatchObject([
    { sensor_descr: 'Rack top', sensor_current: 23.9, sensor_limit: 50, sensor_limit_low: 1, sensor_divisor: 10 },
  ])
})

test('TrueNAS: pools and datasets have their own units', async () => {
  const pools = '1.3.6.1.4.1.50536.1.1.1.1'
  const { sensors, storage } = await found('truenas', {
    [`${pools}.2.1`]: text('tank'),
    [`${pools}.3.1`]: int(131072),
    [`${pools}.4.1`]: int(1000),
    [`${pools}.6.1`]: int(750),
    [`${pools}.7.1`]: int(0),
  })
  expect(shown(sensors)).toEqual(['state ZPool: tank: 0'])
  expect(storage).toMatchObject([{ storage_descr: 'tank', storage_size: 131072000, storage_free: 98304000 }])
})

test('printers: only the printer of hrDeviceTable', async () => {
  const devices = '1.3.6.1.2.1.25.3.2.1'
  const { sensors } = await found('brother', {
    [`${devices}.2.1`]: oid('1.3.6.1.2.1.25.3.1.5'),
    [`${devices}.5.1`]: int(2),
    [`${devices}.2.2`]: oid('1.3.6.1.2.1.25.3.1.4'),
    [`${devices}.5.2`]: int(2),
  })
  expect(sensors).toMatchObject([{ sensor_descr: 'Printer Device Status', sensor_oid: `${devices}.5.1` }])
})

test('an agent without these tables has no sensors', async () => {
  for (const os of ['junos', 'vrp', 'routeros', 'timos', 'panos', 'dsm', 'ocnos', 'linux']) {
    const { sensors, processors, mempools, storage } = await found(os, {})
    expect({ os, rows: [...sensors, ...processors, ...mempools, ...storage] }).toEqual({ os, rows: [] })
  }
})
