import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { agentOf, int, octets, only, row, run, ticks } from './agent.ts'
import { type MakeRow, runOf, tables, within } from './hostile.ts'

// Tables of QoS, probes, DSL lines, IS-IS and spanning trees as no device has them: what they cost is limited and
// reported, and what makes no sense is left out.

const CISCO = '1.3.6.1.4.1.9.1.1'
const JUNIPER = '1.3.6.1.4.1.2636.1.1.1.2.29'
const STP = '1.3.6.1.2.1.17.2'

setDefaultTimeout(240_000)

const LONG_INDEX = Array.from({ length: 128 }, () => '4294967295').join('.')

describe('QoS', () => {
  const policies: MakeRow = (i) => [`${i}`, { cbQosIfType: 1, cbQosPolicyDirection: 1, cbQosIfIndex: -1 }]
  const named = (parentOf: (i: number) => number, name: string): Readonly<Record<string, MakeRow>> => ({
    cbQosServicePolicyTable: policies,
    cbQosObjectsTable: (i) => [
      `1.${i}`,
      { cbQosObjectsType: i === 1 ? 1 : 2, cbQosConfigIndex: i, cbQosParentObjectsIndex: parentOf(i) },
    ],
    cbQosPolicyMapCfgTable: (i) => [`${i}`, { cbQosPolicyMapName: name }],
    cbQosCMCfgTable: (i) => [`${i}`, { cbQosCMName: `${i} ${name}` }],
  })

  test.each([
    ['an object within itself', (i: number) => i],
    ['two within each other', (i: number) => i ^ 1],
    ['each within the one before, thousands deep', (i: number) => i - 1],
  ])('%s', async (_, parentOf) => {
    const found = await within(20, () => runOf('qos', tables(named(parentOf, 'x'), 20_000), CISCO))
    expect(only(found.observations, 'qos').rows.length).toBeLessThan(20)
    expect(found.unread).toEqual([expect.stringContaining('CISCO-CLASS-BASED-QOS-MIB::cbQosObjectsTable')])
  })

  test('20,000 classes with names of thousands of characters: the first 10,000', async () => {
    const reader = tables(
      named((i) => Math.min(i - 1, 1), 'x'.repeat(2000)),
      20_000,
    )
    const { observations, unread } = await within(20, () => runOf('qos', reader, CISCO))
    const { rows, complete } = only(observations, 'qos')
    expect([complete, rows.length]).toEqual([true, 10_000])
    expect(rows.every((one) => one.class.length === 255 && one.policy.length === 255 && one.ifIndex === 0)).toBe(true)
    expect(unread).toEqual(['CISCO-CLASS-BASED-QOS-MIB::cbQosObjectsTable (index 1.10002)'])
  })

  test('20,000 classes in policies within policies, whose names are longer than is kept', async () => {
    const reader = tables(
      named((i) => Math.min(i - 1, 12), 'x'.repeat(2000)),
      20_000,
    )
    const { observations } = await within(20, () => runOf('qos', reader, CISCO))
    expect(only(observations, 'qos').rows.map((one) => one.class.length)).toEqual([255])
  })

  test('a policy whose objects are all well formed reports nothing', async () => {
    const { observations, unread } = await runOf(
      'qos',
      tables(
        named((i) => Math.min(i - 1, 1), 'x'),
        5,
      ),
      CISCO,
    )
    expect([only(observations, 'qos').rows.length, unread]).toEqual([4, []])
  })
})

describe('probes', () => {
  test('50,000 operations of IP SLA: the first 10,000', async () => {
    const reader = tables(
      {
        rttMonCtrlAdminTable: (i) => [`${i}`, { rttMonCtrlAdminStatus: 1, rttMonCtrlAdminThreshold: -1 }],
        rttMonLatestRttOperTable: (i) => [
          `${i}`,
          { rttMonLatestRttOperSense: -5, rttMonLatestRttOperCompletionTime: -9 },
        ],
        rttMonLatestJitterOperTable: (i) => [
          `${i}`,
          {
            rttMonLatestJitterOperAvgJitter: 4_294_967_295,
            rttMonLatestJitterOperMOS: 4_294_967_295,
            rttMonLatestJitterOperPacketLossSD: 1,
            rttMonLatestJitterOperPacketLossDS: 1,
            rttMonLatestJitterOperPacketMIA: 1,
          },
        ],
      },
      50_000,
    )
    const { observations, unread } = await within(30, () => runOf('sla', reader, CISCO))
    const { rows, complete } = only(observations, 'sensors')
    // no score is above 5, so there is none
    expect([complete, rows.length]).toEqual([true, 10_000 * 6])
    expect(unread).toEqual(['CISCO-RTTMON-MIB::rttMonCtrlAdminTable (index 10001)'])
    const times = rows.filter((one) => one.sensor_class === 'delay')
    expect(new Set(times.map((one) => `${one.sensor_current} ${one.sensor_limit}`))).toEqual(new Set(['null null']))
  })

  test('indexes without an end, or with lengths that they do not have', async () => {
    const times = '1.3.6.1.4.1.2636.3.50.1.4.1.5'
    const ping = '1.3.6.1.2.1.80.1.3.1.6'
    const indexes = [LONG_INDEX, '1.97.1.98', '4294967295.97.1.98.2.1', '0', '1.97.1.98.2.1.7', '0.0.2.4294967295']
    const cells = indexes.flatMap((index) => [
      [`${times}.${index}`, int(7)],
      [`${ping}.${index}`, int(7)],
    ])
    const { rows } = only(await run('sla', agentOf(Object.fromEntries(cells)), JUNIPER), 'sensors')
    expect(rows.map((one) => one.sensor_descr)).toEqual(['Probe a b round trip'])
  })
})

describe('DSL lines', () => {
  const lines: Readonly<Record<string, MakeRow>> = {
    ifTable: (i) => [`${i}`, { ifType: 94 }],
    adslAtucPhysTable: (i) => [
      `${i}`,
      { snrMargin: -2_147_483_648, attenuation: -1, outputPower: 1, attainableRate: 1 },
    ],
    adslAturPhysTable: (i) => [`${i}`, { snrMargin: 2_147_483_647, attenuation: 1, outputPower: 1, attainableRate: 1 }],
    xdsl2LineBandTable: (i) => [`${i}.1`, { xdsl2LineBandStatusSnrMargin: 60, xdsl2LineBandStatusLnAtten: 60 }],
  }

  test('100,000 lines: at most 50,000 sensors', async () => {
    const { observations, unread } = await within(60, () => runOf('xdsl', tables(lines, 100_000), CISCO))
    const { rows } = only(observations, 'sensors')
    expect(rows).toHaveLength(50_000)
    expect(unread.map((one) => one.replace(/ .*/, ''))).toEqual([
      'ADSL-LINE-MIB::adslAtucPhysTable',
      'ADSL-LINE-MIB::adslAturPhysTable',
      'VDSL2-LINE-MIB::xdsl2LineBandTable',
    ])
    const margins = rows.filter((one) => one.sensor_class === 'snr')
    expect(margins.length).toBeGreaterThan(0)
    expect(margins.filter((one) => one.sensor_current !== null)).toEqual([])
  })

  test.each([
    ['128 numbers', LONG_INDEX],
    ['0.0', '0.0'],
    ['4294967295', '4294967295'],
    ['4.1', '4.1'],
  ])('no line has the index: %s', async (_, index) => {
    const cells = {
      ...row('1.3.6.1.2.1.2.2.1', '4', { 2: octets('61'), 3: int(251), 8: int(1) }),
      ...row('1.3.6.1.2.1.10.94.1.1.2.1', index, { 4: int(60) }),
      ...row('1.3.6.1.2.1.10.251.1.1.1.1', index, { 15: int(0), 20: int(9) }),
    }
    expect(only(await run('xdsl', agentOf(cells)), 'sensors').rows).toEqual([])
  })

  test.each([
    ['128 numbers', LONG_INDEX],
    ['4', '4'],
    ['4294967295.1', '4294967295.1'],
    ['4.0', '4.0'],
    ['4.4294967295', '4.4294967295'],
    ['4.1.1', '4.1.1'],
  ])('no band has the index: %s', async (_, index) => {
    const cells = {
      ...row('1.3.6.1.2.1.2.2.1', '4', { 2: octets('61'), 3: int(251), 8: int(1) }),
      ...row('1.3.6.1.2.1.10.251.1.2.1.1', index, { 2: int(60), 4: int(60) }),
      ...row('1.3.6.1.2.1.10.251.1.2.2.1', index, { 2: int(60) }),
    }
    expect(only(await run('xdsl', agentOf(cells)), 'sensors').rows).toEqual([])
  })
})

describe('IS-IS', () => {
  const ENTRY = '1.3.6.1.2.1.138.1'

  test('20,000 adjacencies without system IDs: the first 10,000', async () => {
    const reader = tables(
      {
        isisISAdjTable: (i) => [`1.${i}`, { isisISAdjState: 3, isisISAdjHoldTimer: -1, isisISAdjNeighPriority: 4096 }],
        isisISAdjAreaAddrTable: (i) => [`1.1.${i}`, { isisISAdjAreaAddress: new Uint8Array(21) }],
        isisISAdjIPAddrTable: (i) => [`1.1.${i}`, { isisISAdjIPAddrAddress: new Uint8Array(60_000) }],
        isisCircTable: (i) => [`${i}`, { isisCircIfIndex: 4_294_967_295, isisCircAdminState: 99 }],
      },
      20_000,
    )
    const { observations, unread } = await within(20, () => runOf('isis', reader, JUNIPER))
    const { rows, complete } = only(observations, 'isis')
    expect([complete, rows.length]).toEqual([true, 10_000])
    expect(unread).toEqual(['ISIS-MIB::isisISAdjTable (index 1.10001)'])
    expect(rows[0]).toMatchObject({
      ifIndex: null,
      isisISAdjHoldTimer: null,
      isisISAdjNeighPriority: null,
      isisISAdjAreaAddress: null,
      isisISAdjIPAddrAddress: null,
      isisISAdjUptime: null,
    })
    expect(rows[0]?.isisCircAdminState).toBeUndefined()
  })

  test('indexes of other forms, and times that have not come yet', async () => {
    const cells = Object.assign(
      {},
      ...[LONG_INDEX, '7', '1.2.3', '0.0.0', '7.1'].map((index) =>
        row(`${ENTRY}.6.1.1`, index, { 2: int(3), 6: octets('010099191255'), 10: ticks(4_294_967_295) }),
      ),
    )
    const { rows } = only(await run('isis', agentOf({ ...cells, '1.3.6.1.2.1.1.3.0': ticks(1) })), 'isis')
    expect(rows.map((one) => [one.isisCircIndex, one.isisISAdjUptime])).toEqual([[7, null]])
  })
})

describe('spanning trees', () => {
  const treeOf = (context: string | null) => ({
    [`${STP}.2.0`]: Number(context ?? 1),
    [`${STP}.5.0`]: Uint8Array.fromHex('800000005e005301'),
    [`${STP}.8.0`]: 2000,
  })

  test('thousands of ports in each of thousands of VLANs: 100,000 ports', async () => {
    const reader = tables(
      {
        dot1dStpPortTable: (i) => [`${i}`, { dot1dStpPortState: 5 }],
        vtpVlanTable: (i) => [`1.${i}`, { vtpVlanState: 1, vtpVlanType: 1 }],
      },
      4000,
      treeOf,
    )
    const { observations, unread } = await within(60, () => runOf('spanning-tree', reader, CISCO))
    expect(only(observations, 'stp').rows).toHaveLength(128)
    expect(only(observations, 'stp_ports').rows).toHaveLength(100_000)
    expect(unread).toEqual(['BRIDGE-MIB::dot1dStpPortTable (index 1)'])
  })

  test('ports that no bridge has, and states that do not exist', async () => {
    const ports = ['0', '65536', '4294967295', '5.0', '5.5', LONG_INDEX, '5']
    const cells = Object.assign(
      { [`${STP}.2.0`]: int(-1), [`${STP}.5.0`]: octets('800000005e005301'), [`${STP}.8.0`]: int(2000) },
      ...ports.map((port) =>
        row(`${STP}.15.1`, port, { 2: int(-1), 3: int(99), 5: int(-7), 8: octets('ff'.repeat(1000)), 9: octets('00') }),
      ),
    )
    const found = await run('spanning-tree', agentOf(cells))
    expect(only(found, 'stp').rows).toMatchObject([{ priority: null, maxAge: 20 }])
    expect(only(found, 'stp_ports').rows).toMatchObject([
      { port_index: 5, priority: null, pathCost: null, designatedBridge: null, designatedPort: null, role: null },
    ])
  })
})
