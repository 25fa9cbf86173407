import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })

const PEER6 = '2001:0db8:0000:0000:0000:0000:0000:0002'

/** A router's sessions, interfaces, VRF, services and tunnels; returns the ids of the first session and of the VRF. */
async function routed({ store: { sql } }: TestApi, { deviceId, portIds }: Seeded) {
  await sql`update devices set "bgpLocalAs" = 64500 where device_id = ${deviceId}`
  const [vrf] = await sql<{ vrf_id: number }[]>`
    insert into vrfs (device_id, vrf_oid, vrf_name, "mplsVpnVrfRouteDistinguisher")
    values (${deviceId}, '3.82.69.68', ${`red-${deviceId}`}, '64500:1') returning vrf_id`
  const peers = await sql<{ id: number }[]>`
    insert into "bgpPeers" (device_id, "bgpPeerIdentifier", "bgpPeerRemoteAs", "bgpPeerState", "bgpPeerAdminStatus",
      "bgpLocalAddr", "bgpPeerRemoteAddr", "bgpPeerDescr", context_name, vrf_id)
    values (${deviceId}, '192.0.2.2', 64501, 'established', 'start', '192.0.2.1', '192.0.2.2', 'to the uplink', '', null),
      (${deviceId}, ${PEER6}, 4200000000, 'idle', 'stop', '2001:0db8:0000:0000:0000:0000:0000:0001', '0.0.0.0', '', '',
        ${vrf?.vrf_id ?? null}),
      (${deviceId}, '192.0.2.9', 64501, '', '', '0.0.0.0', '0.0.0.0', '', '', null)
    returning "bgpPeer_id" as id`
  await sql`insert into "bgpPeers_cbgp" (device_id, "bgpPeerIdentifier", afi, safi, "AcceptedPrefixes", context_name)
    values (${deviceId}, '192.0.2.2', 'ipv4', 'unicast', 3000000000, '')`
  await sql`insert into ospf_nbrs (device_id, port_id, ospf_nbr_id, "ospfNbrIpAddr", "ospfNbrRtrId", "ospfNbrState", context_name)
    values (${deviceId}, ${portIds[0]}, '192.0.2.3.0', '192.0.2.3', '198.51.100.3', 'full', ''),
      (${deviceId}, null, '192.0.2.4.0', '192.0.2.4', '198.51.100.4', '', '')`
  await sql`insert into ospf_ports (device_id, port_id, ospf_port_id, "ospfIfIpAddress", "ospfIfState", context_name)
    values (${deviceId}, ${portIds[0]}, '192.0.2.1.0', '192.0.2.1', 'designatedRouter', '')`
  const [instance] = await sql<{ id: number }[]>`
    insert into ospfv3_instances (device_id, router_id, context_name) values (${deviceId}, '198.51.100.1', '') returning id`
  await sql`insert into ospfv3_nbrs (device_id, ospfv3_instance_id, router_id, "ospfv3NbrIfIndex", "ospfv3NbrIfInstId",
      "ospfv3NbrRtrId", "ospfv3NbrState", context_name)
    values (${deviceId}, ${instance?.id ?? 0}, '198.51.100.3', 1, 0, 3325256707, 'full', '')`
  await sql`insert into ospfv3_ports (device_id, ospfv3_instance_id, "ospfv3IfIndex", "ospfv3IfInstId", "ospfv3IfState", context_name)
    values (${deviceId}, ${instance?.id ?? 0}, 1, 0, 'designatedRouter', '')`
  const [service] = await sql<{ svc_id: number }[]>`
    insert into mpls_services (device_id, svc_oid, "svcType") values (${deviceId}, 100, 'vprn') returning svc_id`
  await sql`insert into mpls_saps (device_id, svc_id, svc_oid, "sapPortId", "sapEncapValue", "ifName")
    values (${deviceId}, ${service?.svc_id ?? 0}, 100, 1342177283, '10', 'lag-3')`
  await sql`insert into ipsec_tunnels (device_id, peer_addr, local_addr, tunnel_name, tunnel_status)
    values (${deviceId}, '203.0.113.2', '203.0.113.1', 'branch', 'active'), (${deviceId}, '203.0.113.3', '', '', 'destroy')`
  return { peerId: peers[0]?.id ?? 0, vrfId: vrf?.vrf_id ?? 0 }
}

/** A GET after routing data was added to the device. */
const routedGet = (path: (d: Seeded) => string) => async (d: Seeded, api: TestApi) => {
  await routed(api, d)
  return get(path(d))
}
/** A GET by a user without any device. */
const blindGet = (path: (d: Seeded) => string) => async (d: Seeded, api: TestApi) => {
  await routed(api, d)
  return get(path(d), await user(api))
}

/** Rows of a list that answers 404 when it is empty. */
function listRows(operation: string, path: string, name: string, words: string, expected: object): readonly Row[] {
  return [
    {
      operation,
      status: 200,
      name: 'of one device',
      request: routedGet((d) => `${path}?hostname=${d.hostname}`),
      check: (a) => {
        expect(member(a, name)).toMatchObject([expected])
        expect(member(a, 'count')).toBe(1)
      },
    },
    {
      operation,
      status: 404,
      name: 'none the user may see',
      request: blindGet(() => path),
      check: (a) => expect(message(a)).toBe(words),
    },
  ]
}

export const ROUTING_ROWS: readonly Row[] = [
  {
    operation: 'list_bgp',
    status: 200,
    name: 'of one device; sessions without a state are left out',
    request: routedGet((d) => `/bgp?hostname=${d.hostname}`),
    check: (a) => {
      expect(member(a, 'bgp_sessions')).toMatchObject([
        { bgpPeerIdentifier: '192.0.2.2' },
        { bgpPeerIdentifier: PEER6 },
      ])
      expect(JSON.stringify(a.json)).not.toContain('descr_set')
    },
  },
  {
    operation: 'list_bgp',
    status: 200,
    name: 'filters combine, addresses in any form',
    request: routedGet(
      (d) =>
        `/bgp?hostname=${d.deviceId}&asn=AS64500&remote_asn=4200000000&remote_address=2001:db8::2&bgp_family=6&bgp_state=idle`,
    ),
    check: async (a, d, api) => {
      expect(member(a, 'bgp_sessions')).toMatchObject([{ bgpPeerIdentifier: PEER6 }])
      const none = await api.call('GET', `/api/v0/bgp?hostname=${d.deviceId}&bgp_family=4&bgp_state=idle`)
      expect(member(none, 'bgp_sessions')).toEqual([])
      const described = await api.call(
        'GET',
        `/api/v0/bgp?hostname=${d.deviceId}&bgp_descr=uplink&bgp_adminstate=start`,
      )
      expect(member(described, 'count')).toBe(1)
    },
  },
  {
    operation: 'list_bgp',
    status: 400,
    name: 'an invalid address',
    request: () => get('/bgp?local_address=somewhere'),
    check: (a) => expect(message(a)).toBe('Invalid local address'),
  },
  {
    operation: 'get_bgp',
    status: 200,
    name: 'the session',
    request: async (d, api) => get(`/bgp/${(await routed(api, d)).peerId}`),
    check: (a, d) =>
      expect(member(a, 'bgp_session')).toMatchObject([{ device_id: d.deviceId, bgpPeerRemoteAs: 64501 }]),
  },
  {
    operation: 'get_bgp',
    status: 400,
    name: 'an invalid id',
    request: () => get('/bgp/first'),
    check: (a) => expect(message(a)).toBe('Invalid id has been provided'),
  },
  {
    operation: 'get_bgp',
    status: 404,
    name: 'a session of a device that the user may not see',
    request: async (d, api) => get(`/bgp/${(await routed(api, d)).peerId}`, await user(api)),
    check: (a) => expect(message(a)).toMatch(/^BGP peer \d+ does not exist$/),
  },
  {
    operation: 'edit_bgp_descr',
    status: 200,
    name: 'a new description',
    request: async (d, api) => send('POST', `/bgp/${(await routed(api, d)).peerId}`, { bgp_descr: 'Transit' }),
    check: async (a, d, api) => {
      expect(message(a)).toBe(`BGP description for peer 192.0.2.2 on device ${d.deviceId} updated to Transit.`)
      const list = await api.call('GET', `/api/v0/bgp?hostname=${d.deviceId}&bgp_descr=Transit`)
      expect(member(list, 'count')).toBe(1)
    },
  },
  {
    operation: 'edit_bgp_descr',
    status: 400,
    name: 'an invalid id',
    request: () => send('POST', '/bgp/first', { bgp_descr: 'x' }),
  },
  {
    operation: 'edit_bgp_descr',
    status: 404,
    name: 'unknown',
    request: () => send('POST', '/bgp/2147483647', { bgp_descr: 'x' }),
  },
  {
    operation: 'edit_bgp_descr',
    status: 400,
    name: 'no description, which is checked first',
    request: () => send('POST', '/bgp/first', { bgp_descr: '' }),
    check: (a) => expect(message(a)).toBe('Invalid JSON data'),
  },
  ...listRows('list_cbgp', '/routing/bgp/cbgp', 'bgp_counters', 'BGP counters does not exist', {
    AcceptedPrefixes: 3000000000,
  }),
  {
    operation: 'list_cbgp',
    status: 403,
    name: 'a device that the user may not see',
    request: blindGet((d) => `/routing/bgp/cbgp?hostname=${d.hostname}`),
  },
  {
    operation: 'list_ospf',
    status: 200,
    name: 'of one device; neighbours without a state are left out',
    request: routedGet((d) => `/ospf?hostname=${d.hostname}`),
    check: (a, d) => {
      expect(member(a, 'ospf_neighbours')).toMatchObject([{ ospf_nbr_id: '192.0.2.3.0', port_id: d.portIds[0] }])
    },
  },
  {
    operation: 'list_ospf_ports',
    status: 200,
    name: 'all interfaces',
    request: routedGet(() => '/ospf_ports'),
    check: (a, d) =>
      expect(member(a, 'ospf_ports')).toContainEqual(
        expect.objectContaining({ device_id: d.deviceId, port_id: d.portIds[0], ospfIfType: null }),
      ),
  },
  {
    operation: 'list_ospf_ports',
    status: 404,
    name: 'none the user may see',
    request: blindGet(() => '/ospf_ports'),
    check: (a) => expect(message(a)).toBe('Ospf ports do not exist'),
  },
  {
    operation: 'list_ospfv3',
    status: 200,
    name: 'of one device',
    request: routedGet((d) => `/ospfv3?hostname=${d.hostname}`),
    check: (a) => expect(member(a, 'ospfv3_neighbours')).toMatchObject([{ ospfv3NbrRtrId: 3325256707 }]),
  },
  {
    operation: 'list_ospfv3',
    status: 404,
    name: 'none the user may see',
    request: blindGet(() => '/ospfv3'),
    check: (a) => expect(message(a)).toBe('Error retrieving ospfv3_nbrs'),
  },
  ...listRows('list_ospfv3_ports', '/ospfv3_ports', 'ospfv3_ports', 'Ospfv3 ports do not exist', {
    ospfv3IfState: 'designatedRouter',
  }),
  ...listRows('list_vrf', '/routing/vrf', 'vrfs', 'VRFs do not exist', { mplsVpnVrfRouteDistinguisher: '64500:1' }),
  {
    operation: 'list_vrf',
    status: 200,
    name: 'by name, which takes precedence over the device',
    request: routedGet((d) => `/routing/vrf?hostname=${d.hostname}&vrfname=red-${d.deviceId}`),
    check: (a) => expect(member(a, 'count')).toBe(1),
  },
  {
    operation: 'list_vrf',
    status: 403,
    name: 'a device that the user may not see',
    request: blindGet((d) => `/routing/vrf?hostname=${d.hostname}`),
  },
  {
    operation: 'get_vrf',
    status: 200,
    name: 'the VRF',
    request: async (d, api) => get(`/routing/vrf/${(await routed(api, d)).vrfId}`),
    check: (a, d) => expect(member(a, 'vrf')).toMatchObject([{ device_id: d.deviceId, vrf_oid: '3.82.69.68' }]),
  },
  { operation: 'get_vrf', status: 400, name: 'an invalid id', request: () => get('/routing/vrf/red') },
  {
    operation: 'get_vrf',
    status: 404,
    name: 'unknown',
    request: () => get('/routing/vrf/2147483647'),
    check: (a) => expect(message(a)).toBe('VRF 2147483647 does not exist'),
  },
  ...listRows('list_mpls_services', '/routing/mpls/services', 'mpls_services', 'MPLS Services do not exist', {
    svcType: 'vprn',
  }),
  ...listRows('list_mpls_saps', '/routing/mpls/saps', 'saps', 'SAPs do not exist', { ifName: 'lag-3' }),
  {
    operation: 'list_ipsec',
    status: 200,
    name: 'the active tunnels, hostname first',
    request: routedGet((d) => `/routing/ipsec/data/${d.hostname}`),
    check: (a, d) => {
      const [tunnel] = member(a, 'ipsec') as object[]
      expect(Object.entries(tunnel ?? {})[0]).toEqual(['hostname', d.hostname])
      expect(member(a, 'count')).toBe(1)
    },
  },
  {
    operation: 'list_ipsec',
    status: 400,
    name: 'unknown device',
    request: () => get('/routing/ipsec/data/nobody.example.net'),
    check: (a) => expect(message(a)).toBe('No valid hostname or device ID provided'),
  },
]
