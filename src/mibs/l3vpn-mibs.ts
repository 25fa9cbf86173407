import { col, mibTable } from '@portlight/snmp/table.ts'

/** MPLS-L3VPN-STD-MIB::mplsL3VpnVrfTable (RFC 4382), indexed by VRF name. */
export const mplsL3VpnVrfTable = mibTable('MPLS-L3VPN-STD-MIB::mplsL3VpnVrfTable', '1.3.6.1.2.1.10.166.11.1.2.2.1', {
  mplsL3VpnVrfRD: col(4, 'DisplayString'),
  mplsL3VpnVrfDescription: col(3, 'DisplayString'),
})

/** MPLS-VPN-MIB::mplsVpnVrfTable, an earlier draft on older routers. */
export const mplsVpnVrfTable = mibTable('MPLS-VPN-MIB::mplsVpnVrfTable', '1.3.6.1.3.118.1.2.2.1', {
  mplsVpnVrfRouteDistinguisher: col(3, 'DisplayString'),
  mplsVpnVrfDescription: col(2, 'DisplayString'),
})

/** CISCO-VRF-MIB::cvVrfTable, indexed by VRF number. */
export const cvVrfTable = mibTable('CISCO-VRF-MIB::cvVrfTable', '1.3.6.1.4.1.9.9.711.1.1.1.1', {
  cvVrfName: col(2, 'DisplayString'),
})

/** ARISTA-VRF-MIB::aristaVrfTable, indexed by VRF name. */
export const aristaVrfTable = mibTable('ARISTA-VRF-MIB::aristaVrfTable', '1.3.6.1.4.1.30065.3.18.1.1.1', {
  aristaVrfRouteDistinguisher: col(3, 'DisplayString'),
})

/** TIMETRA-VRTR-MIB::vRtrConfTable: virtual routers of SR OS, by number; 1 is the base router. */
export const vRtrConfTable = mibTable('TIMETRA-VRTR-MIB::vRtrConfTable', '1.3.6.1.4.1.6527.3.1.2.3.1.1', {
  vRtrName: col(4, 'DisplayString'),
  /** Eight octets (RFC 4364 §4.2); all zero: none. */
  vRtrRouteDistinguisher: col(19, 'OctetString'),
  vRtrDescription: col(25, 'DisplayString'),
  vRtrAS4Byte: col(59, 'Integer'),
})

/** VERSA-IF-MIB::versaIfTable, by the number of an interface, which has the name of its VRF; there is no list of VRFs. */
export const versaIfTable = mibTable('VERSA-IF-MIB::versaIfTable', '1.3.6.1.4.1.42359.2.2.1.4.1.1', {
  versaIfVIfVrfName: col(6, 'DisplayString'),
})

/** ALCATEL-IND1-VIRTUALROUTER-MIB::alaVirtualRouterNameTable of AOS 7 and 8 (801) and AOS 6 (800), indexed by name. */
export const aosVirtualRouterTable = mibTable(
  'ALCATEL-IND1-VIRTUALROUTER-MIB::alaVirtualRouterNameTable',
  '1.3.6.1.4.1.6486.801.1.2.1.10.15.1.1.1.1.1',
  { alaVirtualRouterNameIndex: col(2, 'Integer') },
)
export const aos6VirtualRouterTable = mibTable(
  'ALCATEL-IND1-VIRTUALROUTER-MIB::alaVirtualRouterNameTable-6',
  '1.3.6.1.4.1.6486.800.1.2.1.10.15.1.1.1.1.1',
  { alaVirtualRouterNameIndex: col(2, 'Integer') },
)
