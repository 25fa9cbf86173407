import { expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { agentOf, gauge, int, octets, only, row, run, text, ticks } from './agent.ts'

const ISIS = '1.3.6.1.2.1.138.1'
const CISCO = '1.3.6.1.4.1.9.10.118.1'
const UPTIME = '1.3.6.1.2.1.1.3.0'
const CISCO_DEVICE = '1.3.6.1.4.1.9.1.2068'

const adjacency = (root: string, index: string, more: Readonly<Record<number, SnmpValue>> = {}) =>
  row(`${root}.6.1.1`, index, {
    2: int(3),
    5: int(3),
    6: octets('010000000007'),
    8: int(2),
    9: gauge(27),
    10: gauge(64),
    11: ticks(100_000),
    ...more,
  })

const whole = (root: string): Record<string, SnmpValue> => ({
  [UPTIME]: ticks(460_000),
  ...adjacency(root, '41.3'),
  // the draft has ciiCircIfSubIndex before the administrative state
  ...row(`${root}.3.2.1`, '41', { 2: int(517), ...(root === CISCO ? { 3: int(0), 4: int(1) } : { 3: int(1) }) }),
  ...row(`${root}.6.2.1`, '41.3.1', { 2: octets('490001') }),
  ...row(`${root}.6.3.1`, '41.3.1', { 2: int(1), 3: octets('c0000207') }),
})

const EXPECTED = {
  isisCircIndex: 41,
  isisISAdjNeighSysID: '0100.0000.0007',
  isisISAdjUsage: 'level2',
  ifIndex: 517,
  isisISAdjState: 'up',
  isisISAdjNeighSysType: 'l1L2IntermediateSystem',
  isisISAdjHoldTimer: 27,
  isisISAdjNeighPriority: 64,
  isisISAdjUptime: 3600,
  isisISAdjAreaAddress: '49.0001',
  isisISAdjIPAddrAddress: '192.0.2.7',
  isisCircAdminState: 'on',
}

test('adjacencies of ISIS-MIB, and of its draft on Cisco', async () => {
  const expected = { kind: 'isis', complete: true, rows: [EXPECTED] } as const
  expect(only(await run('isis', agentOf(whole(ISIS))), 'isis')).toEqual(expected)
  expect(only(await run('isis', agentOf(whole(CISCO)), CISCO_DEVICE), 'isis')).toEqual(expected)
})

test('a router without IS-IS is asked for one column, a Cisco for two', async () => {
  const agent = agentOf({})
  expect(only(await run('isis', agent), 'isis')).toEqual({ kind: 'isis', complete: true, rows: [] })
  expect(agent.asked).toEqual([`${ISIS}.6.1.1.2`])
  const cisco = agentOf({})
  await run('isis', cisco, CISCO_DEVICE)
  expect(cisco.asked).toEqual([`${ISIS}.6.1.1.2`, `${CISCO}.6.1.1.2`])
})

test('what the agent does not report is unknown', async () => {
  const bare = only(await run('isis', agentOf(row(`${ISIS}.6.1.1`, '4.1', { 2: int(1) }))), 'isis')
  expect(bare.rows).toEqual([
    {
      isisCircIndex: 4,
      isisISAdjNeighSysID: '1',
      isisISAdjUsage: '',
      ifIndex: null,
      isisISAdjState: 'down',
      isisISAdjNeighSysType: undefined,
      isisISAdjHoldTimer: undefined,
      isisISAdjNeighPriority: undefined,
      isisISAdjUptime: null,
      isisISAdjAreaAddress: null,
      isisISAdjIPAddrAddress: null,
      isisCircAdminState: undefined,
    },
  ])
})

test('impossible values, indexes and a wrapped clock', async () => {
  for (const bad of [-1, 1e300, 2 ** 40]) {
    const cells = { ...whole(ISIS), ...adjacency(ISIS, '41.3', { 9: int(bad), 10: int(bad), 11: int(bad) }) }
    expect(only(await run('isis', agentOf(cells)), 'isis').rows).toMatchObject([
      { isisISAdjHoldTimer: null, isisISAdjNeighPriority: null, isisISAdjUptime: null },
    ])
  }
  const odd = {
    ...adjacency(ISIS, '41'),
    ...adjacency(ISIS, '1.2.3'),
    ...adjacency(ISIS, '7.1', { 2: int(77), 6: text('x') }),
  }
  expect(only(await run('isis', agentOf(odd)), 'isis').rows).toMatchObject([
    { isisCircIndex: 7, isisISAdjNeighSysID: '1', isisISAdjState: undefined },
  ])
})

test('the rest of an adjacency before a flap does not hide the one that is up', async () => {
  for (const [first, second] of [
    [1, 3],
    [3, 1],
  ] as const) {
    const cells = { ...adjacency(ISIS, '41.3', { 2: int(first) }), ...adjacency(ISIS, '41.4', { 2: int(second) }) }
    expect(only(await run('isis', agentOf(cells)), 'isis').rows).toMatchObject([{ isisISAdjState: 'up' }])
  }
})

test('level 1 and level 2 to the same router are two adjacencies; a truncated walk is not complete', async () => {
  const cells = { ...adjacency(ISIS, '41.3'), ...adjacency(ISIS, '41.4', { 8: int(1) }) }
  expect(only(await run('isis', agentOf(cells)), 'isis').rows.map((one) => one.isisISAdjUsage)).toEqual([
    'level2',
    'level1',
  ])
  const cut = agentOf(cells, { truncated: { [`${ISIS}.6.1.1.2`]: 1 } })
  expect(only(await run('isis', cut), 'isis').complete).toBe(false)
})
