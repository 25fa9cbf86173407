import { col, mibTable, scalar } from '@portlight/snmp/table.ts'

/** OSPFV3-MIB::ospfv3RouterId (RFC 5643), a 32-bit number. */
export const ospfv3RouterId = scalar('OSPFV3-MIB::ospfv3RouterId', '1.3.6.1.2.1.191.1.1.1.0', 'Integer')

/** OSPFV3-MIB::ospfv3AreaTable, indexed by area. */
export const ospfv3AreaTable = mibTable('OSPFV3-MIB::ospfv3AreaTable', '1.3.6.1.2.1.191.1.2.1', {
  ospfv3AreaImportAsExtern: col(2, 'Integer'),
})

/** OSPFV3-MIB::ospfv3IfTable, indexed by ifIndex and instance. */
export const ospfv3IfTable = mibTable('OSPFV3-MIB::ospfv3IfTable', '1.3.6.1.2.1.191.1.7.1', {
  ospfv3IfState: col(12, 'Integer'),
  ospfv3IfAreaId: col(3, 'Integer'),
  ospfv3IfType: col(4, 'Integer'),
  ospfv3IfAdminStatus: col(5, 'Integer'),
  ospfv3IfRtrPriority: col(6, 'Integer'),
  ospfv3IfTransitDelay: col(7, 'Integer'),
  ospfv3IfRetransInterval: col(8, 'Integer'),
  ospfv3IfHelloInterval: col(9, 'Integer'),
  ospfv3IfRtrDeadInterval: col(10, 'Integer'),
  ospfv3IfPollInterval: col(11, 'Integer'),
  ospfv3IfDesignatedRouter: col(13, 'Integer'),
  ospfv3IfBackupDesignatedRouter: col(14, 'Integer'),
  ospfv3IfEvents: col(15, 'Integer'),
  ospfv3IfDemand: col(17, 'Integer'),
  ospfv3IfMetricValue: col(18, 'Integer'),
  ospfv3IfLinkScopeLsaCount: col(19, 'Integer'),
  ospfv3IfLinkLsaCksumSum: col(20, 'Integer'),
  ospfv3IfDemandNbrProbe: col(21, 'Integer'),
  ospfv3IfDemandNbrProbeRetransLimit: col(22, 'Integer'),
  ospfv3IfDemandNbrProbeInterval: col(23, 'Integer'),
  ospfv3IfTEDisabled: col(24, 'Integer'),
  ospfv3IfLinkLSASuppression: col(25, 'Integer'),
})

/** OSPFV3-MIB::ospfv3NbrTable, indexed by ifIndex, instance and the neighbour's router ID. */
export const ospfv3NbrTable = mibTable('OSPFV3-MIB::ospfv3NbrTable', '1.3.6.1.2.1.191.1.9.1', {
  ospfv3NbrState: col(8, 'Integer'),
  ospfv3NbrAddressType: col(4, 'Integer'),
  ospfv3NbrAddress: col(5, 'OctetString'),
  ospfv3NbrOptions: col(6, 'Integer'),
  ospfv3NbrPriority: col(7, 'Integer'),
  ospfv3NbrEvents: col(9, 'Integer'),
  ospfv3NbrLsRetransQLen: col(10, 'Integer'),
  ospfv3NbrHelloSuppressed: col(11, 'Integer'),
  ospfv3NbrIfId: col(12, 'Integer'),
  ospfv3NbrRestartHelperStatus: col(13, 'Integer'),
  ospfv3NbrRestartHelperAge: col(14, 'Integer'),
  ospfv3NbrRestartHelperExitReason: col(15, 'Integer'),
})

/** Names of InetAddressType (RFC 4001). */
export const INET_ADDRESS_TYPE = { 0: 'unknown', 1: 'ipv4', 2: 'ipv6', 3: 'ipv4z', 4: 'ipv6z', 16: 'dns' } as const

/** ospfv3NbrRestartHelperStatus. */
export const RESTART_HELPER_STATUS = { 1: 'notHelping', 2: 'helping' } as const

/** ospfv3NbrRestartHelperExitReason. */
export const RESTART_EXIT_REASON = {
  1: 'none',
  2: 'inProgress',
  3: 'completed',
  4: 'timedOut',
  5: 'topologyChanged',
} as const
