import { expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { type Agent, agentOf, discover, int, ip, moduleOf, oid, only, text } from './agent.ts'

const INVENTORY = [moduleOf(MODULES, 'inventory')]
const JUNIPER = '1.3.6.1.4.1.2636'
const NOKIA = '1.3.6.1.4.1.6527'
const HW = `${NOKIA}.3.1.2.2.1.8.1`

const inventory = async (agent: Agent, sysObjectID: string) =>
  only(await discover(INVENTORY, agent, { sysObjectID }), 'inventory')

const container = (index: number, within: number, descr: string): Record<string, SnmpValue> => ({
  [`${JUNIPER}.3.1.6.1.4.${index}`]: int(within),
  [`${JUNIPER}.3.1.6.1.6.${index}`]: text(descr),
})

const content = (index: string, type: string, descr: string, serial: string, part: string) => ({
  [`${JUNIPER}.3.1.8.1.5.${index}`]: oid(`${JUNIPER}.1.1.3.${type}`),
  [`${JUNIPER}.3.1.8.1.6.${index}`]: text(descr),
  [`${JUNIPER}.3.1.8.1.7.${index}`]: text(serial),
  [`${JUNIPER}.3.1.8.1.8.${index}`]: text('REV 02'),
  [`${JUNIPER}.3.1.8.1.10.${index}`]: text(part),
})

const JUNOS = {
  ...container(1, 0, 'chassis frame'),
  ...container(3, 1, 'PEM slot'),
  ...container(7, 1, 'FPC slot'),
  ...container(8, 7, 'PIC slot'),
  ...content('1.1.0.0', '1.500', 'midplane', 'CHASSIS1', '710-000001'),
  ...content('3.2.0.0', '2.500.3.0', 'PEM 1', 'PEM1', '740-000001'),
  ...content('7.1.0.0', '2.12.1', 'FPC: X @ 0/*/*', 'FPC0', '750-000001'),
  ...content('8.1.2.3', '3.12.1', 'PIC: Y @ 0/1/2', 'BUILTIN', 'BUILTIN'),
}

test('Juniper: containers and contents, numbered by slot; the midplane is the chassis', async () => {
  const { complete, rows } = await inventory(agentOf(JUNOS), `${JUNIPER}.1.1.1.2.500`)
  expect(complete).toBe(true)
  expect(rows.map((row) => [row.entPhysicalIndex, row.entPhysicalContainedIn, row.entPhysicalClass])).toEqual([
    [1, 0, 'chassis'],
    [3, 1, 'container'],
    [7, 1, 'container'],
    [8, 7, 'container'],
    [2_000_003, 3, 'powerSupply'],
    [1_000_007, 7, null],
    [1_020_308, 8, null],
  ])
  expect(rows[0]).toMatchObject({ entPhysicalSerialNum: 'CHASSIS1', entPhysicalModelName: '710-000001' })
  expect(rows[5]).toMatchObject({
    entPhysicalDescr: 'FPC: X @ 0/*/*',
    entPhysicalSerialNum: 'FPC0',
    entPhysicalHardwareRev: 'REV 02',
    entPhysicalIsFRU: 'true',
  })
  expect(rows[6]).toMatchObject({ entPhysicalIsFRU: 'false' })
})

test('Nokia: the chassis by type, and tmnxHwTable', async () => {
  const agent = agentOf({
    [`${NOKIA}.3.1.2.2.1.3.1.4.1`]: int(7),
    [`${NOKIA}.3.1.2.2.1.6.1.2.7`]: text('Router 7'),
    [`${NOKIA}.3.1.2.2.1.6.1.3.7`]: text('7-Slot Chassis'),
    [`${NOKIA}.3.1.2.2.1.6.1.2.8`]: text('Router 8'),
    [`${HW}.4.1.83886082`]: text('3HE00001AA'),
    [`${HW}.5.1.83886082`]: text('NS1'),
    [`${HW}.7.1.83886082`]: int(5),
    [`${HW}.8.1.83886082`]: text('Power Supply 2'),
    [`${HW}.12.1.83886082`]: int(1),
    [`${HW}.13.1.83886082`]: int(50331649),
    [`${HW}.14.1.83886082`]: int(2),
  })
  const { rows } = await inventory(agent, `${NOKIA}.1.3.7`)
  expect(rows).toMatchObject([
    {
      entPhysicalIndex: 1,
      entPhysicalClass: 'chassis',
      entPhysicalName: 'Router 7',
      entPhysicalDescr: '7-Slot Chassis',
      entPhysicalContainedIn: 0,
    },
    {
      entPhysicalIndex: 83886082,
      entPhysicalClass: 'powerSupply',
      entPhysicalName: 'Power Supply 2',
      entPhysicalModelName: '3HE00001AA',
      entPhysicalSerialNum: 'NS1',
      entPhysicalIsFRU: 'true',
      entPhysicalContainedIn: 50331649,
      entPhysicalParentRelPos: 2,
    },
  ])
  expect(rows.length).toBe(2)
})

test("a vendor's tables are read only from its own agents, and only without ENTITY-MIB", async () => {
  const other = agentOf(JUNOS)
  expect((await inventory(other, '1.3.6.1.4.1.8072.3.2.10')).rows).toEqual([])
  expect(other.asked.filter((asked) => asked.startsWith(`${JUNIPER}.`))).toEqual([])
  const standard = agentOf({ ...JUNOS, '1.3.6.1.2.1.47.1.1.1.1.7.1': text('Chassis') })
  expect((await inventory(standard, `${JUNIPER}.1.1.1.2.500`)).rows.length).toBe(1)
})

test('truncated contents make the inventory incomplete, so nothing vanishes', async () => {
  const agent = agentOf(JUNOS, { truncated: { [`${JUNIPER}.3.1.8.1.6`]: 1 } })
  expect((await inventory(agent, `${JUNIPER}.1.1.1.2.500`)).complete).toBe(false)
})

test('OcNOS: stack units, and the modules in their cages', async () => {
  const cmm = '1.3.6.1.4.1.36673.100.1.2'
  const agent = agentOf({
    [`${cmm}.1.1.2.1`]: text('S9500'),
    [`${cmm}.1.1.3.1`]: text('UNIT1'),
    [`${cmm}.2.1.2.1.4`]: int(1),
    [`${cmm}.2.1.8.1.4`]: int(9),
    [`${cmm}.2.1.9.1.4`]: int(-100001),
    [`${cmm}.2.1.25.1.4`]: int(100),
    [`${cmm}.2.1.26.1.4`]: text('ACME'),
    [`${cmm}.2.1.28.1.4`]: text('SFP-T'),
    [`${cmm}.2.1.35.1.4`]: text('SFP1'),
    [`${cmm}.2.1.42.1.4`]: int(3),
    '1.3.6.1.2.1.31.1.1.1.1.5000': text('xe0'),
    '1.3.6.1.2.1.31.1.1.1.1.5002': text('xe2'),
  })
  const { rows } = await inventory(agent, '1.3.6.1.4.1.36673')
  expect(rows).toMatchObject([
    { entPhysicalIndex: 1, entPhysicalClass: 'chassis', entPhysicalName: 'S9500', entPhysicalSerialNum: 'UNIT1' },
    {
      entPhysicalIndex: 10_004,
      entPhysicalDescr: 'sfp 1000base-t 100m',
      entPhysicalContainedIn: 1,
      entPhysicalMfgName: 'ACME',
      ifIndex: 5002,
    },
  ])
})

test('Aruba Instant: the virtual controller and its access points, in the order of their MAC addresses', async () => {
  const ai = '1.3.6.1.4.1.14823.2.3.3.1'
  const point = (last: number, name: string, address: string) => ({
    [`${ai}.2.1.1.2.2.0.0.0.0.${last}`]: text(name),
    [`${ai}.2.1.1.3.2.0.0.0.0.${last}`]: ip(address),
  })
  const agent = agentOf({
    [`${ai}.1.2.0`]: text('cluster'),
    [`${ai}.1.4.0`]: text('8.4.0.0_1'),
    [`${ai}.1.6.0`]: ip('192.0.2.2'),
    ...point(9, 'ap-9', '192.0.2.9'),
    ...point(2, 'ap-2', '192.0.2.2'),
  })
  const { rows } = await inventory(agent, '1.3.6.1.4.1.14823.1.2.111')
  expect(rows.map((row) => [row.entPhysicalIndex, row.entPhysicalName, row.entPhysicalSoftwareRev])).toEqual([
    [1, 'cluster', null],
    [2, 'ap-2 192.0.2.2 Cluster Master', '8.4.0.0'],
    [3, 'ap-9 192.0.2.9 Cluster Member', '8.4.0.0'],
  ])
})
