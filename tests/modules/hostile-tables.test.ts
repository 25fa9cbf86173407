import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { MibTable, Row } from '@portlight/snmp/table.ts'
import type { Reader } from '../../src/modules/run.ts'
import { longest } from '../../src/modules/transceivers/row.ts'
import { agentOf, int, octets, only, readerOf, run, text } from './agent.ts'
import { runOf, tables, within } from './hostile.ts'

// Tables as no switch has them: what they cost is limited, and what makes no sense is left out.

const STATIC = '1.3.6.1.2.1.17.7.1.4.3.1'
const VTP = '1.3.6.1.4.1.9.9.46.1.3.1.1'
const CISCO = '1.3.6.1.4.1.9.1.1'

setDefaultTimeout(120_000)

describe('members of VLANs', () => {
  test('port lists that name millions of ports are cut, which is reported and removes nothing', async () => {
    const everyPort = octets('ff'.repeat(8000))
    const cells = Array.from({ length: 40 }, (_, i) => [
      [`${STATIC}.1.${i + 2}`, text(`v${i}`)],
      [`${STATIC}.2.${i + 2}`, everyPort],
    ])
    const found = await runOf('vlans', readerOf(agentOf(Object.fromEntries(cells.flat()))), '1.3.6.1.4.1.4413.1')
    const members = only(found.observations, 'port-vlans')
    expect([members.complete, members.rows.length]).toEqual([false, 7 * 64_000])
    expect(only(found.observations, 'vlans')).toMatchObject({ complete: true, rows: { length: 40 } })
    expect(found.unread).toEqual(['Q-BRIDGE-MIB::dot1qVlanStaticTable (index 2)'])
  })

  test('octets after those of the ports cost no VLAN its members', async () => {
    const cells = Array.from({ length: 200 }, (_, i) => [
      [`${STATIC}.1.${i + 2}`, text(`v${i}`)],
      [`${STATIC}.2.${i + 2}`, octets(`c0${'ff'.repeat(5000)}`)],
    ])
    const ports = [1, 2, 3].map((port) => [`1.3.6.1.2.1.17.1.4.1.2.${port}`, int(100 + port)])
    const agent = agentOf(Object.fromEntries([...cells.flat(), ...ports]))
    const found = await runOf('vlans', readerOf(agent), '1.3.6.1.4.1.4413.1')
    expect(only(found.observations, 'port-vlans')).toMatchObject({ complete: true, rows: { length: 2 * 200 } })
    expect(found.unread).toEqual([])
  })

  test('the same VLAN at many times counts once', async () => {
    const entry = '1.3.6.1.2.1.17.7.1.4.2.1.4'
    const cells = Array.from({ length: 900 }, (_, i) => [`${entry}.${i}.7`, octets('ff'.repeat(100))])
    const found = await runOf('vlans', readerOf(agentOf(Object.fromEntries(cells))), '1.3.6.1.4.1.4413.1')
    expect(only(found.observations, 'port-vlans')).toMatchObject({ complete: true, rows: { length: 800 } })
  })

  test('a Cisco switch with thousands of VLANs and 40,000 interfaces does not hold up the others', async () => {
    const reader = tables(
      {
        vtpVlanTable: (i) => [`1.${i}`, { vtpVlanState: 2, vtpVlanType: 1 }],
        vmMembershipTable: (i) => [`${i}`, { vmVlan: 1 + (i % 4000) }],
        vlanTrunkPortTable: (i) => [`${100_000 + i}`, { vlanTrunkPortNativeVlan: 5 }],
      },
      20_000,
    )
    const { observations } = await within(20, () => runOf('vlans', reader, CISCO))
    // 4,095 numbers of VLANs exist
    expect(only(observations, 'vlans').rows).toHaveLength(4095)
    expect(only(observations, 'port-vlans').rows).toHaveLength(40_000)
  })
})

test('20,000 addresses in both tables, without masks, do not take long', async () => {
  const addressOf = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
  const reader = tables(
    {
      ipAddrTable: (i) => [addressOf(i), { ipAdEntIfIndex: 1, ipAdEntNetMask: '' }],
      ipAddressTable: (i) => [`1.4.${addressOf(i)}`, { ipAddressIfIndex: 1 }],
    },
    20_000,
  )
  const { observations } = await within(20, () => runOf('addresses', reader, CISCO))
  expect(only(observations, 'ipv4').rows).toHaveLength(20_000)
})

describe('names of thousands of characters', () => {
  const ENTITY = '1.3.6.1.2.1.47.1.1.1.1'
  const SENSOR = '1.3.6.1.2.1.99.1.1.1'

  test.each([
    ['blanks', `a${' '.repeat(8000)}b`],
    ['the same word', 'DOM '.repeat(2000)],
  ])('of sensors: %s', async (_, name) => {
    const cells = Array.from({ length: 40 }, (_, i) => [
      [`${ENTITY}.7.${i + 1}`, text(name)],
      ...[14, 9, 0, 20, 1].map((value, column) => [`${SENSOR}.${column + 1}.${i + 1}`, int(value)]),
    ])
    const agent = agentOf(Object.fromEntries(cells.flat()))
    const found = await within(10, () => run('entity-sensors', agent, '1.3.6.1.4.1.30065.1.1'))
    expect(only(found, 'sensors').rows).toHaveLength(40)
  })

  test('of distances', () =>
    within(10, async () => {
      for (let i = 0; i < 40; i++) longest(`${'1'.repeat(8000)}_`)
    }))
})

describe('numbers that no VLAN has', () => {
  test('Cisco: neither a VLAN nor a context', async () => {
    const cells = Object.fromEntries(
      [0, 10, 4096, 4_294_967_295].flatMap((vlan) => [
        [`${VTP}.2.1.${vlan}`, int(1)],
        [`${VTP}.3.1.${vlan}`, int(1)],
      ]),
    )
    expect(only(await run('vlans', agentOf(cells), CISCO), 'vlans').rows.map((r) => r.vlan_vlan)).toEqual([10])
  })

  test('a bridge port has a number of 16 bits', async () => {
    const cells = {
      '1.3.6.1.2.1.17.1.4.1.2.9': int(3),
      '1.3.6.1.2.1.17.1.4.1.2.4294967295': int(4),
      [`${VTP}.2.1.1`]: int(1),
      [`${VTP}.3.1.1`]: int(1),
    }
    const { rows } = only(await run('vlans', agentOf(cells), CISCO), 'port-vlans')
    expect(rows.map(({ baseport }) => baseport)).toEqual([9])
  })

  test('a database is no VLAN if its number is none', async () => {
    const cells = { '1.3.6.1.2.1.17.7.1.2.2.1.2.4294967295.0.0.94.0.83.1': int(3) }
    const { rows } = only(await run('fdb', agentOf(cells), '1.3.6.1.4.1.4413.1'), 'fdb')
    expect(rows).toEqual([{ mac_address: '00005e005301', vlan: null, ifIndex: 3 }])
  })

  test.each([
    ['Nortel', '1.3.6.1.4.1.45.3', '1.3.6.1.4.1.2272.1.3.2.1', 2, '1.3.6.1.4.1.2272.1.3.3.1.7'],
    ['TP-Link', '1.3.6.1.4.1.11863.5', '1.3.6.1.4.1.11863.6.14.1.2.1.1', 2, '1.3.6.1.4.1.11863.6.14.1.1.1.1.3'],
  ])('%s: indexes of other forms are left out', async (_, product, entry, name, ports) => {
    const indexes = ['7', '0', '1.2', '1.2.3', '4294967295']
    const cells = {
      ...Object.fromEntries(indexes.map((index) => [`${entry}.${name}.${index}`, text('x')])),
      ...Object.fromEntries(['9', '1.2', '1.2.3'].map((index) => [`${ports}.${index}`, int(7)])),
    }
    const found = await run('vlans', agentOf(cells), product)
    expect(only(found, 'vlans').rows.map((r) => r.vlan_vlan)).toEqual([7])
    expect(only(found, 'port-switching').rows).toEqual([{ ifIndex: 9, ifVlan: '7', ifTrunk: null }])
  })
})

test('texts without a number in every cell of the tables of definitions', async () => {
  const text = 'Transceiver 1/1 '.padEnd(200, 'a ')
  const cells = {
    Integer: 1,
    Counter64: 1n,
    DisplayString: text,
    OctetString: Uint8Array.of(1),
    PhysAddress: '',
    Oid: '1.3',
    IpAddress: '192.0.2.1',
    Mask: '',
    Value: { kind: 'OctetString', value: new TextEncoder().encode(text) },
  } as const
  const reader: Reader = {
    table<T extends MibTable>({ table, columns }: { readonly table: T; readonly columns: readonly string[] }) {
      const row = Object.fromEntries(columns.map((name) => [name, cells[table.columns[name]?.syntax ?? 'Integer']]))
      const rows = new Map(Array.from({ length: 10_000 }, (_, i) => [`${i + 1}`, row as Row<T>]))
      return Promise.resolve({ supported: true, complete: true, rows })
    },
    scalars: (list) => Promise.resolve({ complete: true, values: list.map(({ syntax }) => cells[syntax]) }),
  }
  const { observations } = await within(20, () => runOf('defined-health', reader, CISCO))
  expect(observations.length).toBeGreaterThan(0)
})
