import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { portPollColumns } from '../../src/modules/ports/poll.ts'
import { MODULES } from '../../src/modules/registry.ts'
import {
  type Agent,
  agentOf,
  counter32,
  counter64,
  discover,
  gauge,
  int,
  moduleOf,
  octets,
  only,
  text,
} from './agent.ts'

const IF = '1.3.6.1.2.1.2.2.1'
const IFX = '1.3.6.1.2.1.31.1.1.1'
const PORTS = [moduleOf(MODULES, 'ports')]

function ethernet(ifIndex: number, rest: Readonly<Record<string, SnmpValue>> = {}): Record<string, SnmpValue> {
  return {
    [`${IF}.2.${ifIndex}`]: text(`GigabitEthernet0/${ifIndex}`),
    [`${IF}.3.${ifIndex}`]: int(6),
    [`${IF}.7.${ifIndex}`]: int(1),
    [`${IF}.8.${ifIndex}`]: int(1),
    [`${IFX}.1.${ifIndex}`]: text(`Gi0/${ifIndex}`),
    [`${IFX}.15.${ifIndex}`]: gauge(1000),
    [`${IFX}.6.${ifIndex}`]: counter64(5n),
    [`${IFX}.10.${ifIndex}`]: counter64(6n),
    ...rest,
  }
}

async function portsOf(agent: Agent, settings: Readonly<Record<string, unknown>> = {}, os: string | null = null) {
  return only(await discover(PORTS, agent, { settings, os }), 'ports')
}

test('a row has the values of both tables and of the duplex status', async () => {
  const agent = agentOf({
    ...ethernet(3),
    [`${IF}.6.3`]: octets('001A2B3C4D5E'),
    [`${IFX}.18.3`]: text(' uplink '),
    [`${IFX}.17.3`]: int(1),
    '1.3.6.1.2.1.10.7.2.1.19.3': int(3),
  })
  const { rows, complete } = await portsOf(agent)
  expect(complete).toBe(true)
  expect(rows).toMatchObject([
    {
      ifIndex: 3,
      ifName: 'Gi0/3',
      ifDescr: 'GigabitEthernet0/3',
      ifAlias: 'uplink',
      ifType: 'ethernetCsmacd',
      ifSpeed: 1e9,
      ifHighSpeed: 1000,
      ifPhysAddress: '001a2b3c4d5e',
      ifOperStatus: 'up',
      ifDuplex: 'fullDuplex',
      ifConnectorPresent: 'true',
    },
  ])
})

test('an empty name is filled from the other, and the alias from ifDescr', async () => {
  const { rows } = await portsOf(
    agentOf({
      [`${IF}.2.1`]: text('eth0'),
      [`${IF}.3.1`]: int(6),
      [`${IF}.2.2`]: text(''),
      [`${IF}.3.2`]: int(6),
      [`${IFX}.1.2`]: text('port2'),
    }),
  )
  expect(rows.map((r) => [r.ifName, r.ifDescr, r.ifAlias])).toEqual([
    ['eth0', 'eth0', 'eth0'],
    ['port2', 'port2', 'port2'],
  ])
})

test('a truncated walk of names fills nothing and makes the set incomplete', async () => {
  const agent = agentOf(ethernet(1), { truncated: { [`${IFX}.1`]: 0 } })
  const { rows, complete } = await portsOf(agent)
  expect(complete).toBe(false)
  expect(rows[0]?.ifName).toBeUndefined()
  expect(rows[0]?.ifAlias).toBeUndefined()
})

test('an agent without any interface does not remove the stored ones', async () => {
  expect(await portsOf(agentOf({}))).toEqual({ kind: 'ports', complete: false, rows: [] })
})

describe('speed', () => {
  test.each([
    { name: 'ifHighSpeed alone', speed: undefined, high: 10_000, want: 1e10 },
    { name: 'ifSpeed at its maximum', speed: 4_294_967_295, high: 100_000, want: 1e11 },
    { name: 'the more exact ifSpeed', speed: 1_544_000, high: 2, want: 1_544_000 },
    { name: 'ifHighSpeed 0 beside a known ifSpeed', speed: 64_000, high: 0, want: 64_000 },
    { name: 'garbage', speed: undefined, high: 4_294_901_759, want: undefined },
    { name: 'both zero', speed: 0, high: 0, want: 0 },
  ])('$name', async ({ speed, high, want }) => {
    const { rows } = await portsOf(
      agentOf(
        ethernet(1, { [`${IFX}.15.1`]: gauge(high), ...(speed !== undefined && { [`${IF}.5.1`]: gauge(speed) }) }),
      ),
    )
    expect(rows[0]?.ifSpeed).toBe(want)
  })
})

describe('which interfaces become ports', () => {
  const named = (descr: string, type = 6, status = 1) => ({
    [`${IF}.2.1`]: text(descr),
    [`${IF}.3.1`]: int(type),
    [`${IF}.8.1`]: int(status),
  })
  const settings = { bad_if: ['Bluetooth', ''], bad_if_regexp: ['/^ng[0-9]+$/', '^sl\\d', '('], bad_iftype: ['mpls'] }
  test.each([
    { name: 'an ordinary one', cells: named('eth0'), want: 1 },
    { name: 'a bad name, case-insensitive', cells: named('My BLUETOOTH net'), want: 0 },
    { name: 'a bad expression with delimiters', cells: named('NG12'), want: 0 },
    { name: 'a name that only starts like it', cells: named('ng12x'), want: 1 },
    { name: 'a bad expression without delimiters', cells: named('sl0'), want: 0 },
    { name: 'a bad type', cells: named('tunnel', 166), want: 0 },
    { name: 'an empty slot', cells: named('eth1', 6, 6), want: 0 },
    { name: 'one without any name', cells: named(''), want: 0 },
  ])('$name', async ({ cells, want }) => {
    expect((await portsOf(agentOf(cells), settings)).rows.length).toBe(want)
  })
  test('nameless ones if the OS allows them', async () => {
    expect((await portsOf(agentOf(named('')), settings, 'fortigate')).rows.length).toBe(1)
  })
  test('ones that the OS definition accepts despite the settings', async () => {
    expect((await portsOf(agentOf(named('Virtual1')), { bad_if: ['virtual'] }, 'voss')).rows.length).toBe(1)
  })
})

describe('counters', () => {
  test('moving 64-bit counters are not read again in 32 bits', async () => {
    const agent = agentOf(ethernet(1))
    const { rows } = await portsOf(agent)
    expect(rows[0]?.hcMask).toBe(0b11)
    expect(agent.asked).not.toContain(`${IF}.10`)
  })
  test('32-bit counters are read from an agent without 64-bit ones', async () => {
    const agent = agentOf({
      [`${IF}.2.1`]: text('eth0'),
      [`${IF}.10.1`]: counter32(1),
      [`${IF}.16.1`]: counter32(2),
      [`${IF}.14.1`]: counter32(0),
    })
    const { rows } = await portsOf(agent)
    expect([rows[0]?.hcMask, rows[0]?.lcMask]).toEqual([0, 0b10011])
  })
  test('a 64-bit counter at zero next to a moving 32-bit one counts as missing', async () => {
    const zero = { [`${IFX}.6.1`]: counter64(0n), [`${IFX}.10.1`]: counter64(0n) }
    const agent = agentOf(ethernet(1, { ...zero, [`${IF}.10.1`]: counter32(7), [`${IF}.16.1`]: counter32(0) }))
    const { rows } = await portsOf(agent)
    expect([rows[0]?.hcMask, rows[0]?.lcMask]).toEqual([0b10, 0b11])
  })
})

describe('portPollColumns', () => {
  const oids = (columns: readonly { oid: string; bits: number }[]) =>
    columns.filter((c) => c.bits > 0).map((c) => c.oid)
  test('64 bits if a port has them, 32 for the others', () => {
    const rows = [
      { hcMask: 0b11, lcMask: 0b11 },
      { hcMask: 0b01, lcMask: 0b11 },
    ]
    const columns = portPollColumns(rows, { snmpver: 'v2c', nonunicast: true })
    expect(oids(columns)).toEqual([`${IFX}.6`, `${IFX}.10`, `${IF}.16`])
    expect(columns.slice(0, 5).map((c) => c.field)).toEqual([
      'ifAdminStatus',
      'ifOperStatus',
      'ifName',
      'ifAlias',
      'ifHighSpeed',
    ])
  })
  test('v1 has no Counter64', () => {
    expect(oids(portPollColumns([{ hcMask: 0b11, lcMask: 0b11 }], { snmpver: 'v1', nonunicast: true }))).toEqual([
      `${IF}.10`,
      `${IF}.16`,
    ])
  })
  test('broadcast and multicast can be left out', () => {
    const rows = [{ hcMask: 0xf0f, lcMask: 0x0f0 }]
    expect(oids(portPollColumns(rows, { snmpver: 'v2c', nonunicast: true })).length).toBe(12)
    expect(oids(portPollColumns(rows, { snmpver: 'v2c', nonunicast: false })).length).toBe(8)
  })
})

test('an entry only in ifXTable is not an interface, unless the agent has no ifTable', async () => {
  const beside = { [`${IFX}.1.9`]: text('radio 1'), [`${IFX}.18.9`]: text('mast') }
  const { rows } = await portsOf(agentOf({ ...ethernet(1), ...beside }))
  expect(rows.map((row) => row.ifIndex)).toEqual([1])
  const alone = await portsOf(agentOf(beside))
  expect(alone.rows.map((row) => row.ifIndex)).toEqual([9])
})

describe('router interfaces of SR OS that ifTable lacks', () => {
  const entry = '1.3.6.1.4.1.6527.3.1.2.3.4.1'
  const router = (index: string, name: string, type: number): Record<string, SnmpValue> => ({
    [`${entry}.3.${index}`]: int(type),
    [`${entry}.4.${index}`]: text(name),
  })
  const cells = {
    ...ethernet(3),
    ...router('1.3', 'to-core', 1),
    ...router('4095.1280', 'management', 1),
    [`${entry}.25.4095.1280`]: gauge(0),
    ...router('7.4', 'customer', 5),
    [`${entry}.25.7.4`]: gauge(1500),
    [`${entry}.34.7.4`]: text('to a customer'),
    ...router('8.4', 'same number', 5),
    ...router('8.0', 'no number', 5),
    [`${entry}.3.9.9`]: int(5),
  }
  const ports = async (sysObjectID: string, more: Partial<Agent> = {}, settings = {}) =>
    only(await discover(PORTS, agentOf(cells, more), { sysObjectID, settings }), 'ports')
  const NOKIA = '1.3.6.1.4.1.6527.1.3.17'

  test('are ports without state and counters', async () => {
    const { complete, rows } = await ports(NOKIA)
    expect(complete).toBe(true)
    expect(rows.slice(1)).toMatchObject([
      { ifIndex: 4, ifName: 'customer', ifAlias: 'to a customer', ifType: 'serviceVprn', ifMtu: 1500, hcMask: 0 },
      { ifIndex: 1280, ifName: 'management', ifDescr: 'management', ifAlias: 'management', ifType: 'network' },
    ])
    expect(rows).toHaveLength(3)
    expect(rows[2]?.ifOperStatus).toBeUndefined()
    expect(rows[2]?.ifMtu).toBeUndefined()
  })

  test('obey the rules for ports, and are read only from Nokia', async () => {
    expect((await ports(NOKIA, {}, { bad_if: ['management'] })).rows.map((r) => r.ifIndex)).toEqual([3, 4])
    expect((await ports('1.3.6.1.4.1.99999.1')).rows.map((r) => r.ifIndex)).toEqual([3])
  })

  test('are not known after a truncated walk', async () => {
    expect((await ports(NOKIA, { truncated: { [`${IF}.8`]: 0 } })).rows.map((r) => r.ifIndex)).toEqual([3])
    expect((await ports(NOKIA, { truncated: { [`${entry}.4`]: 1 } })).complete).toBe(false)
  })
})
