import { col, mibTable } from '@portlight/snmp/table.ts'

/** CISCO-BGP4-MIB::cbgpPeer2Table, indexed by InetAddressType and InetAddress of the peer. */
export const cbgpPeer2Table = mibTable('CISCO-BGP4-MIB::cbgpPeer2Table', '1.3.6.1.4.1.9.9.187.1.2.5.1', {
  cbgpPeer2State: col(3, 'Integer'),
  cbgpPeer2AdminStatus: col(4, 'Integer'),
  cbgpPeer2LocalAddr: col(6, 'OctetString'),
  cbgpPeer2RemoteAs: col(11, 'Integer'),
  cbgpPeer2InUpdates: col(13, 'Integer'),
  cbgpPeer2OutUpdates: col(14, 'Integer'),
  cbgpPeer2InTotalMessages: col(15, 'Integer'),
  cbgpPeer2OutTotalMessages: col(16, 'Integer'),
  cbgpPeer2LastError: col(17, 'OctetString'),
  cbgpPeer2FsmEstablishedTime: col(19, 'Integer'),
  cbgpPeer2InUpdateElapsedTime: col(27, 'Integer'),
  cbgpPeer2LastErrorTxt: col(28, 'DisplayString'),
})

/**
 * CISCO-BGP4-MIB::cbgpPeer3Table: sessions of all VRFs, indexed by VRF, InetAddressType and InetAddress of the peer.
 */
export const cbgpPeer3Table = mibTable('CISCO-BGP4-MIB::cbgpPeer3Table', '1.3.6.1.4.1.9.9.187.1.2.9.1', {
  cbgpPeer3State: col(5, 'Integer'),
  cbgpPeer3VrfName: col(4, 'DisplayString'),
  cbgpPeer3AdminStatus: col(6, 'Integer'),
  cbgpPeer3LocalAddr: col(8, 'OctetString'),
  cbgpPeer3RemoteAs: col(13, 'Integer'),
  cbgpPeer3InUpdates: col(15, 'Integer'),
  cbgpPeer3OutUpdates: col(16, 'Integer'),
  cbgpPeer3InTotalMessages: col(17, 'Integer'),
  cbgpPeer3OutTotalMessages: col(18, 'Integer'),
  cbgpPeer3LastError: col(19, 'OctetString'),
  cbgpPeer3FsmEstablishedTime: col(21, 'Integer'),
  cbgpPeer3InUpdateElapsedTime: col(29, 'Integer'),
  cbgpPeer3LastErrorTxt: col(30, 'DisplayString'),
})

const PREFIXES = {
  accepted: col(1, 'Integer'),
  denied: col(2, 'Integer'),
  adminLimit: col(3, 'Integer'),
  threshold: col(4, 'Integer'),
  clearThreshold: col(5, 'Integer'),
  advertised: col(6, 'Integer'),
  suppressed: col(7, 'Integer'),
  withdrawn: col(8, 'Integer'),
} as const

/** CISCO-BGP4-MIB::cbgpPeerAddrFamilyPrefixTable, indexed by the peer's IPv4 address, AFI and SAFI. */
export const cbgpPrefixTable = mibTable(
  'CISCO-BGP4-MIB::cbgpPeerAddrFamilyPrefixTable',
  '1.3.6.1.4.1.9.9.187.1.2.4.1',
  PREFIXES,
)

/** CISCO-BGP4-MIB::cbgpPeer2AddrFamilyTable, indexed by InetAddressType, InetAddress, AFI and SAFI. */
export const cbgpFamilyTable = mibTable('CISCO-BGP4-MIB::cbgpPeer2AddrFamilyTable', '1.3.6.1.4.1.9.9.187.1.2.7.1', {
  cbgpPeer2AddrFamilyName: col(3, 'DisplayString'),
})

/** CISCO-BGP4-MIB::cbgpPeer2AddrFamilyPrefixTable, indexed by InetAddressType, InetAddress, AFI and SAFI. */
export const cbgpPrefix2Table = mibTable(
  'CISCO-BGP4-MIB::cbgpPeer2AddrFamilyPrefixTable',
  '1.3.6.1.4.1.9.9.187.1.2.8.1',
  PREFIXES,
)
