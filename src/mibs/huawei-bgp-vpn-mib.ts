import { col, mibTable } from '@portlight/snmp/table.ts'

const OBJECTS = '1.3.6.1.4.1.2011.5.25.177.1.1'

/** HUAWEI-BGP-VPN-MIB::hwBgpPeerTable, indexed by instance, AFI, SAFI, address type and address. */
export const hwBgpPeerTable = mibTable('HUAWEI-BGP-VPN-MIB::hwBgpPeerTable', `${OBJECTS}.2.1`, {
  hwBgpPeerState: col(5, 'Integer'),
  hwBgpPeerRemoteAs: col(2, 'Integer'),
  hwBgpPeerRemoteAddr: col(4, 'DisplayString'),
  hwBgpPeerFsmEstablishedTime: col(7, 'Integer'),
  hwBgpPeerLastError: col(9, 'OctetString'),
  hwBgpPeerAdminStatus: col(11, 'Integer'),
  hwBgpPeerDescription: col(12, 'DisplayString'),
})

/** HUAWEI-BGP-VPN-MIB::hwBgpPeerRouteTable, indexed like hwBgpPeerTable. */
export const hwBgpPeerRouteTable = mibTable('HUAWEI-BGP-VPN-MIB::hwBgpPeerRouteTable', `${OBJECTS}.3.1`, {
  hwBgpPeerPrefixRcvCounter: col(1, 'Integer'),
  hwBgpPeerPrefixAdvCounter: col(3, 'Integer'),
})

/** HUAWEI-BGP-VPN-MIB::hwBgpPeerSessionExtTable, indexed by VRF, address type and address. */
export const hwBgpPeerSessionExtTable = mibTable('HUAWEI-BGP-VPN-MIB::hwBgpPeerSessionExtTable', `${OBJECTS}.8.1`, {
  hwBgpPeerSessionExtDescription: col(11, 'DisplayString'),
})

/** HUAWEI-BGP-VPN-MIB::hwBgpPeerStatisticTable, indexed by process, VRF instance and address. */
export const hwBgpPeerStatisticTable = mibTable('HUAWEI-BGP-VPN-MIB::hwBgpPeerStatisticTable', `${OBJECTS}.7.1`, {
  hwBgpPeerInUpdateMsgs: col(6, 'Integer'),
  hwBgpPeerOutUpdateMsgs: col(7, 'Integer'),
  hwBgpPeerInTotalMsgs: col(8, 'Integer'),
  hwBgpPeerOutTotalMsgs: col(9, 'Integer'),
})
