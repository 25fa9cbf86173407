import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { longest, reported } from '../../src/modules/transceivers/row.ts'
import { type Agent, agentOf, discover, gauge, int, moduleOf, octets, oid, only, text } from './agent.ts'

const ENTITY = '1.3.6.1.2.1.47.1.1.1.1'
const COLUMNS = { descr: 2, type: 3, parent: 4, class: 5, name: 7, rev: 8, serial: 11, mfgName: 12, model: 13 } as const
const CONTAINER = 5
const SENSOR = 8
const MODULE = 9
const PORT = 10
const SFP_CAGE = '1.3.6.1.4.1.9.12.3.1.5.115'

/** Cells of a physical entity. */
function entity(
  index: number,
  cells: Partial<Record<keyof typeof COLUMNS, string | number>>,
): Record<string, SnmpValue> {
  const found: Record<string, SnmpValue> = { [`${ENTITY}.7.${index}`]: text('') }
  for (const [name, value] of Object.entries(cells)) {
    const key = `${ENTITY}.${COLUMNS[name as keyof typeof COLUMNS]}.${index}`
    found[key] = typeof value === 'number' ? int(value) : name === 'type' ? oid(value) : text(value)
  }
  return found
}

/** entAliasMappingIdentifier of an entity: the interface. */
const alias = (index: number, ifIndex: number) => ({
  [`1.3.6.1.2.1.47.1.3.2.1.2.${index}.0`]: oid(`1.3.6.1.2.1.2.2.1.1.${ifIndex}`),
})

async function found(agent: Agent, sysObjectID: string | null = null) {
  return only(await discover([moduleOf(MODULES, 'transceivers')], agent, { sysObjectID }), 'transceivers')
}

const SFP = {
  class: MODULE,
  parent: 10,
  descr: '1000BaseSX SFP',
  model: 'GLC-SX',
  serial: 'S1',
  mfgName: 'ACME',
  rev: 'V01',
}

describe('among the physical entities', () => {
  test('a module in a cage is found, with its EEPROM data, its port and its sensors', async () => {
    const agent = agentOf({
      ...entity(10, { class: CONTAINER, type: SFP_CAGE, descr: 'Container' }),
      ...entity(11, SFP),
      ...entity(12, { class: SENSOR, parent: 11, descr: 'Temperature' }),
      ...alias(11, 10101),
    })
    expect((await found(agent)).rows).toEqual([
      {
        index: '11',
        ifIndex: 10101,
        entity_physical_index: 11,
        type: '1000BaseSX SFP',
        vendor: 'ACME',
        oui: null,
        model: 'GLC-SX',
        revision: 'V01',
        serial: 'S1',
        date: null,
        ddm: 1,
        encoding: null,
        cable: null,
        distance: null,
        wavelength: null,
        connector: null,
        channels: 1,
      },
    ])
  })

  test.each([
    { name: 'a port inside the module', mapped: 20 },
    { name: 'the cage around it', mapped: 10 },
  ])('the interface may be that of $name', async ({ mapped }) => {
    const agent = agentOf({
      ...entity(10, { class: CONTAINER, descr: 'transceiver container 0' }),
      ...entity(11, SFP),
      ...entity(20, { class: PORT, parent: 11, descr: 'Gi0/0/0' }),
      ...alias(mapped, 7),
    })
    expect((await found(agent)).rows).toMatchObject([{ index: '11', ifIndex: 7, ddm: null }])
  })

  test.each([
    { name: 'the vendor type', cells: { ...SFP, parent: 1, type: '1.3.6.1.4.1.9.12.3.1.9.76.3' } },
    { name: 'the name', cells: { ...SFP, parent: 1, name: 'Transceiver(slot:1-port:25)' } },
    { name: 'a slot that is the module itself', cells: { ...SFP, class: CONTAINER, descr: 'Xcvr for Ethernet1' } },
  ])('$name identifies it too', async ({ cells }) => {
    expect((await found(agentOf(entity(11, cells)))).rows).toMatchObject([{ index: '11', serial: 'S1' }])
  })

  test.each([
    { name: 'an empty cage', cells: { class: CONTAINER, type: SFP_CAGE, descr: 'SFP container' } },
    { name: 'a line card with SFP ports', cells: { ...SFP, parent: 1, descr: '24-port SFP+ line card' } },
    { name: 'a port without any data', cells: { class: PORT, parent: 10, descr: 'Gi0/1' } },
  ])('$name is not a transceiver', async ({ cells }) => {
    const agent = agentOf({ ...entity(10, { class: CONTAINER, type: SFP_CAGE }), ...entity(11, cells) })
    expect((await found(agent)).rows).toEqual([])
  })

  test("a module's EEPROM, shown as an entity inside it, is not a second module", async () => {
    const optics = { ...SFP, type: '1.3.6.1.4.1.9.12.3.1.9.76.1' }
    const agent = agentOf({ ...entity(11, { ...optics, parent: 1 }), ...entity(12, { ...optics, parent: 11 }) })
    expect((await found(agent)).rows.map((row) => row.index)).toEqual(['11'])
  })

  test('a truncated walk is not complete', async () => {
    const agent = agentOf(entity(11, { ...SFP, name: 'transceiver' }), { truncated: { [`${ENTITY}.7`]: 0 } })
    expect(await found(agent)).toMatchObject({ complete: false, rows: [] })
  })
})

test('one column is read from an agent without transceivers', async () => {
  const agent = agentOf({})
  expect(await found(agent)).toEqual({ kind: 'transceivers', complete: true, rows: [] })
  expect(agent.asked).toEqual([`${ENTITY}.7`])
})

describe('vendor tables', () => {
  test("are read from the vendor's devices, and replace the entities", async () => {
    const table = '1.3.6.1.4.1.25506.2.70.1.1.1'
    const cells = {
      ...entity(11, { ...SFP, name: 'transceiver' }),
      [`${table}.1.26`]: text('SM'),
      [`${table}.2.26`]: text('1000_BASE_LX_SFP'),
      [`${table}.3.26`]: int(1310),
      [`${table}.5.26`]: text('X1'),
      [`${table}.7.26`]: int(10000),
      [`${table}.8.26`]: int(2),
      // An empty cage has an empty row.
      [`${table}.1.27`]: text(''),
      [`${table}.3.27`]: int(0),
    }
    const comware = await found(agentOf(cells), '1.3.6.1.4.1.25506.1.1')
    expect(comware.rows).toMatchObject([
      { index: '26', ifIndex: 26, cable: 'SM', wavelength: 1310, distance: 10000, serial: 'X1', ddm: 0 },
    ])
    expect((await found(agentOf(cells), '1.3.6.1.4.1.9.1.1')).rows).toMatchObject([{ index: '11' }])
  })

  test('ProCurve sends distance and wavelength as text', async () => {
    const table = '1.3.6.1.4.1.11.2.14.11.5.1.82.1.1.1.1'
    const agent = agentOf({
      [`${table}.3.49`]: text('J4859C'),
      [`${table}.7.49`]: text('1310nm'),
      [`${table}.8.49`]: text('20.0km (9um),'),
      [`${table}.9.49`]: int(1),
    })
    const { rows } = await found(agent, '1.3.6.1.4.1.11.2.3.7.11.1')
    expect(rows).toMatchObject([{ model: 'J4859C', wavelength: 1310, distance: 20_000, ddm: 1 }])
  })

  test('MikroTik: hundredths of a nanometre; -128 °C means an empty cage', async () => {
    const table = '1.3.6.1.4.1.14988.1.1.19.1.1'
    const agent = agentOf({
      [`${table}.2.25`]: text('sfp1'),
      [`${table}.5.25`]: gauge(131_000),
      [`${table}.6.25`]: gauge(28),
      [`${table}.2.26`]: text('sfp2'),
      [`${table}.6.26`]: gauge(4_294_967_168),
    })
    expect((await found(agent, '1.3.6.1.4.1.14988.2')).rows).toMatchObject([{ index: '25', wavelength: 1310 }])
  })

  test("Huawei: rows of ports without a module are skipped; the interface is the entity's", async () => {
    const table = '1.3.6.1.4.1.2011.5.25.31.1.1.3.1'
    const agent = agentOf({
      ...entity(67, { class: PORT, descr: 'Port' }),
      ...alias(67, 54),
      [`${table}.4.67`]: text('SN1'),
      [`${table}.45.67`]: text('50(50um),20(62.5um),100(OM3)'),
      [`${table}.4.68`]: text(''),
    })
    expect((await found(agent, '1.3.6.1.4.1.2011.2.23.1')).rows).toMatchObject([
      { index: '67', ifIndex: 54, serial: 'SN1', distance: 100 },
    ])
  })

  test('OcNOS: front-panel numbers lead to the interface, numbered from 0 or 1 depending on its kind', async () => {
    const table = '1.3.6.1.4.1.36673.100.1.2.2.1'
    const cage = (index: number, type: number, panel: number) => ({
      [`${table}.2.1.${index}`]: int(type),
      [`${table}.3.1.${index}`]: int(type === 2 ? 4 : 1),
      [`${table}.20.1.${index}`]: int(-100_002),
      [`${table}.24.1.${index}`]: int(70),
      [`${table}.37.1.${index}`]: int(1),
      [`${table}.42.1.${index}`]: int(panel),
    })
    const name = (ifIndex: number, value: string) => ({ [`1.3.6.1.2.1.31.1.1.1.1.${ifIndex}`]: text(value) })
    const agent = agentOf({
      ...cage(4, 1, 3),
      ...cage(10, 2, 5),
      ...name(5002, 'xe2'),
      ...name(5003, 'xe3'),
      ...name(5004, 'xe0'),
      ...name(10005, 'ce1'),
      ...name(10021, 'ce5'),
    })
    expect((await found(agent, '1.3.6.1.4.1.36673.1')).rows).toMatchObject([
      { index: '1.4', ifIndex: 5002, type: 'sfp', channels: 1, distance: 70, ddm: 1 },
      { index: '1.10', ifIndex: 10021, type: 'qsfp', channels: 4 },
    ])
  })

  test('Nokia 1830: codes of SFF-8024', async () => {
    const table = '1.3.6.1.4.1.7483.2.2.7.3.1.3.1'
    const agent = agentOf({
      [`${table}.1.5`]: int(1),
      [`${table}.2.5`]: octets('030a'),
      [`${table}.4.5`]: octets('07'),
      [`${table}.16.5`]: gauge(155_000),
      [`${table}.19.5`]: text('N/A'),
      [`${table}.12.5`]: text('ACME   '),
      [`${table}.1.6`]: int(2),
    })
    expect((await found(agent, '1.3.6.1.4.1.7483.1.3')).rows).toMatchObject([
      { index: '5', type: 'SFP', connector: 'LC', wavelength: 1550, vendor: 'ACME', serial: null },
    ])
  })
})

test.each([
  { text: '10.0km (9um), 550m (50um)', metres: 10_000 },
  { text: '50(50um),20(62.5um),100(OM3)', metres: 100 },
  { text: '3m', metres: 3 },
  { text: 'n/a', metres: null },
  { text: '', metres: null },
])('the longest distance in "$text"', ({ text, metres }) => {
  expect(longest(text)).toBe(metres)
})

test.each(['', ' ', 'N/A', 'unknown', '--', 'None'])('"%s" counts as no value', (nothing) => {
  expect(reported(nothing)).toBeNull()
})

test('Nokia SR OS: modules of equipped ports, by chassis and port; wavelengths from 850,000 are in picometres', async () => {
  const port = '1.3.6.1.4.1.6527.3.1.2.2.4.2.1'
  const agent = agentOf({
    [`${port}.34.1.35684352`]: int(1),
    [`${port}.25.1.35684352`]: int(3),
    [`${port}.27.1.35684352`]: gauge(1_310_000),
    [`${port}.28.1.35684352`]: int(1),
    [`${port}.29.1.35684352`]: text('3HE00028CA'),
    [`${port}.30.1.35684352`]: int(7),
    [`${port}.31.1.35684352`]: gauge(0x00_0b_40),
    [`${port}.45.1.35684352`]: text('S77'),
    [`${port}.80.1.35684352`]: gauge(1),
    [`${port}.34.1.35717120`]: int(2),
    [`${port}.25.1.35717120`]: int(0),
  })
  expect((await found(agent, '1.3.6.1.4.1.6527.1.3.4')).rows).toMatchObject([
    { ifIndex: 35684352, type: 'SFP', oui: '000b40', model: '3HE00028CA', serial: 'S77', ddm: 1 },
  ])
  expect((await found(agent, '1.3.6.1.4.1.6527.1.3.4')).rows).toMatchObject([{ wavelength: 1310, connector: 'LC' }])
})

test('Zyxel: a module by port; an empty cage has neither part nor serial number', async () => {
  const table = '1.3.6.1.4.1.890.1.15.3.84.1.1.1'
  const agent = agentOf({
    [`${table}.1.25`]: int(1),
    [`${table}.2.25`]: text('ACME'),
    [`${table}.3.25`]: text('SFP-LX'),
    [`${table}.4.25`]: text('S25'),
    [`${table}.1.26`]: int(3),
    [`${table}.3.26`]: text('--'),
    [`${table}.4.26`]: text(''),
  })
  expect((await found(agent, '1.3.6.1.4.1.890.1.5.8.99')).rows).toMatchObject([
    { ifIndex: 25, vendor: 'ACME', model: 'SFP-LX', serial: 'S25', ddm: 1 },
  ])
})

describe('vendor tables that need only a conversion of units', () => {
  const E = '1.3.6.1.4.1'
  test.each([
    {
      name: 'DELL-NETWORKING-IF-EXTENSION-MIB; a cage without a module has a row',
      product: '6027.1.5.2',
      cells: {
        '6027.3.11.1.3.1.1.4.2097284': '10GBASE-SR',
        '6027.3.11.1.3.1.1.5.2097284': 'ACME',
        '6027.3.11.1.3.1.1.6.2097284': 'PN1',
        '6027.3.11.1.3.1.1.7.2097284': 'S1',
        '6027.3.11.1.3.1.1.6.2097412': '',
        '6027.3.11.1.3.1.1.7.2097412': '',
      },
      row: { ifIndex: 2097284, type: '10GBASE-SR', vendor: 'ACME', model: 'PN1', serial: 'S1' },
    },
    {
      name: 'RAISECOM-OPTICAL-TRANSCEIVER-MIB: wavelength in picometres',
      product: '8886.6.180',
      cells: {
        '8886.1.18.2.1.1.1.4.25': 'USFP-Gb/S1-R',
        '8886.1.18.2.1.1.1.5.25': 'S2',
        '8886.1.18.2.1.1.1.7.25': 10000,
        '8886.1.18.2.1.1.1.16.25': 1310000,
      },
      row: { ifIndex: 25, model: 'USFP-Gb/S1-R', serial: 'S2', distance: 10000, wavelength: 1310 },
    },
    {
      name: 'ELTEX-PHY-MIB',
      product: '35265.1.139',
      cells: {
        '35265.52.1.1.3.1.1.4.49': 850,
        '35265.52.1.1.3.1.1.6.49': 'S3',
        '35265.52.1.1.3.1.1.9.49': 1,
        '35265.52.1.1.3.1.1.10.49': 'PN3',
      },
      row: { ifIndex: 49, serial: 'S3', model: 'PN3', ddm: 1, wavelength: 850 },
    },
    {
      name: 'UBQS-ENTITY-MIB: indexed by entity',
      product: '7800.1.12',
      cells: { '7800.100.3.1.5.2.1.6.1001': 'S4', '7800.100.3.1.5.2.1.4.1001': 'PN4' },
      row: { ifIndex: null, entity_physical_index: 1001, serial: 'S4', model: 'PN4' },
    },
    {
      name: 'SL-SFP-MIB: wavelength in hundredths of a nanometre',
      product: '4515.100.3',
      cells: { '4515.1.10.1.1.1.31.7': 'S6', '4515.1.10.1.1.1.25.7': 'PN6', '4515.1.10.1.1.1.27.7': 155_051 },
      row: { ifIndex: 7, serial: 'S6', model: 'PN6', wavelength: 1551 },
    },
    {
      name: 'ERICSSON-ROUTER-OPTICAL-TRANSCEIVER-MIB: wavelength in hundredths of a nanometre',
      product: '193.218.1.1',
      cells: {
        '193.218.2.50.1.1.1.3.536870913': 'SFP+ 10GE-LR',
        '193.218.2.50.1.1.1.6.536870913': 1,
        '193.218.2.50.1.1.1.8.536870913': 'S7',
        '193.218.2.50.1.1.1.10.536870913': 131_000,
      },
      row: { ifIndex: 536870913, type: 'SFP+ 10GE-LR', serial: 'S7', ddm: 1, wavelength: 1310 },
    },
    {
      name: 'NEXANS-BM-MIB: indexed by the interface',
      product: '266.1.3.61',
      cells: { '266.20.5.1.1.4.6': 'PN8', '266.20.5.1.1.6.6': 'S8', '266.20.5.1.1.9.6': '850' },
      row: { ifIndex: 6, serial: 'S8', model: 'PN8', wavelength: 850 },
    },
    {
      name: 'HMPRIV-MGMT-SNMP-MIB: indexed by unit and port',
      product: '248.14.10.40',
      cells: { '248.14.1.1.13.1.9.1.3': 'S5', '248.14.1.1.13.1.7.1.3': 'M-SFP-SX/LC' },
      row: { index: '1.3', ifIndex: null, serial: 'S5', model: 'M-SFP-SX/LC' },
    },
    {
      name: 'FOUNDRY-SN-SWITCH-GROUP-MIB: a copper port without a module has a row',
      product: '1991.1.3.48',
      cells: {
        '1991.1.1.3.3.9.1.1.1': '10GBASE-SR',
        '1991.1.1.3.3.9.1.2.1': 'ACME',
        '1991.1.1.3.3.9.1.4.1': 'PN9',
        '1991.1.1.3.3.9.1.5.1': 'S9',
        '1991.1.1.3.3.9.1.1.2': 'N/A',
        '1991.1.1.3.3.9.1.4.2': 'N/A',
        '1991.1.1.3.3.9.1.5.2': 'N/A',
      },
      row: { ifIndex: 1, type: '10GBASE-SR', vendor: 'ACME', model: 'PN9', serial: 'S9' },
    },
    {
      name: 'BROCADE-OPTICAL-MONITORING-MIB',
      product: '1916.2.310',
      cells: { '1588.3.1.8.1.3.1.4.201351168': 'PN10', '1588.3.1.8.1.3.1.5.201351168': 'S10' },
      row: { ifIndex: 201351168, model: 'PN10', serial: 'S10' },
    },
    {
      name: 'PERLE-MCR-MGT-MIB: indexed by chassis, slot and port',
      product: '1966.20.1',
      cells: { '1966.21.1.1.1.1.5.1.10.1.2.1': 1310, '1966.21.1.1.1.1.5.1.42.1.2.1': 'S11' },
      row: { index: '1.2.1', ifIndex: null, serial: 'S11', wavelength: 1310 },
    },
    {
      name: 'ECS4210-MIB: a node below the product',
      product: '259.10.1.42.101',
      cells: {
        '259.10.1.42.101.1.2.10.1.8.25': 'PN12',
        '259.10.1.42.101.1.2.10.1.10.25': 'S12',
        '259.10.1.42.101.1.2.10.1.12.25': '850 nm',
      },
      row: { ifIndex: 25, model: 'PN12', serial: 'S12', wavelength: 850 },
    },
    {
      name: 'ECS2100-MIB',
      product: '259.10.1.43.103',
      cells: { '259.10.1.43.1.2.10.1.2.9': 'LC', '259.10.1.43.1.2.10.1.10.9': 'S13' },
      row: { ifIndex: 9, serial: 'S13', connector: 'LC' },
    },
  ])('$name', async ({ product, cells, row }) => {
    const values = Object.entries(cells).map(([id, cell]) => [
      `${E}.${id}`,
      typeof cell === 'string' ? text(cell) : int(cell),
    ])
    const { rows } = await found(agentOf(Object.fromEntries(values)), `${E}.${product}`)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject(row)
  })
})
