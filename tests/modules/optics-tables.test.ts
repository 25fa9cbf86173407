import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { PLAIN, plainTransceiver } from '../../src/modules/transceivers/plain.ts'
import { agentOf, discover, int, moduleOf, octets, oid, only, text } from './agent.ts'

const E = '1.3.6.1.4.1'
const IF_NAME = '1.3.6.1.2.1.31.1.1.1.1'
type Cell = string | number | SnmpValue

const snmpValue = (cell: Cell): SnmpValue =>
  typeof cell === 'string' ? text(cell) : typeof cell === 'number' ? int(cell) : cell

/** What is found on a device of a product; OIDs without a leading 1 are below the enterprises. */
async function found(product: string, cells: Readonly<Record<string, Cell>>) {
  const values = Object.entries(cells).map(([id, cell]) => [id.startsWith('1.3.') ? id : `${E}.${id}`, snmpValue(cell)])
  const agent = agentOf(Object.fromEntries(values))
  const device = { sysObjectID: `${E}.${product}` }
  return { agent, ...only(await discover([moduleOf(MODULES, 'transceivers')], agent, device), 'transceivers') }
}

const SWITCH = '16.0.39.248.1.2.3.4.5.0.0.0.0.0.0.0.0'
const FC = '1.3.6.1.3.94.1.10.1'

describe('Fibre Channel switches', () => {
  const cells = {
    [`${FC}.8.${SWITCH}.1`]: 9,
    [`${FC}.9.${SWITCH}.1`]: 9,
    [`${FC}.12.${SWITCH}.1`]: 'SN1',
    [`${FC}.13.${SWITCH}.1`]: 'B ',
    [`${FC}.14.${SWITCH}.1`]: 'ACME ',
    [`${FC}.18.${SWITCH}.1`]: 0,
    // an empty cage, and a module of which nothing is known but its form
    [`${FC}.9.${SWITCH}.2`]: 8,
    [`${FC}.12.${SWITCH}.2`]: 'stale',
    [`${FC}.9.${SWITCH}.3`]: 9,
    [`${FC}.12.${SWITCH}.3`]: '',
    // unknown kinds and an absurd port
    [`${FC}.8.${SWITCH}.4`]: 1,
    [`${FC}.9.${SWITCH}.4`]: 77,
    [`${FC}.12.${SWITCH}.4`]: 'SN4',
    [`${FC}.18.${SWITCH}.4`]: -1,
    [`${IF_NAME}.1073741824`]: 'FC port 0/0',
  }

  test('type, vendor, revision and serial number; the interface is named after the physical number', async () => {
    const { rows } = await found('1588.2.1.1.1', cells)
    expect(rows).toMatchObject([
      {
        index: '1',
        ifIndex: 1073741824,
        type: 'smallFormFactor shortwaveNoOFC',
        vendor: 'ACME',
        revision: 'B',
        serial: 'SN1',
      },
      { index: '4', ifIndex: null, type: null, serial: 'SN4' },
    ])
    expect(rows).toHaveLength(2)
  })

  test('are not asked for on other devices', async () => {
    expect((await found('9.1.1', cells)).rows).toEqual([])
  })
})

test('Allied Telesis: a module for each interface with diagnostics, with its channels', async () => {
  const entry = '207.8.4.4.3.28.1.5.1.3'
  const { rows } = await found('207.1.14.99', {
    [`${entry}.5028.1`]: 92,
    [`${entry}.5049.1`]: 80,
    [`${entry}.5049.2`]: 81,
    [`${entry}.5049.3`]: 82,
    [`${entry}.5049.4`]: 83,
    [`${entry}.5050.999`]: 83,
    [`${entry}.0.1`]: 1,
  })
  expect(rows.map(({ index, ifIndex, channels, ddm }) => [index, ifIndex, channels, ddm])).toEqual([
    ['5028', 5028, 1, 1],
    ['5049', 5049, 4, 1],
    ['5050', 5050, 16, 1],
  ])
})

test("Junos Evolved: the module's lanes by interface; an impossible count is none", async () => {
  const module = (index: number, port: number) => ({
    [`1.3.6.1.2.1.47.1.1.1.1.2.${index}`]: 'QSFP-100G-LR4 @ /Chassis[0]/Fpc[0]/Pic[0]/Port[0]',
    [`1.3.6.1.2.1.47.1.1.1.1.5.${index}`]: 10,
    [`1.3.6.1.2.1.47.1.1.1.1.7.${index}`]: 'QSFP-100G-LR4',
    [`1.3.6.1.2.1.47.1.1.1.1.11.${index}`]: `S${index}`,
    [`1.3.6.1.2.1.47.1.1.1.1.13.${index}`]: 'M',
    [`1.3.6.1.2.1.47.1.3.2.1.2.${index}.0`]: oid(`1.3.6.1.2.1.2.2.1.1.${port}`),
  })
  const lanes = '2636.3.60.1.1.1.1.30'
  const cells = { ...module(75, 507), ...module(76, 509), [`${lanes}.507`]: 4, [`${lanes}.509`]: 1_000_000 }
  const { rows } = await found('2636.1.1.1.4.82.99', cells)
  expect(rows.map(({ ifIndex, channels }) => [ifIndex, channels])).toEqual([
    [507, 4],
    [509, 1],
  ])
})

describe('tables that need only a conversion', () => {
  test.each([
    {
      name: 'ADVANTECH-EKI-PRONEER-MIB: the port as text, with or without its length',
      product: '10297.202.7001',
      cells: { '10297.202.7000.2.5.1.1.8.1.57': 'S1', '10297.202.7000.2.5.1.1.8.49.48': 'S2' },
      rows: [
        { ifIndex: 9, serial: 'S1' },
        { ifIndex: 10, serial: 'S2' },
      ],
    },
    {
      name: 'UBNT-UFIBER-MIB: the interface by its name; cages without a module have a row',
      product: '41112.1.5',
      cells: {
        '41112.1.5.7.2.1.2.1': 'sfp1',
        '41112.1.5.7.2.1.4.1': 'ACME',
        '41112.1.5.7.2.1.5.1': 'PN1',
        '41112.1.5.7.2.1.2.2': 'sfp2',
        '41112.1.5.7.2.1.5.2': '',
        [`${IF_NAME}.12`]: 'sfp1',
      },
      rows: [{ index: '1', ifIndex: 12, vendor: 'ACME', model: 'PN1' }],
    },
    {
      name: 'VIPTELA-OPER-VPN: indexed by the name of the interface',
      product: '41916.3.1',
      cells: { '41916.12.17.1.1.21.3.103.101.49': 'S3', [`${IF_NAME}.7`]: 'ge1' },
      rows: [{ ifIndex: 7, serial: 'S3' }],
    },
    {
      name: 'TROPIC-OPTICALPORT-MIB: nanometres or hundredths of one',
      product: '7483.1.3.1.9',
      cells: {
        '7483.2.2.4.3.5.46.1.2.16908544': 'S4',
        '7483.2.2.4.3.5.46.1.6.16908544': 131_000,
        '7483.2.2.4.3.5.46.1.2.16908800': 'S5',
        '7483.2.2.4.3.5.46.1.6.16908800': 1310,
        '7483.2.2.4.3.5.46.1.2.16909056': 'S6',
        '7483.2.2.4.3.5.46.1.6.16909056': 2_000_000_000,
      },
      rows: [
        { ifIndex: 16908544, wavelength: 1310 },
        { ifIndex: 16908800, wavelength: 1310 },
        { ifIndex: 16909056, wavelength: null },
      ],
    },
    {
      name: 'ELTEX-PHY-MIB: connectors are codes',
      product: '35265.1.139',
      cells: { '35265.52.1.1.3.1.1.1.28': 7, '35265.52.1.1.3.1.1.6.28': 'S7' },
      rows: [{ ifIndex: 28, connector: 'LC' }],
    },
    {
      name: 'RAPID-CITY on a VOSS switch',
      product: '1916.2.302',
      cells: { '2272.1.71.1.1.9.192': 'S8', '2272.1.71.1.1.13.192': 1, '2272.1.71.1.1.16.192': 850 },
      rows: [{ ifIndex: 192, serial: 'S8', ddm: 1, wavelength: 850 }],
    },
    {
      name: 'FS-MIB',
      product: '52642.2.1.45.101',
      cells: { '52642.2.1.45.1.2.10.1.10.25': 'S9', '52642.2.1.45.1.2.10.1.8.25': 'PN9' },
      rows: [{ ifIndex: 25, serial: 'S9', model: 'PN9' }],
    },
    {
      name: 'NPT-SYSTEM-MIB',
      product: '1286.5.1',
      cells: { '1286.5.1.1.2.1.8.3.1.5.11': 'S10', '1286.5.1.1.2.1.8.3.1.3.11': 'OTR10' },
      rows: [{ index: '11', ifIndex: null, serial: 'S10', type: 'OTR10' }],
    },
  ] as const)('$name', async ({ product, cells, rows }) => {
    const result = await found(product, cells)
    expect(result.rows).toMatchObject([...rows])
    expect(result.rows).toHaveLength(rows.length)
  })

  test('each finds a module, and nothing in an empty cage or under an index that cannot be', () => {
    const interfaces = { ofEntity: new Map<number, number>(), byName: new Map<string, number>() }
    for (const plain of PLAIN) {
      const index = plain.index === 'name' ? '3.103.101.49' : '25'
      const field = plain.table.columns['serial'] === undefined ? 'model' : 'serial'
      expect(plainTransceiver(plain, index, { [field]: 'X1' }, interfaces)).toMatchObject({ index, [field]: 'X1' })
      for (const nothing of ['', ' ', 'N/A', '--']) {
        expect(plainTransceiver(plain, index, { [field]: nothing }, interfaces)).toBeNull()
      }
      if (plain.index === 'interface') {
        for (const bad of ['0', '2147483648', '1.2', '']) {
          expect(plainTransceiver(plain, bad, { [field]: 'X1' }, interfaces)).toBeNull()
        }
      }
    }
  })
})

test('the first table of a vendor that has modules is used, and no other is read', async () => {
  const both = {
    '1588.3.1.8.1.3.1.5.192': 'S1',
    '2272.1.71.1.1.9.193': 'S2',
  }
  const first = await found('1916.2.302', both)
  expect(first.rows).toMatchObject([{ ifIndex: 192 }])
  expect(first.agent.asked.some((column) => column.startsWith(`${E}.2272.`))).toBe(false)
  const second = await found('1916.2.302', { ...both, '1588.3.1.8.1.3.1.5.192': 'N/A' })
  expect(second.rows).toMatchObject([{ ifIndex: 193 }])
})

test("H3C: the vendor's OUI is octets or text", async () => {
  const table = '25506.2.70.1.1.1'
  const { rows } = await found('25506.11.1.99', {
    [`${table}.2.49`]: '10G_BASE_SR_SFP',
    [`${table}.39.49`]: octets('00107a'),
    [`${table}.2.50`]: '10G_BASE_SR_SFP',
    [`${table}.39.50`]: '00-90-65',
    [`${table}.2.51`]: '10G_BASE_SR_SFP',
    [`${table}.39.51`]: octets(''),
  })
  expect(rows.map(({ oui }) => oui)).toEqual(['00 10 7A', '00-90-65', null])
})
