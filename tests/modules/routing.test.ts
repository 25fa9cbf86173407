import { describe, expect, test } from 'bun:test'
import { agentOf, counter32, gauge, int, ip, octets, only, row, run, text } from './agent.ts'

const LOCAL_AS = '1.3.6.1.2.1.15.2.0'
const BGP4 = '1.3.6.1.2.1.15.3.1'
const CISCO = '1.3.6.1.4.1.9.1.1018'

describe('BGP', () => {
  test('BGP4-MIB: states as text, error code and subcode, own AS', async () => {
    const found = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row(BGP4, '192.0.2.2', {
          2: int(6),
          3: int(2),
          5: ip('192.0.2.1'),
          9: int(-94967296),
          10: counter32(7),
          14: octets('0602'),
          16: gauge(3600),
        }),
      }),
    )
    expect(only(found, 'system')).toEqual({ kind: 'system', bgpLocalAs: 64500 })
    const { complete, rows } = only(found, 'bgp')
    expect(complete).toBe(true)
    expect(rows).toEqual([
      {
        bgpPeerIdentifier: '192.0.2.2',
        context_name: '',
        bgpPeerRemoteAs: 4200000000,
        astext: 'Private',
        bgpPeerState: 'established',
        bgpPeerAdminStatus: 'start',
        bgpLocalAddr: '192.0.2.1',
        bgpPeerRemoteAddr: '0.0.0.0',
        bgpPeerInUpdates: 7,
        bgpPeerLastErrorCode: 6,
        bgpPeerLastErrorSubCode: 2,
        bgpPeerFsmEstablishedTime: 3600,
      },
    ])
  })

  test('only the standard MIB is read from an agent without BGP', async () => {
    const agent = agentOf({})
    const found = await run('bgp', agent, CISCO)
    expect(agent.asked).toEqual([LOCAL_AS, `${BGP4}.9`])
    expect(only(found, 'bgp')).toEqual({ kind: 'bgp', complete: true, rows: [] })
    expect(found.some(({ kind }) => kind === 'system')).toBe(false)
  })

  test('a truncated walk is not complete', async () => {
    const cells = { [LOCAL_AS]: int(64500), ...row(BGP4, '192.0.2.2', { 9: int(64501), 2: int(6) }) }
    const found = await run('bgp', agentOf(cells, { truncated: { [`${BGP4}.2`]: 0 } }))
    expect(only(found, 'bgp')).toMatchObject({ complete: false, rows: [{ bgpPeerRemoteAs: 64501 }] })
    expect(only(found, 'bgp').rows[0]?.bgpPeerState).toBeUndefined()
  })

  test('CISCO-BGP4-MIB: a session in both MIBs is merged, IPv6 peers, prefixes by family', async () => {
    const peer6 = '2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.2'
    const peers = '1.3.6.1.4.1.9.9.187.1.2.5.1'
    const found = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row(BGP4, '192.0.2.2', { 2: int(1), 9: int(64501) }),
        ...row(peers, '1.4.192.0.2.2', { 3: int(6), 28: text('hold time expired') }),
        ...row(peers, peer6, { 3: int(3), 4: int(1), 6: octets('20010db8000000000000000000000001'), 11: gauge(64502) }),
        ...row('1.3.6.1.4.1.9.9.187.1.2.4.1', '192.0.2.2.1.128', { 1: counter32(5), 6: gauge(3) }),
        ...row('1.3.6.1.4.1.9.9.187.1.2.8.1', `${peer6}.2.1`, { 1: counter32(9), 3: gauge(100) }),
        ...row('1.3.6.1.4.1.9.9.187.1.2.7.1', `${peer6}.2.1`, { 3: text('IPv6 Unicast') }),
        ...row('1.3.6.1.4.1.9.9.187.1.2.7.1', '1.4.192.0.2.2.2.128', { 3: text('VPNv6 Unicast') }),
        ...row('1.3.6.1.4.1.9.9.187.1.2.7.1', '1.4.192.0.2', { 3: text('malformed') }),
      }),
      CISCO,
    )
    expect(only(found, 'bgp').rows).toMatchObject([
      { bgpPeerIdentifier: '192.0.2.2', bgpPeerState: 'established', bgpPeerLastErrorText: 'hold time expired' },
      {
        bgpPeerIdentifier: '2001:0db8:0000:0000:0000:0000:0000:0002',
        bgpPeerState: 'active',
        bgpPeerAdminStatus: 'stop',
        bgpLocalAddr: '2001:0db8:0000:0000:0000:0000:0000:0001',
      },
    ])
    expect(only(found, 'bgp_counters').rows).toMatchObject([
      { afi: 'ipv6', safi: 'unicast', AcceptedPrefixes: 9, PrefixAdminLimit: 100 },
      { bgpPeerIdentifier: '192.0.2.2', afi: 'ipv6', safi: 'vpn' },
      { bgpPeerIdentifier: '192.0.2.2', afi: 'ipv4', safi: 'vpn', AcceptedPrefixes: 5, AdvertisedPrefixes: 3 },
    ])
    expect(only(found, 'bgp_counters').rows[1]?.AcceptedPrefixes).toBeUndefined()
  })

  test('CISCO-BGP4-MIB: sessions in VRFs, without repeating those of the default VRF', async () => {
    const vrfs = '1.3.6.1.4.1.9.9.187.1.2.9.1'
    const session = (name: string) => ({ 4: text(name), 5: int(6), 6: int(2), 13: gauge(64501) })
    const found = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row(BGP4, '192.0.2.2', { 2: int(6), 9: int(64501) }),
        ...row(vrfs, '0.1.4.192.0.2.2', session('')),
        ...row(vrfs, '2.1.4.192.0.2.9', session('red')),
      }),
      CISCO,
    )
    expect(only(found, 'bgp').rows).toMatchObject([
      { bgpPeerIdentifier: '192.0.2.2', context_name: '' },
      { bgpPeerIdentifier: '192.0.2.9', context_name: 'red', vrf_oid: '3.114.101.100', bgpPeerState: 'established' },
    ])
  })

  test('Junos: addresses without lengths in the index, prefixes by peer index', async () => {
    const index = '0.1.192.0.2.1.1.192.0.2.2'
    const found = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row('1.3.6.1.4.1.2636.5.1.1.2.1.1.1', index, { 2: int(6), 3: int(2), 13: gauge(64501), 14: gauge(4) }),
        ...row('1.3.6.1.4.1.2636.5.1.1.2.6.2.1', '4.1.1', { 8: gauge(20), 9: gauge(2), 10: gauge(7) }),
      }),
      '1.3.6.1.4.1.2636.1.1.1.2.29',
    )
    expect(only(found, 'bgp').rows).toMatchObject([{ bgpPeerIdentifier: '192.0.2.2', bgpPeerAdminStatus: 'running' }])
    expect(only(found, 'bgp_counters').rows).toMatchObject([
      { bgpPeerIdentifier: '192.0.2.2', AcceptedPrefixes: 20, DeniedPrefixes: 2, AdvertisedPrefixes: 7 },
    ])
  })

  test('BGP4V2-MIB: with lengths (OS10, without bgpLocalAs) and without (FRRouting)', async () => {
    const os10 = '1.3.6.1.4.1.674.11000.5000.200.1.1.2.1'
    const dell = await run(
      'bgp',
      agentOf(row(os10, '1.1.4.192.0.2.2', { 7: gauge(64500), 10: gauge(64501), 13: int(6), 14: text('uplink') })),
      '1.3.6.1.4.1.674.11000.5000.100.2.1.7',
    )
    expect(only(dell, 'bgp').rows).toMatchObject([{ bgpPeerIdentifier: '192.0.2.2', bgpPeerDescr: 'uplink' }])
    expect(only(dell, 'system').bgpLocalAs).toBe(64500)
    const frr = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row('1.3.6.1.3.5.1.1.2.1', '1.2.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.2', { 10: gauge(64501), 13: int(1) }),
      }),
    )
    expect(only(frr, 'bgp').rows).toMatchObject([
      { bgpPeerIdentifier: '2001:0db8:0000:0000:0000:0000:0000:0002', bgpPeerState: 'idle' },
    ])
  })

  test('BGP4V2-MIB: address families that a peer has not negotiated are left out', async () => {
    const peers = '1.3.6.1.4.1.30065.4.1.1.2.1'
    const prefixes = '1.3.6.1.4.1.30065.4.1.1.8.1'
    const peer6 = '1.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.2'
    const found = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row(peers, '1.1.4.192.0.2.2', { 10: gauge(64501), 13: int(1) }),
        ...row(peers, peer6, { 10: gauge(64502), 13: int(6) }),
        ...row(prefixes, '1.1.4.192.0.2.2.1.1', { 3: gauge(0), 4: gauge(0), 5: gauge(0) }),
        ...row(prefixes, '1.1.4.192.0.2.2.2.1', { 3: gauge(0), 4: gauge(0), 5: gauge(0) }),
        ...row(prefixes, `${peer6}.1.1`, { 3: gauge(0), 4: gauge(0), 5: gauge(0) }),
        ...row(prefixes, `${peer6}.2.1`, { 3: gauge(7), 4: gauge(7), 5: gauge(0) }),
        ...row(prefixes, `${peer6}.25.70`, { 3: gauge(0), 4: gauge(0), 5: gauge(4) }),
      }),
      '1.3.6.1.4.1.30065.1.3011',
    )
    expect(
      only(found, 'bgp_counters').rows.map(({ bgpPeerIdentifier: ip, afi, safi }) => [ip.length, afi, safi]),
    ).toEqual([
      [9, 'ipv4', 'unicast'],
      [39, 'ipv6', 'unicast'],
      [39, 'l2vpn', 'evpn'],
    ])
  })

  test('Huawei: the description of a session, from whichever table has it', async () => {
    const peers = '1.3.6.1.4.1.2011.5.25.177.1.1.2.1'
    const sessions = '1.3.6.1.4.1.2011.5.25.177.1.1.8.1'
    const found = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row(peers, '32.1.1.1.4.192.0.2.2', { 2: gauge(64501), 5: int(6) }),
        ...row(peers, '32.1.1.1.4.192.0.2.3', { 2: gauge(64501), 5: int(6), 12: text('own') }),
        ...row(peers, '32.1.1.1.4.192.0.2.4', { 2: gauge(64501), 5: int(6), 12: text('') }),
        ...row(sessions, '0.1.4.192.0.2.2', { 11: text('transit') }),
        ...row(sessions, '0.1.4.192.0.2.3', { 11: text('other') }),
        ...row(sessions, '0.1.4.192.0', { 11: text('malformed') }),
      }),
      '1.3.6.1.4.1.2011.2.360.1.5',
    )
    expect(only(found, 'bgp').rows.map((r) => r.bgpPeerDescr)).toEqual(['transit', 'own', undefined])
  })

  test('Huawei: a peer in two families is one session with two counters', async () => {
    const peers = '1.3.6.1.4.1.2011.5.25.177.1.1.2.1'
    const routes = '1.3.6.1.4.1.2011.5.25.177.1.1.3.1'
    const found = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row(peers, '0.1.1.1.4.192.0.2.2', { 2: gauge(64501), 5: int(6), 11: int(2), 9: octets('0500') }),
        ...row(peers, '0.1.128.1.4.192.0.2.2', { 2: gauge(64501), 5: int(6) }),
        ...row(routes, '0.1.1.1.4.192.0.2.2', { 1: counter32(10), 3: counter32(1) }),
        ...row(routes, '0.1.128.1.4.192.0.2.2', { 1: counter32(4), 3: counter32(2) }),
        ...row('1.3.6.1.4.1.2011.5.25.177.1.1.7.1', '0.0.4.192.0.2.2', { 6: counter32(3), 8: counter32(99) }),
      }),
      '1.3.6.1.4.1.2011.2.360.1.5',
    )
    expect(only(found, 'bgp').rows).toMatchObject([{ bgpPeerLastErrorCode: 5, bgpPeerInTotalMessages: 99 }])
    expect(only(found, 'bgp_counters').rows.map(({ safi, AcceptedPrefixes }) => [safi, AcceptedPrefixes])).toEqual([
      ['unicast', 10],
      ['vpn', 4],
    ])
  })

  test('FireBrick: only its own table; prefixes for the address families that have any', async () => {
    const found = await run(
      'bgp',
      agentOf(
        row('1.3.6.1.4.1.24693.100.179.1.1', '1.4.192.0.2.2', {
          3: text('transit'),
          4: int(5),
          5: int(64501),
          6: int(120),
          7: int(3600),
          8: int(0),
          11: octets('c0000201'),
          12: int(64500),
        }),
      ),
      '1.3.6.1.4.1.24693.1',
    )
    expect(only(found, 'bgp').rows).toMatchObject([
      {
        bgpPeerIdentifier: '192.0.2.2',
        bgpPeerState: 'established',
        bgpPeerAdminStatus: 'start',
        bgpPeerDescr: 'transit',
        bgpPeerRemoteAddr: '192.0.2.2',
        bgpLocalAddr: '192.0.2.1',
        bgpPeerFsmEstablishedTime: 3600,
      },
    ])
    expect(only(found, 'system').bgpLocalAs).toBe(64500)
    expect(only(found, 'bgp_counters').rows).toMatchObject([{ afi: 'ipv4', safi: 'unicast', AcceptedPrefixes: 120 }])
  })

  test('SR OS: the virtual router of a session is its VRF', async () => {
    const found = await run(
      'bgp',
      agentOf({
        [LOCAL_AS]: int(64500),
        ...row('1.3.6.1.4.1.6527.3.1.2.14.4.7.1', '2.1.4.192.0.2.2', { 6: int(2), 59: int(6), 66: gauge(64501) }),
      }),
      '1.3.6.1.4.1.6527.1.3.17',
    )
    expect(only(found, 'bgp').rows).toMatchObject([
      {
        vrf_oid: '2',
        context_name: '',
        bgpPeerState: 'established',
        bgpPeerAdminStatus: 'start',
        bgpPeerRemoteAs: 64501,
      },
    ])
  })
})

describe('OSPF', () => {
  test('interfaces with their metric, neighbours; the key is not read', async () => {
    const agent = agentOf({
      ...row('1.3.6.1.2.1.14.7.1', '192.0.2.1.0', { 3: ip('0.0.0.0'), 4: int(1), 5: int(1), 12: int(5), 17: int(1) }),
      ...row('1.3.6.1.2.1.14.8.1', '192.0.2.1.0.0', { 4: int(10), 5: int(1) }),
      ...row('1.3.6.1.2.1.14.10.1', '192.0.2.3.0', { 3: ip('198.51.100.3'), 6: int(8), 9: int(0) }),
    })
    const found = await run('ospf', agent)
    expect(only(found, 'ospf_ports').rows).toMatchObject([
      { ospf_port_id: '192.0.2.1.0', ospfIfType: 'broadcast', ospfIfState: 'designatedRouter', ospfIfMetricValue: 10 },
    ])
    expect(only(found, 'ospf_neighbours').rows).toMatchObject([
      { ospf_nbr_id: '192.0.2.3.0', ospfNbrRtrId: '198.51.100.3', ospfNbrState: 'full', ospfNbmaNbrStatus: '0' },
    ])
    expect(agent.asked).not.toContain('1.3.6.1.2.1.14.7.1.16')
  })

  test('an agent without OSPF costs two columns, which are probed together', async () => {
    const agent = agentOf({})
    await run('ospf', agent)
    expect(agent.asked).toEqual(['1.3.6.1.2.1.14.7.1.12', '1.3.6.1.2.1.14.10.1.6'])
  })

  test('neighbours of an agent without a table of interfaces', async () => {
    const agent = agentOf({
      '1.3.6.1.2.1.14.10.1.1.10.66.0.2.0': ip('10.66.0.2'),
      '1.3.6.1.2.1.14.10.1.3.10.66.0.2.0': ip('10.66.255.2'),
      '1.3.6.1.2.1.14.10.1.6.10.66.0.2.0': int(8),
    })
    expect(only(await run('ospf', agent), 'ospf_neighbours').rows).toMatchObject([{ ospfNbrIpAddr: '10.66.0.2' }])
  })

  test('OSPFv3: numeric router IDs are shown in dotted form', async () => {
    const found = await run(
      'ospfv3',
      agentOf({
        '1.3.6.1.2.1.191.1.1.1.0': gauge(3325256705),
        ...row('1.3.6.1.2.1.191.1.2.1', '0', { 2: int(1) }),
        ...row('1.3.6.1.2.1.191.1.7.1', '2.0', { 3: gauge(0), 12: int(6), 13: gauge(3325256707) }),
        ...row('1.3.6.1.2.1.191.1.9.1', '2.0.3325256707', { 4: int(2), 5: text('fe80::01d7:1'), 8: int(8) }),
      }),
    )
    expect(only(found, 'ospfv3_instances').rows).toEqual([{ router_id: '198.51.100.1', context_name: '' }])
    expect(only(found, 'ospfv3_areas').rows).toEqual([{ ospfv3AreaId: 0, context_name: '' }])
    expect(only(found, 'ospfv3_ports').rows).toMatchObject([
      { ospfv3IfState: 'backupDesignatedRouter', ospfv3IfDesignatedRouter: '198.51.100.3' },
    ])
    expect(only(found, 'ospfv3_neighbours').rows).toMatchObject([
      { router_id: '198.51.100.3', ospfv3NbrAddress: 'fe80::1d7:1', ospfv3NbrState: 'full' },
    ])
  })
})
