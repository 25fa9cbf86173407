import { expect, test } from 'bun:test'
import { aristaName } from '../../src/modules/sensors/arista.ts'

/** Entities by index: description, and index of the containing entity. */
const ENTITIES = new Map(
  Object.entries({
    10: ['Chassis', 0],
    20: ['Power Supply Slot 2', 10],
    21: ['PowerSupply2', 20],
    22: ['Power Supply Sensor Container', 21],
    23: ['Input current sensor', 22],
    24: ['Power supply temp sensor', 22],
    25: ['PowerSupply2 Fan 1 Sensor 1', 21],
    30: ['Round container', 31],
    31: ['contains itself', 30],
  } as const).map(([index, [entPhysicalDescr, entPhysicalContainedIn]]) => [
    index,
    { entPhysicalDescr, entPhysicalContainedIn },
  ]),
)

test('sensors of a power supply are named after it', () => {
  expect(aristaName('Input current sensor', '23', ENTITIES)).toEqual({ name: 'PSU 2 Input', group: 'PSUs' })
  expect(aristaName('Power supply temp sensor', '24', ENTITIES)).toEqual({ name: 'PSU 2', group: 'PSUs' })
  expect(aristaName('PowerSupply2 Fan 1 Sensor 1', '25', ENTITIES)).toEqual({ name: 'PSU 2 Fan 1  1', group: 'PSUs' })
})

test('others are named after what they measure, voltages grouped by converter', () => {
  const of = (descr: string, index = '10') => aristaName(descr, index, ENTITIES)
  expect(of('Cpu temp sensor')).toEqual({ name: 'Cpu', group: 'System' })
  expect(of('DOM Temperature Sensor for Ethernet7')).toEqual({ name: 'DOM Temperature  for Ethernet7', group: 'SFPs' })
  expect(of('CpucardPwrCon Rail2 5V voltage sensor')).toEqual({ name: 'Rail2 5V', group: 'Cpucard' })
  expect(of('PwrCon1 Rail3 POS1V0 voltage sensor')).toEqual({ name: 'Rail3 POS1V0', group: 'PwrCon1' })
  expect(of('Fan Tray 1 Fan 1 Sensor 1', '30')).toEqual({ name: 'Fan Tray 1 Fan 1  1', group: 'System' })
  expect(aristaName('Rear temp sensor', '1', undefined)).toEqual({ name: 'Rear', group: 'System' })
})
