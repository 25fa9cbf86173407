import { col, mibTable, scalar } from '@portlight/snmp/table.ts'

/** BGP4-MIB::bgpLocalAs (RFC 4273). Agents also report a 4-octet AS number here, although the object has 16 bits. */
export const bgpLocalAs = scalar('BGP4-MIB::bgpLocalAs', '1.3.6.1.2.1.15.2.0', 'Integer')

/** Columns that BGP4-MIB::bgpPeerTable shares with its copies. */
const PEER_COLUMNS = {
  bgpPeerRemoteAs: col(9, 'Integer'),
  bgpPeerState: col(2, 'Integer'),
  bgpPeerAdminStatus: col(3, 'Integer'),
  bgpPeerLocalAddr: col(5, 'DisplayString'),
  bgpPeerRemoteAddr: col(7, 'DisplayString'),
  bgpPeerInUpdates: col(10, 'Integer'),
  bgpPeerOutUpdates: col(11, 'Integer'),
  bgpPeerInTotalMessages: col(12, 'Integer'),
  bgpPeerOutTotalMessages: col(13, 'Integer'),
  /** Error code and subcode (RFC 4271 §4.5), one octet each. */
  bgpPeerLastError: col(14, 'OctetString'),
  bgpPeerFsmEstablishedTime: col(16, 'Integer'),
  bgpPeerInUpdateElapsedTime: col(24, 'Integer'),
} as const

/** BGP4-MIB::bgpPeerTable (RFC 4273), indexed by the peer's IPv4 address. */
export const bgpPeerTable = mibTable('BGP4-MIB::bgpPeerTable', '1.3.6.1.2.1.15.3.1', PEER_COLUMNS)

/** CUMULUS-BGPUN-MIB::bgpPeerTable: the same for sessions over link-local IPv6, whose addresses are text. */
export const cumulusBgpPeerTable = mibTable(
  'CUMULUS-BGPUN-MIB::bgpPeerTable',
  '1.3.6.1.4.1.40310.4.3.1.1',
  PEER_COLUMNS,
)

/**
 * CUMULUS-BGPVRF-MIB::bgpPeerTable: sessions in all VRFs, indexed by VRF number, bgpPeerIdType and bgpPeerIndex, which
 * is an address or an interface number. Addresses are octets (InetAddress).
 */
export const cumulusVrfBgpPeerTable = mibTable('CUMULUS-BGPVRF-MIB::bgpPeerTable', '1.3.6.1.4.1.40310.7.3.1.1', {
  ...PEER_COLUMNS,
  bgpPeerLocalAddr: col(5, 'OctetString'),
  bgpPeerRemoteAddr: col(7, 'OctetString'),
  bgpPeerDesc: col(26, 'DisplayString'),
})

/** bgpPeerIdType of sessions identified by an address; 0 is an interface. */
export const CUMULUS_PEER_IPV4 = 1
export const CUMULUS_PEER_IPV6 = 2

/** BGP4-MIB::bgpPeerState; all other BGP MIBs use the same numbers. */
export const BGP_PEER_STATE = {
  1: 'idle',
  2: 'connect',
  3: 'active',
  4: 'opensent',
  5: 'openconfirm',
  6: 'established',
} as const

/** BGP4-MIB::bgpPeerAdminStatus. */
export const BGP_ADMIN_STATUS = { 1: 'stop', 2: 'start' } as const

/** Administrative status in MIBs that follow the BGP4V2-MIB draft. */
export const BGP_V2_ADMIN_STATUS = { 1: 'halted', 2: 'running' } as const
