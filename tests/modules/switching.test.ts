import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { Observation } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { type Reader, runModules } from '../../src/modules/run.ts'
import { namedPortList, portList, textPortList } from '../../src/modules/vlans/port-list.ts'
import { type Agent, agentOf, discover, FACTS, int, moduleOf, octets, only, readerOf, text } from './agent.ts'

const STACK = '1.3.6.1.2.1.31.1.2.1.3'
const LAG = '1.2.840.10006.300.43.1.2.1.1.12'
const BASE_PORT = '1.3.6.1.2.1.17.1.4.1.2'
const STP = '1.3.6.1.2.1.17.2.15.1'
const PLAIN_FDB = '1.3.6.1.2.1.17.4.3.1.2'
const Q_FDB = '1.3.6.1.2.1.17.7.1.2.2.1.2'
const FDB_ID = '1.3.6.1.2.1.17.7.1.4.2.1.3'
const EGRESS = '1.3.6.1.2.1.17.7.1.4.2.1.4'
const UNTAGGED = '1.3.6.1.2.1.17.7.1.4.2.1.5'
const STATIC = '1.3.6.1.2.1.17.7.1.4.3.1'
const PVID = '1.3.6.1.2.1.17.7.1.4.5.1.1'
const VTP = '1.3.6.1.4.1.9.9.46.1.3.1.1'
const TRUNK = '1.3.6.1.4.1.9.9.46.1.6.1.1'
const VM_VLAN = '1.3.6.1.4.1.9.9.68.1.2.2.1.2'

const JUNIPER = { sysObjectID: '1.3.6.1.4.1.2636.1.1.1.2.31' }
const CISCO = { sysObjectID: '1.3.6.1.4.1.9.1.1208' }
const OTHER = { sysObjectID: '1.3.6.1.4.1.8072.3.2.10' }
/** 02:00:00:00:00:01, as an index. */
const MAC = '2.0.0.0.0'

const run = (name: string, agent: Agent, facts = OTHER) => discover([moduleOf(MODULES, name)], agent, facts)
const tree = { priority: 0, state: 'unknown', cost: 0 }

describe('port lists', () => {
  test('the most significant bit comes first', () => {
    expect(portList(Uint8Array.of(0x81, 0x40))).toEqual([1, 8, 10])
    expect(portList(Uint8Array.of(0x80), 0)).toEqual([0])
    expect(portList(undefined)).toEqual([])
  })

  test('numbers and names in text; anything else is left out', () => {
    expect(textPortList(new TextEncoder().encode('513, 0,x,,4097'))).toEqual([513, 0, 4097])
    expect(namedPortList('1/0/1-3, 1/0/9')).toEqual(['1/0/1', '1/0/2', '1/0/3', '1/0/9'])
    expect(namedPortList('')).toEqual([])
  })
})

describe('port stack', () => {
  test('layers of ifStackTable: the interface above is the high one, and 0 stands for none', async () => {
    const agent = agentOf({ [`${STACK}.5.1`]: int(1), [`${STACK}.0.5`]: int(1), [`${STACK}.1.0`]: int(1) })
    expect(only(await run('port-stack', agent), 'port-stack')).toEqual({
      kind: 'port-stack',
      complete: true,
      rows: [
        { high_ifIndex: 5, low_ifIndex: 1, ifStackStatus: 'active' },
        { high_ifIndex: 0, low_ifIndex: 5, ifStackStatus: 'active' },
        { high_ifIndex: 1, low_ifIndex: 0, ifStackStatus: 'active' },
      ],
    })
    expect(agent.asked).not.toContain(LAG)
  })

  test('members of link aggregation groups if there is no ifStackTable', async () => {
    const agent = agentOf({ [`${LAG}.1`]: int(100), [`${LAG}.2`]: int(0), [`${LAG}.3`]: int(3) })
    const { rows } = only(await run('port-stack', agent), 'port-stack')
    expect(rows).toEqual([{ high_ifIndex: 100, low_ifIndex: 1, ifStackStatus: 'active' }])
  })

  test('a truncated walk is not complete; garbage is left out', async () => {
    const cells = {
      [`${STACK}.5.1`]: int(1),
      [`${STACK}.6`]: int(1),
      [`${STACK}.7.1`]: int(9),
      [`${STACK}.8.1`]: int(1),
    }
    const found = only(await run('port-stack', agentOf(cells, { truncated: { [STACK]: 3 } })), 'port-stack')
    expect(found.complete).toBe(false)
    expect(found.rows.length).toBe(1)
  })
})

describe('VLANs of Q-BRIDGE-MIB', () => {
  const agent = () =>
    agentOf({
      [`${BASE_PORT}.1`]: int(101),
      [`${BASE_PORT}.2`]: int(102),
      [`${STATIC}.1.10`]: text('office'),
      [`${STATIC}.1.20`]: text(''),
      [`${EGRESS}.0.10`]: octets('c0'),
      [`${UNTAGGED}.0.10`]: octets('80'),
      [`${EGRESS}.0.20`]: octets('2040'),
      [`${PVID}.1`]: int(10),
      [`${PVID}.2`]: int(0),
    })

  test('names, members by their interface, and the VLAN of each port', async () => {
    const found = await run('vlans', agent())
    expect(only(found, 'vlans').rows).toEqual([
      { vlan_vlan: 10, vlan_domain: 1, vlan_name: 'office', vlan_type: null, vlan_state: 1 },
      { vlan_vlan: 20, vlan_domain: 1, vlan_name: 'VLAN 20', vlan_type: null, vlan_state: 1 },
    ])
    // bridge ports 3 and 10 have no interface
    expect(only(found, 'port-vlans').rows).toEqual([
      { ...tree, ifIndex: 101, vlan: 10, baseport: 1, untagged: 1 },
      { ...tree, ifIndex: 102, vlan: 10, baseport: 2, untagged: 0 },
    ])
    expect(only(found, 'port-switching').rows).toEqual([
      { ifIndex: 101, ifVlan: '10', ifTrunk: null },
      { ifIndex: 102, ifVlan: null, ifTrunk: null },
    ])
    expect(found.every((o) => 'complete' in o && o.complete)).toBe(true)
  })

  test('tables of other vendors are not read', async () => {
    const asked = agent()
    await run('vlans', asked)
    expect(asked.asked.filter((oid) => oid.startsWith('1.3.6.1.4.1.') && !oid.startsWith(VTP))).toEqual([])
  })

  test('configured members if the current ones are missing', async () => {
    const cells = { [`${STATIC}.1.5`]: text('five'), [`${STATIC}.2.5`]: octets('80'), [`${STATIC}.4.5`]: octets('80') }
    const { rows } = only(await run('vlans', agentOf(cells)), 'port-vlans')
    expect(rows).toEqual([{ ...tree, ifIndex: 1, vlan: 5, baseport: 1, untagged: 1 }])
  })

  test('an agent without VLANs gives an empty complete set, one that stops answering an incomplete set', async () => {
    expect(only(await run('vlans', agentOf({})), 'vlans')).toEqual({ kind: 'vlans', complete: true, rows: [] })
    const truncated = agentOf(Object.fromEntries(agent().values), { truncated: { [EGRESS]: 1 } })
    for (const o of await run('vlans', truncated)) expect(o).toMatchObject({ complete: false })
  })

  test('Junos sends text lists, and names in its own MIB', async () => {
    const cells: Record<string, SnmpValue> = {
      [`${BASE_PORT}.513`]: int(520),
      [`${STATIC}.2.7`]: text('0,513'),
      [`${STATIC}.4.7`]: text('513'),
      '1.3.6.1.4.1.2636.3.48.1.3.1.1.2.4': text('seven'),
      '1.3.6.1.4.1.2636.3.48.1.3.1.1.3.4': int(7),
    }
    const found = await run('vlans', agentOf(cells), JUNIPER)
    expect(only(found, 'vlans').rows).toMatchObject([{ vlan_vlan: 7, vlan_name: 'seven' }])
    expect(only(found, 'port-vlans').rows).toEqual([{ ...tree, ifIndex: 520, vlan: 7, baseport: 513, untagged: 1 }])
  })
})

test('VLANs of Nokia are the outer tags of access points', async () => {
  const row = '1.3.6.1.4.1.6527.3.1.2.4.3.2.1.3'
  const agent = agentOf({
    [`${row}.7.35684352.100`]: int(1),
    [`${row}.8.35684352.${200 * 0x10000 + 100}`]: int(1),
    [`${row}.9.35684353.0`]: int(1),
    [`${row}.9.35684353.4095`]: int(1),
  })
  const found = await run('vlans', agent, { sysObjectID: '1.3.6.1.4.1.6527.1.3.23' })
  expect(only(found, 'vlans').rows.map((vlan) => [vlan.vlan_vlan, vlan.vlan_domain])).toEqual([[100, null]])
  expect(only(found, 'port-vlans').rows).toEqual([{ ...tree, ifIndex: 35684352, vlan: 100, baseport: 0, untagged: 0 }])
})

describe('VLANs of Cisco', () => {
  const vlan = (number: number, state: number, type = 1) => ({
    [`${VTP}.2.1.${number}`]: int(state),
    [`${VTP}.3.1.${number}`]: int(type),
    [`${VTP}.4.1.${number}`]: text(`name-${number}`),
  })
  const ten = new Map<string, SnmpValue>([
    [`${BASE_PORT}.7`, int(10007)],
    [`${STP}.2.7`, int(128)],
    [`${STP}.3.7`, int(5)],
    [`${STP}.5.7`, int(19)],
    [`${PLAIN_FDB}.${MAC}.10`, int(7)],
  ])
  const agent = () =>
    agentOf(
      {
        ...vlan(1, 1),
        ...vlan(10, 1),
        ...vlan(30, 2),
        ...vlan(1002, 1, 2),
        [`${BASE_PORT}.1`]: int(10001),
        [`${PLAIN_FDB}.${MAC}.1`]: int(1),
        [`${VM_VLAN}.10001`]: int(1),
        [`${VM_VLAN}.10008`]: int(10),
        [`${TRUNK}.5.10007`]: int(1),
        [`${TRUNK}.16.10007`]: int(4),
        [`${TRUNK}.5.10001`]: int(1),
        [`${TRUNK}.16.10001`]: int(6),
      },
      { contexts: { 10: ten } },
    )

  test('VTP without FDDI, and ports with the spanning tree of their VLAN', async () => {
    const found = await run('vlans', agent(), CISCO)
    expect(only(found, 'vlans').rows.map((row) => [row.vlan_vlan, row.vlan_type, row.vlan_state])).toEqual([
      [1, 'ethernet', 1],
      [10, 'ethernet', 1],
      [30, 'ethernet', 0],
    ])
    const rows = only(found, 'port-vlans').rows.toSorted((a, b) => a.vlan - b.vlan || a.ifIndex - b.ifIndex)
    expect(rows).toEqual([
      { ...tree, ifIndex: 10001, vlan: 1, baseport: 1, untagged: 1 },
      { ...tree, ifIndex: 10007, vlan: 1, baseport: 0, untagged: 1 },
      { ifIndex: 10007, vlan: 10, baseport: 7, priority: 128, state: 'forwarding', cost: 19, untagged: 0 },
      { ...tree, ifIndex: 10008, vlan: 10, baseport: 0, untagged: 1 },
    ])
    expect(only(found, 'port-switching').rows).toContainEqual({ ifIndex: 10007, ifVlan: '1', ifTrunk: 'dot1Q' })
  })

  test('missing contexts cost little, and no stored rows are lost', async () => {
    const many = Object.assign({}, ...[11, 12, 13, 14, 15].map((number) => vlan(number, 1)))
    const asked: (string | null)[] = []
    const reader = readerOf(agentOf({ ...vlan(1, 1), ...many }))
    const silent: Reader = {
      ...reader,
      table(needed, context) {
        asked.push(context)
        const nothing = { supported: true, complete: false, rows: new Map() }
        return context === null ? reader.table(needed, context) : Promise.resolve(nothing)
      },
    }
    const found: Observation[] = []
    const modules = [moduleOf(MODULES, 'vlans'), moduleOf(MODULES, 'fdb')]
    for await (const { observations } of runModules(modules, 'discover', { ...FACTS, ...CISCO }, silent)) {
      found.push(...observations)
    }
    expect(asked.filter((context) => context !== null)).toEqual(['11', '12'])
    expect(only(found, 'vlans')).toMatchObject({ complete: true, rows: { length: 6 } })
    expect(only(found, 'port-vlans').complete).toBe(false)
    expect(only(found, 'fdb').complete).toBe(false)
  })

  test('the forwarding database of each VLAN comes from its context', async () => {
    expect(only(await run('fdb', agent(), CISCO), 'fdb').rows).toEqual([
      { mac_address: '020000000001', vlan: 1, ifIndex: 10001 },
      { mac_address: '02000000000a', vlan: 10, ifIndex: 10007 },
    ])
  })
})

describe('forwarding databases', () => {
  test('a filtering database belongs to its VLAN, else its number is the VLAN', async () => {
    const cells = {
      [`${BASE_PORT}.1`]: int(101),
      [`${FDB_ID}.0.200`]: int(3),
      [`${Q_FDB}.3.${MAC}.1`]: int(1),
      [`${Q_FDB}.4.${MAC}.1`]: int(55),
      [`${Q_FDB}.4.${MAC}.2`]: int(0),
      [`${Q_FDB}.4.${MAC}`]: int(1),
    }
    const agent = agentOf(cells)
    expect(only(await run('fdb', agent), 'fdb')).toEqual({
      kind: 'fdb',
      complete: true,
      rows: [
        { mac_address: '020000000001', vlan: 200, ifIndex: 101 },
        { mac_address: '020000000001', vlan: 4, ifIndex: 55 },
      ],
    })
    expect(agent.asked).not.toContain(PLAIN_FDB)
  })

  describe('with shared learning', () => {
    /**
     * VLANs 9 and 10 share database 1. Ports 2 and 3 are in one of them, ports 1, 4 and 5 in both, port 6 in neither.
     */
    const shared = (more: Record<string, SnmpValue>): Record<string, SnmpValue> => ({
      [`${FDB_ID}.0.9`]: int(1),
      [`${FDB_ID}.0.10`]: int(1),
      [`${FDB_ID}.0.11`]: int(2),
      [`${EGRESS}.0.9`]: octets('d8'),
      [`${EGRESS}.0.10`]: octets('b8'),
      [`${EGRESS}.0.11`]: octets('80'),
      ...more,
    })
    const learned = (database: number, ports: readonly number[]): Record<string, SnmpValue> =>
      Object.fromEntries(ports.map((port, i) => [`${Q_FDB}.${database}.${MAC}.${i + 1}`, int(port)]))
    const vlans = async (cells: Record<string, SnmpValue>) =>
      only(await run('fdb', agentOf(cells)), 'fdb').rows.map(({ vlan }) => vlan)

    test("the VLAN is the port's; if several remain, the choice is stable", async () => {
      expect(await vlans(shared(learned(1, [2, 3, 1, 6])))).toEqual([9, 10, 9, 9])
      expect(await vlans(shared(learned(2, [1, 6])))).toEqual([11, 11])
    })

    test('untagged frames belong to dot1qPvid', async () => {
      // ports 1, 4 and 5 send frames of both untagged
      const untagged = { [`${UNTAGGED}.0.9`]: octets('d8'), [`${UNTAGGED}.0.10`]: octets('b8') }
      const pvid = { [`${PVID}.1`]: int(9), [`${PVID}.4`]: int(10), [`${PVID}.5`]: int(77), [`${PVID}.2`]: int(10) }
      expect(await vlans(shared({ ...untagged, ...pvid, ...learned(1, [1, 4, 5, 2]) }))).toEqual([9, 10, 9, 9])
    })

    test('tagged frames may belong to either, regardless of dot1qPvid', async () => {
      const untagged = { [`${UNTAGGED}.0.9`]: octets('d8'), [`${UNTAGGED}.0.10`]: octets('20') }
      const pvid = { [`${PVID}.1`]: int(10), [`${PVID}.4`]: int(10) }
      expect(await vlans(shared({ ...untagged, ...pvid, ...learned(1, [1, 4]) }))).toEqual([9, 9])
    })

    test('VLAN members are read only if VLANs share a database', async () => {
      const asking = agentOf(shared(learned(1, [1])))
      await run('fdb', asking)
      expect(asking.asked).toContain(EGRESS)
      const alone = agentOf({ [`${FDB_ID}.0.9`]: int(1), ...learned(1, [1]) })
      await run('fdb', alone)
      expect(alone.asked.filter((oid) => [EGRESS, UNTAGGED, PVID].includes(oid))).toEqual([])
    })
  })

  test('Huawei: its own table with VLAN and interface is used instead', async () => {
    const port = '1.3.6.1.4.1.2011.5.25.42.2.1.3.1.4'
    const agent = agentOf({
      [`${port}.${MAC}.1.10.0`]: int(7),
      [`${port}.${MAC}.2.0.3.114.101.100`]: int(8),
      [`${port}.${MAC}.3.10.0`]: int(0),
      [`${PLAIN_FDB}.${MAC}.1`]: int(1),
    })
    expect(only(await run('fdb', agent, { sysObjectID: '1.3.6.1.4.1.2011.2.23.1' }), 'fdb').rows).toEqual([
      { mac_address: '020000000001', vlan: 10, ifIndex: 7 },
      { mac_address: '020000000002', vlan: null, ifIndex: 8 },
    ])
    expect(agent.asked).not.toContain(PLAIN_FDB)
  })

  test('a database without VLANs, even if indexes start with their length', async () => {
    const cells = { [`${PLAIN_FDB}.${MAC}.1`]: int(4), [`${PLAIN_FDB}.6.${MAC}.2`]: int(5) }
    expect(only(await run('fdb', agentOf(cells)), 'fdb').rows).toEqual([
      { mac_address: '020000000001', vlan: null, ifIndex: 4 },
      { mac_address: '020000000002', vlan: null, ifIndex: 5 },
    ])
  })

  test('bridge ports numbered from 1 while their table numbers them from an offset', async () => {
    const cells = {
      [`${BASE_PORT}.49153`]: int(49153),
      [`${BASE_PORT}.49154`]: int(49154),
      [`${Q_FDB}.1.${MAC}.1`]: int(2),
    }
    expect(only(await run('fdb', agentOf(cells)), 'fdb').rows).toMatchObject([{ ifIndex: 49154 }])
  })

  test('a truncated walk is not complete', async () => {
    const cells = { [`${Q_FDB}.1.${MAC}.1`]: int(2), [`${Q_FDB}.1.${MAC}.2`]: int(2) }
    const found = only(await run('fdb', agentOf(cells, { truncated: { [Q_FDB]: 1 } })), 'fdb')
    expect([found.complete, found.rows.length]).toEqual([false, 1])
  })
})
