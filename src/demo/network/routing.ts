import type { MibScalar } from '@portlight/snmp/table.ts'
import { bgpLocalAs, bgpPeerTable } from '../../mibs/bgp4-mib.ts'
import { cbgpPrefixTable } from '../../mibs/cisco-bgp4-mib.ts'
import { mplsL3VpnVrfTable } from '../../mibs/l3vpn-mibs.ts'
import { ospfIfMetricTable, ospfIfTable, ospfNbrTable } from '../../mibs/ospf-mib.ts'
import { ospfv3AreaTable, ospfv3IfTable, ospfv3NbrTable, ospfv3RouterId } from '../../mibs/ospfv3-mib.ts'
import type { Instant } from '../instant.ts'
import { mibRows, textIndex } from '../mib/of-mibs.ts'
import type { Instance } from '../table.ts'
import type { Campus } from './campus.ts'
import { BGP, OSPF, type OspfPort } from './plan.ts'

const ESTABLISHED = 6
const STARTED = 2
/** IPv4 unicast (AFI 1, SAFI 1). */
const IPV4_UNICAST = '1.1'
/** Updates per second per session. */
const UPDATES_PER_S = 0.3

/** A scalar of `src/mibs` as an instance. */
function scalarRow({ oid }: MibScalar, value: number): Instance {
  return { object: oid.replace(/\.0$/, ''), index: '0', type: 'Gauge32', value }
}

const secondsUp = (t: Instant) => Math.max(0, Math.floor(t.s - t.bootS))

/** BGP4-MIB of a router, and the prefix counts of its sessions if the vendor's MIB has them. */
export function bgpTables(device: string): Instance[] {
  const process = BGP[device]
  if (process === undefined) return []
  const messages = (t: Instant) => Math.floor(secondsUp(t) * UPDATES_PER_S)
  return [
    scalarRow(bgpLocalAs, process.as),
    ...mibRows(
      bgpPeerTable,
      process.sessions.map(({ peer, peerAs }) => [
        peer,
        {
          bgpPeerState: ESTABLISHED,
          bgpPeerAdminStatus: STARTED,
          bgpPeerRemoteAs: peerAs,
          bgpPeerInUpdates: messages,
          bgpPeerOutUpdates: messages,
          bgpPeerInTotalMessages: (t) => messages(t) + Math.floor(secondsUp(t) / 30),
          bgpPeerOutTotalMessages: (t) => messages(t) + Math.floor(secondsUp(t) / 30),
          bgpPeerLastError: new Uint8Array(2),
          bgpPeerFsmEstablishedTime: secondsUp,
          bgpPeerInUpdateElapsedTime: 4,
        },
      ]),
    ).concat(
      // addresses in BGP4-MIB have the syntax IpAddress, which the poller reads as text
      process.sessions.flatMap(({ local, peer }) => [
        { object: `${bgpPeerTable.entry}.5`, index: peer, type: 'IpAddress', value: local } as const,
        { object: `${bgpPeerTable.entry}.7`, index: peer, type: 'IpAddress', value: peer } as const,
      ]),
    ),
    ...mibRows(
      cbgpPrefixTable,
      process.sessions.map(({ peer, accepted }) => [
        `${peer}.${IPV4_UNICAST}`,
        {
          accepted,
          denied: 0,
          adminLimit: 0,
          threshold: 0,
          clearThreshold: 0,
          advertised: 12,
          suppressed: 0,
          withdrawn: 0,
        },
      ]),
    ),
  ]
}

const BROADCAST = 1
const ENABLED = 1
const POINT_TO_POINT = 4
const LOOPBACK = 2
const FULL = 8
const ACTIVE = 1
const NEVER = 2
const COST = 10

const number = (address: string): number => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)

/** OSPF-MIB of a router. */
export function ospfTables(device: string): Instance[] {
  const ports = OSPF.filter((port) => port.device === device)
  return [
    ...mibRows(
      ospfIfTable,
      ports.map((port) => [
        `${port.address}.0`,
        {
          ospfIfAreaId: '0.0.0.0',
          ospfIfType: BROADCAST,
          ospfIfAdminStat: ENABLED,
          ospfIfRtrPriority: 1,
          ospfIfTransitDelay: 1,
          ospfIfRetransInterval: 5,
          ospfIfHelloInterval: 10,
          ospfIfRtrDeadInterval: 40,
          ospfIfPollInterval: 120,
          ospfIfState: port.neighbour === undefined ? LOOPBACK : POINT_TO_POINT,
          ospfIfDesignatedRouter: '0.0.0.0',
          ospfIfBackupDesignatedRouter: '0.0.0.0',
          ospfIfEvents: 2,
          ospfIfStatus: ACTIVE,
          ospfIfMulticastForwarding: 1,
          ospfIfDemand: NEVER,
          ospfIfAuthType: 0,
        },
      ]),
    ),
    ...mibRows(
      ospfIfMetricTable,
      ports.map((port) => [`${port.address}.0.0`, { ospfIfMetricValue: COST, ospfIfMetricStatus: ACTIVE }]),
    ),
    ...mibRows(
      ospfNbrTable,
      ports.flatMap(({ neighbour }) =>
        neighbour === undefined
          ? []
          : [
              [
                `${neighbour.address}.0`,
                {
                  ospfNbrRtrId: neighbour.routerId,
                  ospfNbrOptions: 2,
                  ospfNbrPriority: 1,
                  ospfNbrState: FULL,
                  ospfNbrEvents: 6,
                  ospfNbrLsRetransQLen: 0,
                  ospfNbmaNbrStatus: ACTIVE,
                  ospfNbmaNbrPermanence: 1,
                  ospfNbrHelloSuppressed: NEVER,
                },
              ] as const,
            ],
      ),
    ),
  ]
}

/** Routers that also run OSPFv3, on the cable between them. */
const V3 = new Set(['core-1', 'wan-1'])

/** OSPFV3-MIB: area 0 on the cable between core and WAN router. */
export function ospfv3Tables(campus: Campus, device: string): Instance[] {
  const port = V3.has(device) ? OSPF.find((p) => p.device === device && V3.has(farOf(p))) : undefined
  if (port?.neighbour === undefined) return []
  const { ifIndex } = campus.port(device, port.ifName)
  const far = campus.port(farOf(port), farPort(port))
  return [
    scalarRow(ospfv3RouterId, number(port.routerId)),
    ...mibRows(ospfv3AreaTable, [[0, { ospfv3AreaImportAsExtern: 1 }]]),
    ...mibRows(ospfv3IfTable, [
      [
        `${ifIndex}.0`,
        {
          ospfv3IfAreaId: 0,
          ospfv3IfType: BROADCAST,
          ospfv3IfAdminStatus: ENABLED,
          ospfv3IfRtrPriority: 1,
          ospfv3IfHelloInterval: 10,
          ospfv3IfRtrDeadInterval: 40,
          ospfv3IfState: POINT_TO_POINT,
          ospfv3IfEvents: 2,
          ospfv3IfMetricValue: COST,
        },
      ],
    ]),
    ...mibRows(ospfv3NbrTable, [
      [
        `${ifIndex}.0.${number(port.neighbour.routerId)}`,
        {
          ospfv3NbrAddressType: 2,
          ospfv3NbrAddress: linkLocal(far.mac),
          ospfv3NbrOptions: 19,
          ospfv3NbrPriority: 1,
          ospfv3NbrState: FULL,
          ospfv3NbrEvents: 6,
          ospfv3NbrLsRetransQLen: 0,
          ospfv3NbrHelloSuppressed: NEVER,
          ospfv3NbrIfId: far.ifIndex,
          ospfv3NbrRestartHelperStatus: 1,
          ospfv3NbrRestartHelperAge: 0,
          ospfv3NbrRestartHelperExitReason: 1,
        },
      ],
    ]),
  ]
}

const otherEnd = ({ neighbour }: OspfPort) => OSPF.find((p) => p.address === neighbour?.address)
const farOf = (port: OspfPort): string => otherEnd(port)?.device ?? ''
const farPort = (port: OspfPort): string => otherEnd(port)?.ifName ?? ''

/** fe80::/64 with the modified EUI-64 of a MAC address (RFC 4291 appendix A). */
function linkLocal(mac: Uint8Array): Uint8Array {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac
  return Uint8Array.of(0xfe, 0x80, 0, 0, 0, 0, 0, 0, a ^ 2, b, c, 0xff, 0xfe, d, e, f)
}

/** MPLS-L3VPN-STD-MIB: the customers' routing instances of the WAN router. */
export function vrfTables(device: string): Instance[] {
  if (device !== 'wan-1') return []
  return mibRows(mplsL3VpnVrfTable, [
    [textIndex('BRANCHES'), { mplsL3VpnVrfRD: '64512:10', mplsL3VpnVrfDescription: 'Branch offices' }],
    [textIndex('CAMERAS'), { mplsL3VpnVrfRD: '64512:60', mplsL3VpnVrfDescription: 'Cameras of all sites' }],
  ])
}
