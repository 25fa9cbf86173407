import { describe, expect, test } from 'bun:test'
import { faultGraph } from '../../../src/core/alerts/sentences/fault-graph.ts'
import { sentenceRule } from '../../../src/core/alerts/sentences/sentence.ts'

type Compared = readonly [field: string, operator: string, value: unknown]

const graphOf = (rules: readonly Compared[], row: Record<string, unknown>, inverted = false) =>
  faultGraph(
    sentenceRule({
      name: 'The rule',
      builder: JSON.stringify({
        condition: 'AND',
        rules: rules.map(([field, operator, value]) => ({ field, operator, value })),
      }),
      inverted,
    }),
    { device_id: 7, ...row },
  )

const PEER = { bgpPeer_id: 31, bgpPeerIdentifier: '192.0.2.1', bgpPeerState: 'idle', bgpPeerAdminStatus: 'start' }

describe('the graph of a BGP session', () => {
  test('shows accepted prefixes, which vanish with the session', () => {
    expect(graphOf([['bgpPeers.bgpPeerState', 'not_equal', 'established']], PEER)).toEqual({
      ...{ type: 'device_bgp_prefixes', of: 'device', id: 7, only: 31 },
      ...{ title: 'Accepted prefixes from 192.0.2.1', limits: [] },
    })
  })

  test('shows the updates that the rule compares', () => {
    const row = { ...PEER, bgpPeerInUpdates: 900 }
    expect(graphOf([['bgpPeers.bgpPeerInUpdates', 'greater', 100]], row)).toMatchObject({
      type: 'device_bgp_updates',
      title: 'Updates from 192.0.2.1',
    })
  })
})

describe('the graph of a service check', () => {
  test('is that of its first value', () => {
    const row = { service_id: 4, service_name: 'Web shop', service_type: 'http', service_status: 2 }
    expect(graphOf([['services.service_status', 'equal', '2']], row)).toEqual({
      ...{ type: 'service_graph', of: 'service', id: 4, only: null, title: 'Web shop', limits: [] },
    })
  })
})

describe('the graph of a bill', () => {
  const rules: Compared[] = [['bills.bill_name', 'not_equal', '']]
  const row = { bill_id: 9, bill_name: 'Transit', bill_type: 'cdr', bill_cdr: 100e6, rate_95th: 120e6, port_id: 5 }

  test('shows the committed rate as its limit', () => {
    expect(graphOf(rules, row)).toEqual({
      ...{ type: 'bill_bits', of: 'bill', id: 9, only: null, title: 'Traffic of Transit' },
      limits: [{ value: 100e6, lower: false, mirrored: false }],
    })
  })

  test('shows the rate that the rule compares', () => {
    const limit = (value: number) => [{ value, lower: false, mirrored: false }]
    expect(graphOf([['bills.rate_95th', 'greater', 80e6]], row)?.limits).toEqual(limit(80e6))
    expect(graphOf([['bills.rate_95th', 'greater', '`bills.bill_cdr`']], row)?.limits).toEqual(limit(100e6))
  })

  test.each([0, -1, null, 'x', Number.NaN])('has no limit where the committed rate is %p', (rate) => {
    expect(graphOf(rules, { ...row, bill_cdr: rate })?.limits).toEqual([])
  })

  test('has no limit in octets', () => {
    expect(graphOf(rules, { ...row, bill_type: 'quota' })?.limits).toEqual([])
  })
})

test.each([0, -3, 1.5, null, '', 'x', 2 ** 60])('an id %p has no graph', (id) => {
  const rules = {
    bgpPeer_id: [['bgpPeers.bgpPeerState', 'not_equal', 'established']],
    service_id: [['services.service_status', 'equal', '2']],
    bill_id: [['bills.bill_name', 'equal', 'x']],
  } satisfies Record<string, Compared[]>
  for (const [column, compared] of Object.entries(rules))
    expect([column, graphOf(compared as Compared[], { [column]: id })?.of]).not.toEqual([column, 'service'])
  expect(graphOf(rules.bgpPeer_id as Compared[], { bgpPeer_id: id })).toBeNull()
  expect(graphOf(rules.bill_id as Compared[], { bill_id: id })).toBeNull()
})

test('what alerts when nothing matches has no graph', () => {
  expect(graphOf([['bgpPeers.bgpPeerState', 'equal', 'established']], PEER, true)).toBeNull()
})
