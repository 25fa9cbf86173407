import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { portsOfEntities } from '../../src/modules/inventory/entity-ports.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, int, moduleOf, oid, only, text } from './agent.ts'

const ENTITY = '1.3.6.1.2.1.47.1.1.1.1'
const ALIAS = '1.3.6.1.2.1.47.1.3.2.1.2'
const IF_NAME = '1.3.6.1.2.1.31.1.1.1.1'
const CHASSIS = 3
const CONTAINER = 5
const SENSOR = 8
const MODULE = 9
const PORT = 10

type Cells = Record<string, SnmpValue>

function entity(index: number, parent: number, kind: number | null, descr: string, more: Cells = {}): Cells {
  return {
    [`${ENTITY}.2.${index}`]: text(descr),
    [`${ENTITY}.4.${index}`]: int(parent),
    ...(kind !== null && { [`${ENTITY}.5.${index}`]: int(kind) }),
    [`${ENTITY}.7.${index}`]: text(''),
    ...more,
  }
}

const optic = (index: number, parent: number, more: Cells = {}) =>
  entity(index, parent, MODULE, 'SFP transceiver 10GBASE-LR', {
    [`${ENTITY}.11.${index}`]: text(`SN${index}`),
    [`${ENTITY}.13.${index}`]: text('AC-10-LR'),
    ...more,
  })

const alias = (index: number, target: number | string): Cells => ({
  [`${ALIAS}.${index}.0`]: typeof target === 'string' ? text(target) : oid(`1.3.6.1.2.1.2.2.1.1.${target}`),
})

async function ifIndexes(cells: Cells) {
  const { rows } = only(await discover([moduleOf(MODULES, 'transceivers')], agentOf(cells)), 'transceivers')
  return rows.map(({ index, ifIndex }) => [index, ifIndex])
}

describe('the port of an optic', () => {
  test('is the nearest around it, through any containers', async () => {
    const cells = {
      ...entity(1, 0, CHASSIS, 'Router'),
      ...entity(2, 1, PORT, 'TenGig 0/0/2/2'),
      ...entity(3, 2, CONTAINER, 'Port slot'),
      ...optic(4, 3),
      ...alias(2, 44),
    }
    expect(await ifIndexes(cells)).toEqual([['4', 44]])
  })

  test('is climbed to where the agent leaves out the class', async () => {
    expect(await ifIndexes({ ...entity(2, 1, null, 'Port 2'), ...optic(4, 2), ...alias(2, 12) })).toEqual([['4', 12]])
  })

  test("is not the interface of the chassis or of the line card, which have others' too", async () => {
    const card = { ...entity(1, 0, CHASSIS, 'Router'), ...entity(2, 1, MODULE, 'Card'), ...optic(4, 2) }
    expect(await ifIndexes({ ...card, ...alias(1, 5) })).toEqual([['4', null]])
    expect(await ifIndexes({ ...card, ...alias(2, 5) })).toEqual([['4', null]])
  })

  test('may be inside it, at any depth', async () => {
    const cells = {
      ...optic(4, 1),
      ...entity(5, 4, CONTAINER, 'Lanes'),
      ...entity(6, 5, PORT, 'Lane 1'),
      ...alias(6, 9),
    }
    expect(await ifIndexes(cells)).toEqual([['4', 9]])
  })

  test('is unknown, and found in bounded time, where entities contain each other', async () => {
    const cells = { ...optic(4, 5), ...entity(5, 6, CONTAINER, 'A'), ...entity(6, 5, PORT, 'B'), ...optic(7, 7) }
    expect(await ifIndexes(cells)).toEqual([
      ['4', null],
      ['7', null],
    ])
  })

  test("has the interface's name as the module's alias, or as the name of an entity that is the port", async () => {
    const names = { [`${IF_NAME}.1001`]: text('Ethernet1'), [`${IF_NAME}.1052`]: text('Ethernet52') }
    const aliased = optic(4, 1, { [`${ENTITY}.14.4`]: text('Ethernet1') })
    expect(await ifIndexes({ ...names, ...aliased })).toEqual([['4', 1001]])
    const port = entity(8, 1, PORT, 'QSFP28 for Ethernet52', {
      [`${ENTITY}.7.8`]: text('Ethernet52'),
      [`${ENTITY}.11.8`]: text('S8'),
      [`${ENTITY}.13.8`]: text('M8'),
    })
    expect(await ifIndexes({ ...names, ...port })).toEqual([['8', 1052]])
    expect(await ifIndexes({ ...names, ...optic(4, 1, { [`${ENTITY}.14.4`]: text('Ethernet9') }) })).toEqual([
      ['4', null],
    ])
  })

  test('may be given as text', () => {
    const rows = (target: string) => portsOfEntities(new Map([['75.0', { entAliasMappingIdentifier: target }]]))
    for (const target of ['ifIndex.507', 'IF-MIB::ifIndex.507', '.1.3.6.1.2.1.2.2.1.1.507', '1.3.6.1.2.1.2.2.1.1.507'])
      expect([...rows(target)]).toEqual([[75, 507]])
    for (const target of ['', 'ifIndex.0', 'ifIndex.-1', 'ifIndex.2147483648', 'ifIndex.1e300', '0.0', 'ifName.5'])
      expect([...rows(target)]).toEqual([])
  })
})

test('a port with part and serial number is a module if a form factor describes it, and no line card is', async () => {
  const numbers = (index: number) => ({
    [`${ENTITY}.11.${index}`]: text('S'),
    [`${ENTITY}.13.${index}`]: text('M'),
  })
  const cells = {
    ...entity(3, 1, PORT, 'QSFP-100G-LR4 @ /Chassis[0]/Fpc[0]/Pic[0]/Port[0]', numbers(3)),
    ...entity(4, 1, PORT, 'Cellular modem', numbers(4)),
    ...entity(5, 1, MODULE, '32 x QSFP28 line card', numbers(5)),
    ...alias(3, 'ifIndex.507'),
  }
  const { rows } = only(await discover([moduleOf(MODULES, 'transceivers')], agentOf(cells)), 'transceivers')
  expect(rows).toMatchObject([{ index: '3', ifIndex: 507, type: 'QSFP-100G-LR4', model: 'M', serial: 'S' }])
  expect(rows).toHaveLength(1)
})

describe('a sensor in a module', () => {
  const SENSORS = '1.3.6.1.2.1.99.1.1.1'
  const celsius = (index: number): Cells => ({
    [`${SENSORS}.1.${index}`]: int(8),
    [`${SENSORS}.2.${index}`]: int(9),
    [`${SENSORS}.3.${index}`]: int(0),
    [`${SENSORS}.4.${index}`]: int(31),
    [`${SENSORS}.5.${index}`]: int(1),
  })
  async function names(cells: Cells) {
    const { rows } = only(await discover([moduleOf(MODULES, 'entity-sensors')], agentOf(cells)), 'sensors')
    return rows.map((row) => row.sensor_descr)
  }
  const port = {
    ...entity(1, 0, CHASSIS, 'Switch'),
    ...entity(2, 1, PORT, '10G port'),
    ...alias(2, 1001),
    [`${IF_NAME}.1001`]: text('1:1'),
  }

  test("has the port's name in front", async () => {
    const cells = { ...port, ...entity(7, 2, SENSOR, 'SFP Temperature Sensor'), ...celsius(7) }
    expect(await names(cells)).toEqual(['1:1 SFP Temperature'])
  })

  test('unless it is there, or the sensor is in no port', async () => {
    const named = { ...entity(7, 2, SENSOR, '1:1 Temperature Sensor'), ...entity(8, 1, SENSOR, 'Inlet Sensor') }
    expect(await names({ ...port, ...named, ...celsius(7), ...celsius(8) })).toEqual(['1:1 Temperature', 'Inlet'])
  })

  test('keeps its name where the port has none', async () => {
    const cells = { ...port, ...entity(7, 2, SENSOR, 'SFP Temperature Sensor'), ...celsius(7) }
    delete (cells as Cells)[`${IF_NAME}.1001`]
    expect(await names(cells)).toEqual(['SFP Temperature'])
  })
})

test.each(['139.4', '106.2', '134.1'])('Cisco optics of group %s are known by their vendor type', async (group) => {
  const numbers = { [`${ENTITY}.11.5`]: text('S'), [`${ENTITY}.13.5`]: text('M') }
  const type = { [`${ENTITY}.3.5`]: oid(`1.3.6.1.4.1.9.12.3.1.9.${group}`) }
  expect(await ifIndexes({ ...entity(5, 1, MODULE, '400G', { ...numbers, ...type }), ...alias(5, 3) })).toEqual([
    ['5', 3],
  ])
  expect(await ifIndexes(entity(5, 1, MODULE, '400G', numbers))).toEqual([])
})

test('what is in a Cisco transceiver container is a module', async () => {
  const numbers = { [`${ENTITY}.11.5`]: text('S'), [`${ENTITY}.13.5`]: text('M') }
  const cage = { [`${ENTITY}.3.4`]: oid('1.3.6.1.4.1.9.12.3.1.5.171') }
  const cells = { ...entity(4, 1, CONTAINER, 'Port', cage), ...entity(5, 4, MODULE, '1000BASE', numbers) }
  expect(await ifIndexes(cells)).toEqual([['5', null]])
})
