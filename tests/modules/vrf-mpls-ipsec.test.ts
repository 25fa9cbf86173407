import { describe, expect, test } from 'bun:test'
import { routeDistinguisher } from '../../src/modules/vrf/discover.ts'
import { agentOf, gauge, int, ip, octets, only, row, run, text, ticks } from './agent.ts'

const CISCO = '1.3.6.1.4.1.9.1.1018'

describe('VRFs', () => {
  test('MPLS-L3VPN-STD-MIB: the index is the name', async () => {
    const entry = '1.3.6.1.2.1.10.166.11.1.2.2.1'
    const agent = agentOf(row(entry, '3.114.101.100', { 3: text('customers'), 4: text('64500:1') }))
    const found = await run('vrf', agent, CISCO)
    expect(only(found, 'vrfs').rows).toEqual([
      {
        vrf_oid: '3.114.101.100',
        vrf_name: 'red',
        mplsVpnVrfRouteDistinguisher: '64500:1',
        mplsVpnVrfDescription: 'customers',
      },
    ])
    expect(agent.asked).toEqual([`${entry}.4`, `${entry}.3`])
  })

  test('vendors without it', async () => {
    const cisco = await run('vrf', agentOf({ '1.3.6.1.4.1.9.9.711.1.1.1.1.2.1': text('BLUE') }), CISCO)
    expect(only(cisco, 'vrfs').rows).toMatchObject([{ vrf_oid: '1', vrf_name: 'BLUE' }])
    const arista = await run(
      'vrf',
      agentOf({ '1.3.6.1.4.1.30065.3.18.1.1.1.3.3.77.103.116': text('64500:1') }),
      '1.3.6.1.4.1.30065.1.3011',
    )
    expect(only(arista, 'vrfs').rows).toMatchObject([{ vrf_oid: 'Mgt', mplsVpnVrfRouteDistinguisher: '64500:1' }])
    const nokia = await run(
      'vrf',
      agentOf(
        row('1.3.6.1.4.1.6527.3.1.2.3.1.1', '2', {
          4: text('vprn2'),
          19: octets('0000fbf400000001'),
          59: gauge(64500),
        }),
      ),
      '1.3.6.1.4.1.6527.1.3.17',
    )
    expect(only(nokia, 'vrfs').rows).toMatchObject([{ vrf_oid: '2', vrf_name: 'vprn2', bgpLocalAs: 64500 }])
    for (const branch of [800, 801]) {
      const entry = `1.3.6.1.4.1.6486.${branch}.1.2.1.10.15.1.1.1.1.1.2`
      const aos = await run(
        'vrf',
        agentOf({ [`${entry}.7.100.101.102.97.117.108.116`]: int(0), [`${entry}.3.114.101.100`]: int(4) }),
        `1.3.6.1.4.1.6486.${branch}.1.1.2.1.10.1.1`,
      )
      expect(only(aos, 'vrfs').rows).toMatchObject([{ vrf_oid: '4', vrf_name: 'red' }])
    }
  })

  test('Versa: each VRF that an interface is in', async () => {
    const entry = '1.3.6.1.4.1.42359.2.2.1.4.1.1.6'
    const versa = await run(
      'vrf',
      agentOf({
        [`${entry}.3`]: text('Transport'),
        [`${entry}.4`]: text('Transport'),
        [`${entry}.5`]: text(''),
        [`${entry}.9`]: text('Control'),
      }),
      '1.3.6.1.4.1.42359.1.1',
    )
    expect(only(versa, 'vrfs').rows).toMatchObject([
      { vrf_oid: 'Transport', vrf_name: 'Transport' },
      { vrf_oid: 'Control', vrf_name: 'Control' },
    ])
  })

  test('route distinguishers of the three types (RFC 4364)', () => {
    const rd = (hex: string) => routeDistinguisher(Uint8Array.fromHex(hex))
    expect(rd('0000fbf400000001')).toBe('64500:1')
    expect(rd('0001c00002010007')).toBe('192.0.2.1:7')
    expect(rd('0002fa56ea000007')).toBe('4200000000:7')
    expect(rd('0000000000000000')).toBeNull()
    expect(routeDistinguisher(undefined)).toBeNull()
  })
})

test('MPLS: services with the VPLS columns, access points with port names; no internal services', async () => {
  const serv = '1.3.6.1.4.1.6527.3.1.2.4'
  const found = await run(
    'mpls',
    agentOf({
      ...row(`${serv}.2.2.1`, '100', { 2: int(1), 3: int(3), 8: int(1), 9: int(2), 12: ticks(289), 17: ticks(150) }),
      ...row(`${serv}.2.2.1`, '2147483648', { 3: int(5) }),
      ...row(`${serv}.2.3.1`, '100', { 1: int(1), 3: int(250), 30: int(2) }),
      ...row(`${serv}.3.2.1`, '100.39911424.10', { 4: int(3), 7: int(5) }),
      ...row(`${serv}.3.2.1`, '100.1342177283.0', { 4: int(3), 7: int(1) }),
      '1.3.6.1.4.1.6527.3.1.2.2.4.2.1.6.1.39911424': text('1/3/2'),
    }),
    '1.3.6.1.4.1.6527.1.3.17',
  )
  expect(only(found, 'mpls_services').rows).toMatchObject([
    { svc_oid: 100, svcType: 'tls', svcOperStatus: 'down', svcLastMgmtChange: 3, svcTlsMacLearning: 'enabled' },
  ])
  expect(only(found, 'mpls_saps').rows).toMatchObject([
    { ifName: '1/3/2', sapEncapValue: '10', sapOperStatus: 'down' },
    { ifName: 'lag-3', sapEncapValue: '0', sapOperStatus: 'up' },
  ])
  const other = agentOf({})
  await run('mpls', other, CISCO)
  expect(other.asked).toEqual([])
})

test('IPsec: tunnels of Cisco gateways by peer address', async () => {
  const entry = '1.3.6.1.4.1.9.9.171.1.2.3.1'
  const cells = { 3: text('203.0.113.1'), 7: text('203.0.113.2'), 8: octets('cb007102'), 9: text('branch'), 35: int(1) }
  const found = await run('ipsec', agentOf(row(entry, '7', cells)), CISCO)
  expect(only(found, 'ipsec').rows).toEqual([
    {
      peer_addr: '203.0.113.2',
      peer_port: 0,
      local_addr: '203.0.113.1',
      local_port: 0,
      tunnel_name: 'branch',
      tunnel_status: 'active',
    },
  ])
})

const E = '1.3.6.1.4.1'

test('IPsec: FortiGate has one row per phase 2; a tunnel is up if any is; rows without a peer are left out', async () => {
  const entry = `${E}.12356.101.12.2.2.1`
  const cells = (name: string, remote: string, status: number) => ({
    2: text(name),
    4: ip(remote),
    5: int(500),
    6: ip('198.51.100.1'),
    7: int(4500),
    20: int(status),
  })
  const found = await run(
    'ipsec',
    agentOf({
      ...row(entry, '1.1', cells('branch', '203.0.113.2', 1)),
      ...row(entry, '1.2', cells('branch', '203.0.113.2', 2)),
      ...row(entry, '2.1', cells('', '203.0.113.9', 1)),
      ...row(entry, '3.1', cells('dial-up', '0.0.0.0', 1)),
    }),
    `${E}.12356.101.1.5004`,
  )
  const ends = { peer_port: 500, local_addr: '198.51.100.1', local_port: 4500 }
  expect(only(found, 'ipsec').rows).toEqual([
    { ...ends, peer_addr: '203.0.113.2', tunnel_name: 'branch', tunnel_status: 'active' },
    { ...ends, peer_addr: '203.0.113.9', tunnel_name: '203.0.113.9', tunnel_status: 'down' },
  ])
})

test('IPsec: Junos tunnels by index, with or without the length of the address', async () => {
  const entry = `${E}.2636.3.52.1.1.2.1`
  const found = await run(
    'ipsec',
    agentOf({
      ...row(entry, '1.4.203.0.113.2.17', { 4: octets('c6336401'), 6: int(1), 14: text('branch.example.net') }),
      ...row(entry, '1.203.0.113.3.18', { 4: octets('c6336401'), 6: int(2), 14: text('') }),
      ...row(entry, '2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.5.19', { 6: int(1) }),
    }),
    `${E}.2636.1.1.1.2.41`,
  )
  const none = { peer_port: 0, local_port: 0 }
  expect(only(found, 'ipsec').rows).toEqual([
    {
      ...none,
      peer_addr: '203.0.113.2',
      local_addr: '198.51.100.1',
      tunnel_name: 'branch.example.net',
      tunnel_status: 'active',
    },
    {
      ...none,
      peer_addr: '203.0.113.3',
      local_addr: '198.51.100.1',
      tunnel_name: '203.0.113.3',
      tunnel_status: 'down',
    },
    { ...none, peer_addr: '2001:db8::5', local_addr: null, tunnel_name: '2001:db8::5', tunnel_status: 'active' },
  ])
})

test('IPsec: Check Point and SonicWall', async () => {
  const checkPoint = await run(
    'ipsec',
    agentOf(row(`${E}.2620.500.9002.1`, '203.0.113.2', { 2: text('branch'), 3: int(131), 7: ip('198.51.100.1') })),
    `${E}.2620.1.6.123.1.62`,
  )
  expect(only(checkPoint, 'ipsec').rows).toMatchObject([
    { peer_addr: '203.0.113.2', local_addr: '198.51.100.1', tunnel_name: 'branch', tunnel_status: 'down' },
  ])
  const sonicWall = await run(
    'ipsec',
    agentOf({
      ...row(`${E}.8741.1.3.2.1.1.1`, '1', { 2: ip('203.0.113.2'), 14: text('') }),
      ...row(`${E}.8741.1.3.2.1.1.1`, '2', { 2: ip('203.0.113.2'), 14: text('') }),
    }),
    `${E}.8741.1`,
  )
  expect(only(sonicWall, 'ipsec').rows).toMatchObject([
    { peer_addr: '203.0.113.2', tunnel_name: '203.0.113.2', tunnel_status: 'active' },
  ])
})

test('IPsec: Check Point with a number behind the address in the index', async () => {
  const entry = `${E}.2620.500.9002.1`
  const found = await run(
    'ipsec',
    agentOf({
      ...row(entry, '203.0.113.2.0', { 1: ip('203.0.113.2'), 2: text('branch'), 3: int(3) }),
      ...row(entry, '203.0.113.3.0', { 2: text('other'), 3: int(129) }),
      ...row(entry, '203.0', { 2: text('malformed'), 3: int(3) }),
    }),
    `${E}.2620.1.6.123.1.62`,
  )
  expect(only(found, 'ipsec').rows.map((r) => [r.peer_addr, r.tunnel_name, r.tunnel_status])).toEqual([
    ['203.0.113.2', 'branch', 'active'],
    ['203.0.113.3', 'other', 'idle'],
  ])
})

test('IPsec: FireBrick; tunnels that wait for a peer go by their names', async () => {
  const entry = `${E}.24693.100.500.2.1`
  const found = await run(
    'ipsec',
    agentOf({
      ...row(entry, '1', { 2: text('Hub'), 3: int(12), 7: text('203.0.113.2') }),
      ...row(entry, '2', { 2: text('Roaming'), 3: int(2), 7: text('0.0.0.0') }),
      ...row(entry, '3', { 2: text('Laptop'), 3: int(99), 7: text('0.0.0.0') }),
      ...row(entry, '4', { 2: text(''), 3: int(2), 7: text('') }),
    }),
    `${E}.24693.1`,
  )
  expect(only(found, 'ipsec').rows.map((r) => [r.peer_addr, r.tunnel_name, r.tunnel_status])).toEqual([
    ['203.0.113.2', 'Hub', 'active'],
    ['Roaming', 'Roaming', 'waiting'],
    ['Laptop', 'Laptop', undefined],
  ])
})

test('IPsec: Sophos, whose MIB has no addresses', async () => {
  const entry = `${E}.2604.5.1.6.1.1.1.1`
  const found = await run(
    'ipsec',
    agentOf({
      ...row(entry, '1', { 2: text('Branch'), 9: int(1), 10: int(1) }),
      ...row(entry, '2', { 2: text('Old'), 9: int(0), 10: int(0) }),
      ...row(entry, '3', { 2: text('Half'), 9: int(2) }),
      ...row(entry, '4', { 9: int(1) }),
    }),
    `${E}.2604.5`,
  )
  expect(only(found, 'ipsec').rows.map((r) => [r.peer_addr, r.tunnel_status])).toEqual([
    ['Branch', 'active'],
    ['Old', 'off'],
    ['Half', 'partial'],
  ])
})
