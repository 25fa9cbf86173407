import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * OSPF-MIB::ospfIfTable (RFC 4750), indexed by the interface's IPv4 address, and by its ifIndex if it has no address.
 */
export const ospfIfTable = mibTable('OSPF-MIB::ospfIfTable', '1.3.6.1.2.1.14.7.1', {
  ospfIfState: col(12, 'Integer'),
  ospfIfAreaId: col(3, 'IpAddress'),
  ospfIfType: col(4, 'Integer'),
  ospfIfAdminStat: col(5, 'Integer'),
  ospfIfRtrPriority: col(6, 'Integer'),
  ospfIfTransitDelay: col(7, 'Integer'),
  ospfIfRetransInterval: col(8, 'Integer'),
  ospfIfHelloInterval: col(9, 'Integer'),
  ospfIfRtrDeadInterval: col(10, 'Integer'),
  ospfIfPollInterval: col(11, 'Integer'),
  ospfIfDesignatedRouter: col(13, 'IpAddress'),
  ospfIfBackupDesignatedRouter: col(14, 'IpAddress'),
  ospfIfEvents: col(15, 'Integer'),
  ospfIfStatus: col(17, 'Integer'),
  ospfIfMulticastForwarding: col(18, 'Integer'),
  ospfIfDemand: col(19, 'Integer'),
  ospfIfAuthType: col(20, 'Integer'),
})

/** OSPF-MIB::ospfIfMetricTable, indexed like ospfIfTable plus the type of service. */
export const ospfIfMetricTable = mibTable('OSPF-MIB::ospfIfMetricTable', '1.3.6.1.2.1.14.8.1', {
  ospfIfMetricValue: col(4, 'Integer'),
  ospfIfMetricStatus: col(5, 'Integer'),
})

/** OSPF-MIB::ospfNbrTable, indexed by the neighbour's IPv4 address, and by the local ifIndex if it has no address. */
export const ospfNbrTable = mibTable('OSPF-MIB::ospfNbrTable', '1.3.6.1.2.1.14.10.1', {
  ospfNbrState: col(6, 'Integer'),
  ospfNbrRtrId: col(3, 'IpAddress'),
  ospfNbrOptions: col(4, 'Integer'),
  ospfNbrPriority: col(5, 'Integer'),
  ospfNbrEvents: col(7, 'Integer'),
  ospfNbrLsRetransQLen: col(8, 'Integer'),
  ospfNbmaNbrStatus: col(9, 'Integer'),
  ospfNbmaNbrPermanence: col(10, 'Integer'),
  ospfNbrHelloSuppressed: col(11, 'Integer'),
})

/** ospfIfType; the same in OSPFV3-MIB. */
export const OSPF_IF_TYPE = { 1: 'broadcast', 2: 'nbma', 3: 'pointToPoint', 5: 'pointToMultipoint' } as const

/** OSPF-MIB::Status. */
export const OSPF_STATUS = { 1: 'enabled', 2: 'disabled' } as const

/** ospfIfState; OSPFV3-MIB adds standby. */
export const OSPF_IF_STATE = {
  1: 'down',
  2: 'loopback',
  3: 'waiting',
  4: 'pointToPoint',
  5: 'designatedRouter',
  6: 'backupDesignatedRouter',
  7: 'otherDesignatedRouter',
  8: 'standby',
} as const

/** ospfIfMulticastForwarding. */
export const OSPF_MULTICAST = { 1: 'blocked', 2: 'multicast', 3: 'unicast' } as const

/** OspfAuthenticationType. */
export const OSPF_AUTH_TYPE = { 0: 'none', 1: 'simplePassword', 2: 'md5' } as const

/** ospfNbrState; the same in OSPFV3-MIB. */
export const OSPF_NBR_STATE = {
  1: 'down',
  2: 'attempt',
  3: 'init',
  4: 'twoWay',
  5: 'exchangeStart',
  6: 'exchange',
  7: 'loading',
  8: 'full',
} as const

/** ospfNbmaNbrPermanence. */
export const OSPF_PERMANENCE = { 1: 'dynamic', 2: 'permanent' } as const
