/** Cables of the network: device and interface at both ends. The two ends report each other by LLDP. */
export const CABLES: readonly (readonly [string, string, string, string])[] = [
  ['edge-1', 'xe-0/0/2', 'fw-1', 'x2'],
  ['fw-1', 'x1', 'core-1', 'Te5/0/1'],
  ['core-1', 'Te5/0/2', 'access-1', 'Te1/1/1'],
  ['core-1', 'Te5/0/3', 'access-2', '25'],
  ['core-1', 'Te5/0/4', 'access-3', 'xe-0/2/0'],
  ['core-1', 'Te5/0/5', 'wlc-1', 'GE 0/0/4'],
  ['core-1', 'Gi2/0/47', 'wan-1', 'Gi0/0/1'],
  ['core-1', 'Gi2/0/48', 'warehouse-1', 'sfp-sfpplus1'],
  ['core-1', 'Fo3/0/9', 'leaf-1', 'Ethernet53/1'],
  ['edge-1', 'xe-0/0/3', 'pe-1', '1/1/1'],
]

export const VLANS: readonly (readonly [number, string])[] = [
  [10, 'Management'],
  [20, 'Clients'],
  [30, 'Telephones'],
  [40, 'Printers'],
]

/**
 * A computer, telephone or printer on an access port. Its MAC address is learned there and along the path to the core.
 */
export interface Station {
  readonly device: string
  readonly ifName: string
  readonly vlan: number
  readonly ip: string
}

const stations = (device: string, names: readonly string[], vlan: number, net: string, from: number): Station[] =>
  names.map((ifName, i) => ({ device, ifName, vlan, ip: `${net}.${from + i}` }))

/** Desks of the access switches. */
export const STATIONS: readonly Station[] = [
  ...stations('access-1', ['Gi1/0/1', 'Gi1/0/2', 'Gi1/0/3', 'Gi1/0/5', 'Gi1/0/8'], 20, '10.20.0', 101),
  ...stations('access-1', ['Gi1/0/12', 'Gi1/0/13'], 30, '10.30.0', 101),
  ...stations('access-1', ['Gi1/0/40'], 40, '10.40.0', 11),
  ...stations('access-2', ['1', '2', '4', '6'], 20, '10.20.0', 131),
  ...stations('access-3', ['ge-0/0/0', 'ge-0/0/3', 'ge-0/0/7'], 20, '10.20.0', 151),
]

/** A BGP session. */
export interface BgpSession {
  readonly local: string
  readonly peer: string
  readonly peerAs: number
  /** Prefixes received from the peer and accepted. */
  readonly accepted: number
}

export const BGP: Readonly<Record<string, { readonly as: number; readonly sessions: readonly BgpSession[] }>> = {
  'edge-1': {
    as: 64_512,
    sessions: [
      { local: '198.51.100.2', peer: '198.51.100.1', peerAs: 64_500, accepted: 948_211 },
      { local: '203.0.113.6', peer: '203.0.113.5', peerAs: 64_501, accepted: 946_870 },
      { local: '192.0.2.1', peer: '10.255.0.21', peerAs: 64_512, accepted: 12 },
    ],
  },
  'wan-1': {
    as: 64_512,
    sessions: [
      { local: '198.51.100.130', peer: '198.51.100.129', peerAs: 64_500, accepted: 214 },
      { local: '10.255.0.21', peer: '192.0.2.1', peerAs: 64_512, accepted: 948_211 },
    ],
  },
}

/** Interfaces in area 0, with the router at the remote end. */
export interface OspfPort {
  readonly device: string
  readonly routerId: string
  readonly ifName: string
  readonly address: string
  readonly neighbour?: { readonly routerId: string; readonly address: string }
}

export const OSPF: readonly OspfPort[] = [
  {
    device: 'wan-1',
    routerId: '10.255.0.21',
    ifName: 'Gi0/0/1',
    address: '10.10.1.2',
    neighbour: { routerId: '10.255.0.1', address: '10.10.1.1' },
  },
  {
    device: 'wan-1',
    routerId: '10.255.0.21',
    ifName: 'Tu10',
    address: '10.254.10.1',
    neighbour: { routerId: '10.60.0.1', address: '10.254.10.2' },
  },
  { device: 'wan-1', routerId: '10.255.0.21', ifName: 'Lo0', address: '10.255.0.21' },
  {
    device: 'core-1',
    routerId: '10.255.0.1',
    ifName: 'Gi2/0/47',
    address: '10.10.1.1',
    neighbour: { routerId: '10.255.0.21', address: '10.10.1.2' },
  },
  { device: 'core-1', routerId: '10.255.0.1', ifName: 'Lo0', address: '10.255.0.1' },
  {
    device: 'branch-1',
    routerId: '10.60.0.1',
    ifName: 'gre-headquarters',
    address: '10.254.10.2',
    neighbour: { routerId: '10.255.0.21', address: '10.254.10.1' },
  },
]
