import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { bridgeId, isOfPort, portId } from '../../src/modules/spanning-tree/bridge-id.ts'
import { type Agent, agentOf, counter32, int, moduleOf, octets, only, poll, row, run, text, ticks } from './agent.ts'

const BASE = '1.3.6.1.2.1.17.1'
const STP = '1.3.6.1.2.1.17.2'
const PORTS = `${STP}.15.1`
const TYPE = '1.3.6.1.4.1.9.9.82.1.6.1.0'
const CISCO = '1.3.6.1.4.1.9.1.1208'
const OWN = '00005e005311'
const ROOT = '00005e005301'

/** A tree whose root is reached through bridge port 2. */
const tree = (more: Readonly<Record<string, SnmpValue>> = {}, vlan = 0): Record<string, SnmpValue> => ({
  [`${BASE}.1.0`]: octets(OWN),
  [`${STP}.2.0`]: int(32_768 + vlan),
  [`${STP}.3.0`]: ticks(360_050),
  [`${STP}.4.0`]: counter32(12 + vlan),
  [`${STP}.5.0`]: octets(`1000${ROOT}`),
  [`${STP}.6.0`]: int(20_004),
  [`${STP}.7.0`]: int(2),
  [`${STP}.8.0`]: int(2000),
  [`${STP}.9.0`]: int(200),
  [`${STP}.11.0`]: int(1500),
  ...more,
})

const port = (number: number, state: number, bridge: string, sender: string): Record<string, SnmpValue> => ({
  [`${BASE}.4.1.2.${number}`]: int(100 + number),
  ...row(PORTS, String(number), {
    2: int(128),
    3: int(state),
    5: int(20_000),
    8: octets(bridge),
    9: octets(sender),
    10: counter32(3),
  }),
})

const PORT_CELLS = {
  ...port(1, 5, `8000${OWN}`, '8001'),
  ...port(2, 5, `1000${ROOT}`, '8007'),
  ...port(3, 2, '800000005e005322', '8003'),
  ...port(4, 2, `8000${OWN}`, '8001'),
  ...port(5, 1, `8000${OWN}`, '8005'),
  ...port(6, 2, `8000${OWN}`, '8006'),
}

const found = (agent: Agent, sysObjectID: string | null = null) => run('spanning-tree', agent, sysObjectID)
const polled = (agent: Agent, sysObjectID: string | null = null) =>
  poll([moduleOf(MODULES, 'spanning-tree')], agent, { sysObjectID })

describe('one tree', () => {
  test('root, times in seconds, states, and the roles that follow from the tree', async () => {
    const edges = { ...row(`${STP}.19.1`, '1', { 3: int(1) }), ...row(`${STP}.19.1`, '2', { 3: int(2) }) }
    const all = await found(agentOf({ ...tree({ [`${STP}.16.0`]: int(2) }), ...PORT_CELLS, ...edges }))
    expect(only(all, 'stp')).toEqual({
      kind: 'stp',
      complete: true,
      rows: [
        {
          instance: 'CST',
          vlan: null,
          protocol: 'rstp',
          bridgeAddress: OWN,
          priority: 32_768,
          designatedRoot: ROOT,
          rootPriority: 4096,
          rootCost: 20_004,
          rootPort: 2,
          is_root: 0,
          topChanges: 12,
          timeSinceTopologyChange: 3600.5,
          maxAge: 20,
          helloTime: 2,
          forwardDelay: 15,
        },
      ],
    })
    const { rows } = only(all, 'stp_ports')
    expect(rows.map(({ port_index, ifIndex, state, role }) => [port_index, ifIndex, state, role])).toEqual([
      [1, 101, 'forwarding', 'designated'],
      [2, 102, 'forwarding', 'root'],
      [3, 103, 'blocking', 'alternate'],
      [4, 104, 'blocking', 'backup'],
      [5, 105, 'disabled', 'disabled'],
      [6, 106, 'blocking', 'designated'],
    ])
    expect(rows[0]).toEqual({
      instance: 'CST',
      vlan: null,
      port_index: 1,
      ifIndex: 101,
      state: 'forwarding',
      role: 'designated',
      priority: 128,
      pathCost: 20_000,
      designatedBridge: OWN,
      designatedPort: 0x8001,
      forwardTransitions: 3,
      edge: 1,
    })
  })

  test('the root itself', async () => {
    const agent = agentOf({
      ...tree({ [`${STP}.5.0`]: octets(`8000${OWN}`), [`${STP}.6.0`]: int(0), [`${STP}.7.0`]: int(0) }),
      ...port(1, 5, `8000${OWN}`, '8001'),
    })
    expect(only(await found(agent), 'stp').rows[0]).toMatchObject({ is_root: 1, rootPort: 0, rootCost: 0 })
    // some agents have a root port although they are the root
    const odd = agentOf({ ...tree({ [`${STP}.5.0`]: octets(`8000${OWN}`) }), ...port(2, 5, `8000${OWN}`, '8002') })
    expect(only(await found(odd), 'stp').rows[0]).toMatchObject({ is_root: 1, rootPort: 2 })
    expect(only(await found(odd), 'stp_ports').rows[0]).toMatchObject({ role: 'designated' })
    // the address of a stack can differ from that of its tree
    const other = { [`${BASE}.1.0`]: octets('00005e005333'), [`${STP}.6.0`]: int(0), [`${STP}.7.0`]: int(0) }
    expect(only(await found(agentOf({ ...tree(other), ...PORT_CELLS })), 'stp').rows[0]?.is_root).toBe(1)
  })

  test('a bridge on which no tree runs has none, and one that reports only port states has an unknown root', async () => {
    const zero = { [`${STP}.4.0`]: counter32(0), [`${STP}.6.0`]: int(0), [`${STP}.7.0`]: int(0) }
    const off = agentOf({ ...tree({ ...zero, [`${STP}.5.0`]: octets('0000000000000000') }), ...PORT_CELLS })
    expect(only(await found(off), 'stp').rows).toEqual([])
    expect(only(await found(off), 'stp_ports').rows).toEqual([])
    const alone = { ...zero, [`${STP}.5.0`]: octets(`0000${OWN}`), [`${STP}.8.0`]: int(0) }
    expect(only(await found(agentOf({ ...tree(alone), ...PORT_CELLS })), 'stp').rows).toEqual([])
    const states = agentOf({ ...row(PORTS, '1', { 3: int(5) }), [`${STP}.2.0`]: int(0x8000) })
    const few = await found(states)
    expect(only(few, 'stp').rows).toMatchObject([{ instance: 'CST', protocol: null }])
    expect(only(few, 'stp').rows[0]?.designatedRoot).toBeUndefined()
    expect(only(few, 'stp').rows[0]?.is_root).toBeUndefined()
    expect(only(await found(agentOf(row(PORTS, '1', { 3: int(5) }))), 'stp').rows).toEqual([])
    // without dot1dBasePortTable, bridge ports are numbered as interfaces
    expect(only(few, 'stp_ports').rows).toMatchObject([{ ifIndex: 1, state: 'forwarding', role: null }])
  })

  test('without spanning tree nothing else is asked', async () => {
    const agent = agentOf({})
    expect(only(await found(agent), 'stp')).toEqual({ kind: 'stp', complete: true, rows: [] })
    expect(agent.asked).toEqual([`${BASE}.4.1.2`, `${PORTS}.2`, '1.3.6.1.4.1.9.9.46.1.3.1.1.2'])
  })

  test('numbers that cannot be, and ports that cannot be, are left out', async () => {
    for (const bad of [-1, 1e300, 2 ** 33, -0.5]) {
      const cells = tree({
        [`${STP}.2.0`]: int(bad),
        [`${STP}.4.0`]: int(bad),
        [`${STP}.6.0`]: int(bad),
        [`${STP}.8.0`]: int(bad),
      })
      const rows = only(await found(agentOf({ ...cells, ...row(PORTS, '2', { 3: int(5), 5: int(bad) }) })), 'stp').rows
      expect(rows).toMatchObject([{ priority: null, topChanges: null, rootCost: null, maxAge: null }])
    }
    const odd = {
      ...row(PORTS, '0', { 3: int(5) }),
      ...row(PORTS, '70000', { 3: int(5) }),
      ...row(PORTS, '1.2', { 3: int(5) }),
    }
    const all = await found(agentOf({ ...tree(), ...odd, ...row(PORTS, '7', { 3: int(99) }) }))
    expect(only(all, 'stp_ports').rows).toMatchObject([{ port_index: 7, state: undefined, role: null }])
  })

  test('a truncated walk is not complete', async () => {
    const agent = agentOf({ ...tree(), ...PORT_CELLS }, { truncated: { [`${PORTS}.3`]: 2 } })
    const all = await found(agent)
    expect([only(all, 'stp').complete, only(all, 'stp_ports').complete]).toEqual([false, false])
  })

  test('a poll reads what moves, keeps the interface, and removes nothing', async () => {
    const agent = agentOf({ ...tree(), ...PORT_CELLS })
    const all = await polled(agent)
    expect(only(all, 'stp')).toMatchObject({ complete: false, rows: [{ instance: 'CST', topChanges: 12 }] })
    const [first] = only(all, 'stp_ports').rows
    expect(first).toMatchObject({ port_index: 1, state: 'forwarding', role: 'designated', forwardTransitions: 3 })
    expect(first && 'ifIndex' in first).toBe(false)
    expect(agent.asked).not.toContain(`${PORTS}.5`)
    expect(await polled(agentOf({}))).toEqual([])
  })
})

describe('a tree for each VLAN', () => {
  const vlans = (...numbers: number[]): Record<string, SnmpValue> =>
    Object.assign(
      {},
      ...numbers.map((vlan) => row('1.3.6.1.4.1.9.9.46.1.3.1.1', `1.${vlan}`, { 2: int(1), 3: int(1) })),
    )
  const context = (vlan: number) => new Map(Object.entries({ ...tree({}, vlan), ...port(3, 5, `8000${OWN}`, '8003') }))
  const main = { ...tree({}, 1), ...PORT_CELLS, ...vlans(1, 10, 20), [TYPE]: int(5) }

  test('VLAN 1 in the default context, the others in their own', async () => {
    const agent = agentOf(main, { contexts: { '10': context(10), '20': context(20) } })
    const all = await found(agent, CISCO)
    expect(
      only(all, 'stp').rows.map(({ instance, vlan, protocol, priority }) => [instance, vlan, protocol, priority]),
    ).toEqual([
      ['VLAN 1', 1, 'rapid-pvst', 32_769],
      ['VLAN 10', 10, 'rapid-pvst', 32_778],
      ['VLAN 20', 20, 'rapid-pvst', 32_788],
    ])
    // polls do not read the others: the time since their change would be that of the discovery for hours
    expect(only(all, 'stp').rows.map(({ timeSinceTopologyChange }) => timeSinceTopologyChange)).toEqual([
      only(await polled(agent, CISCO), 'stp').rows[0]?.timeSinceTopologyChange,
      null,
      null,
    ])
    expect(only(all, 'stp_ports').rows.filter(({ vlan }) => vlan === 20)).toMatchObject([
      { instance: 'VLAN 20', port_index: 3, ifIndex: 103, role: 'designated' },
    ])
  })

  test('an agent that ignores contexts, and MSTP, have one tree', async () => {
    const same = new Map(Object.entries(main))
    const all = await found(agentOf(main, { contexts: { '10': same, '20': same } }), CISCO)
    expect(only(all, 'stp').rows).toMatchObject([{ instance: 'VLAN 1' }])
    const mst = await found(agentOf({ ...main, [TYPE]: int(4) }, { contexts: { '10': context(10) } }), CISCO)
    expect(only(mst, 'stp').rows).toMatchObject([{ instance: 'CST', vlan: null, protocol: 'mstp' }])
  })

  test('a poll names the tree of the default context as discovery does', async () => {
    for (const type of [{ [TYPE]: int(1) }, { [TYPE]: int(4) }, {}]) {
      const cells = { ...tree({}, 1), ...PORT_CELLS, ...vlans(1, 10), ...type }
      const names = (all: Awaited<ReturnType<typeof found>>) => only(all, 'stp').rows[0]?.instance
      expect(names(await polled(agentOf(cells), CISCO))).toBe(names(await found(agentOf(cells), CISCO)) ?? '')
    }
    // a priority without the VLAN does not say which tree it is
    expect(await polled(agentOf({ ...tree(), ...PORT_CELLS, ...vlans(1) }), CISCO)).toEqual([])
  })
})

test('bridge and port identifiers, as octets and as text', () => {
  const bytes = (value: string) => (text(value) as { value: Uint8Array }).value
  const own = { priority: 16_384, address: OWN }
  expect(bridgeId(Uint8Array.fromHex(`4000${OWN}`))).toEqual(own)
  expect(bridgeId(bytes('16384/00:00:5E:00:53:11'))).toEqual(own)
  expect(bridgeId(bytes('40 00 00 00 5e 00 53 11'))).toEqual(own)
  expect(bridgeId(bytes('4000.0000.5e00.5311'))).toEqual(own)
  expect(bridgeId(bytes('8000000000000000'))).toEqual({ priority: 0x8000, address: null })
  expect(bridgeId(new Uint8Array(8))).toEqual({ priority: 0, address: null })
  for (const odd of ['', 'root', '99999/00:00:5e:00:53:11', 'x'.repeat(1000)]) expect(bridgeId(bytes(odd))).toBeNull()
  expect(bridgeId(undefined)).toBeNull()
  expect([portId(Uint8Array.fromHex('8017')), portId(new Uint8Array(3)), portId(undefined)]).toEqual([
    0x8017,
    null,
    null,
  ])
  expect([isOfPort(0x8017, 0x17), isOfPort(0x8117, 0x117), isOfPort(0x8118, 0x17)]).toEqual([true, true, false])
})
