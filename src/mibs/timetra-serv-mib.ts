import { col, mibTable } from '@portlight/snmp/table.ts'

/** TIMETRA-SERV-MIB::svcBaseInfoTable, indexed by svcId. */
export const svcBaseInfoTable = mibTable('TIMETRA-SERV-MIB::svcBaseInfoTable', '1.3.6.1.4.1.6527.3.1.2.4.2.2.1', {
  svcType: col(3, 'Integer'),
  svcRowStatus: col(2, 'Integer'),
  svcCustId: col(4, 'Integer'),
  svcDescription: col(6, 'DisplayString'),
  svcMtu: col(7, 'Integer'),
  svcAdminStatus: col(8, 'Integer'),
  svcOperStatus: col(9, 'Integer'),
  svcNumSaps: col(10, 'Integer'),
  svcNumSdps: col(11, 'Integer'),
  svcLastMgmtChange: col(12, 'Integer'),
  svcVRouterId: col(15, 'Integer'),
  svcLastStatusChange: col(17, 'Integer'),
})

/** TIMETRA-SERV-MIB::svcTlsInfoTable: columns specific to VPLS, indexed by svcId. */
export const svcTlsInfoTable = mibTable('TIMETRA-SERV-MIB::svcTlsInfoTable', '1.3.6.1.4.1.6527.3.1.2.4.2.3.1', {
  svcTlsMacLearning: col(1, 'Integer'),
  svcTlsFdbTableSize: col(3, 'Integer'),
  svcTlsFdbNumEntries: col(4, 'Integer'),
  svcTlsStpAdminStatus: col(8, 'Integer'),
  svcTlsStpOperStatus: col(30, 'Integer'),
})

/** TIMETRA-SERV-MIB::tlsFdbInfoTable: addresses learned by VPLS services, indexed by svcId and MAC address. */
export const tlsFdbInfoTable = mibTable('TIMETRA-SERV-MIB::tlsFdbInfoTable', '1.3.6.1.4.1.6527.3.1.2.4.2.4.1', {
  /** 1: on an access point (SAP). Elsewhere port and encapsulation value have no meaning. */
  tlsFdbLocale: col(4, 'Integer'),
  /** TmnxPortID, which is the ifIndex. */
  tlsFdbPortId: col(5, 'Integer'),
  tlsFdbEncapValue: col(6, 'Integer'),
})

/** TIMETRA-SAP-MIB::sapBaseInfoTable, indexed by svcId, port and encapsulation value. */
export const sapBaseInfoTable = mibTable('TIMETRA-SAP-MIB::sapBaseInfoTable', '1.3.6.1.4.1.6527.3.1.2.4.3.2.1', {
  sapType: col(4, 'Integer'),
  sapRowStatus: col(3, 'Integer'),
  sapDescription: col(5, 'DisplayString'),
  sapAdminStatus: col(6, 'Integer'),
  sapOperStatus: col(7, 'Integer'),
  sapLastMgmtChange: col(16, 'Integer'),
  sapLastStatusChange: col(28, 'Integer'),
})

/** TIMETRA-PORT-MIB::tmnxPortTable, indexed by chassis and port. */
export const tmnxPortTable = mibTable('TIMETRA-PORT-MIB::tmnxPortTable', '1.3.6.1.4.1.6527.3.1.2.2.4.2.1', {
  tmnxPortName: col(6, 'DisplayString'),
})

/** TIMETRA-SERV-MIB::ServType. */
export const SERV_TYPE = {
  0: 'unknown',
  1: 'epipe',
  3: 'tls',
  4: 'vprn',
  5: 'ies',
  6: 'mirror',
  7: 'apipe',
  8: 'fpipe',
  9: 'ipipe',
  10: 'cpipe',
  11: 'intTls',
  12: 'evpnIsaTls',
} as const

/** ServiceAdminStatus and ServiceOperStatus; all other values of sapOperStatus are reasons for being down. */
export const UP_DOWN = { 1: 'up', 2: 'down' } as const

/** TmnxEnabledDisabled. */
export const ENABLED_DISABLED = { 1: 'enabled', 2: 'disabled' } as const
