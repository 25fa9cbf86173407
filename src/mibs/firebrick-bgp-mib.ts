import { col, mibTable } from '@portlight/snmp/table.ts'

/** FIREBRICK-BGP-MIB::fbBgpPeerTable, indexed by InetAddressType and InetAddress. */
export const fbBgpPeerTable = mibTable('FIREBRICK-BGP-MIB::fbBgpPeerTable', '1.3.6.1.4.1.24693.100.179.1.1', {
  fbBgpPeerRemoteAS: col(5, 'Integer'),
  fbBgpPeerName: col(3, 'DisplayString'),
  fbBgpPeerState: col(4, 'Integer'),
  fbBgpPeerReceivedIpv4Prefixes: col(6, 'Integer'),
  fbBgpPeerSecondsSinceLastChange: col(7, 'Integer'),
  fbBgpPeerReceivedIpv6Prefixes: col(8, 'Integer'),
  fbBgpPeerLocalAddress: col(11, 'OctetString'),
  fbBgpPeerLocalAS: col(12, 'Integer'),
})

/** FbBgpPeerState mapped to states of BGP4-MIB: waiting for a message is connect, closing and shut down are idle. */
export const FB_BGP_PEER_STATE: Readonly<Record<number, string>> = {
  0: 'idle',
  1: 'active',
  2: 'connect',
  3: 'opensent',
  4: 'openconfirm',
  5: 'established',
  6: 'idle',
  7: 'idle',
  8: 'idle',
}

/** FbBgpPeerState: shut down. */
export const FB_BGP_SHUTDOWN = 8
