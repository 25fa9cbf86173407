import { col, mibTable } from '@portlight/snmp/table.ts'

/** CISCO-PORT-SECURITY-MIB::cpsIfConfigTable, indexed by ifIndex. */
export const cpsIfConfigTable = mibTable('CISCO-PORT-SECURITY-MIB::cpsIfConfigTable', '1.3.6.1.4.1.9.9.315.1.2.1.1', {
  cpsIfPortSecurityEnable: col(1, 'Integer'),
  cpsIfPortSecurityStatus: col(2, 'Integer'),
  cpsIfMaxSecureMacAddr: col(3, 'Integer'),
  cpsIfCurrentSecureMacAddrCount: col(4, 'Integer'),
  cpsIfViolationAction: col(8, 'Integer'),
  cpsIfViolationCount: col(9, 'Integer'),
  cpsIfSecureLastMacAddress: col(10, 'PhysAddress'),
  cpsIfStickyEnable: col(15, 'Integer'),
})

/** CISCO-PORT-SECURITY-MIB::cpsIfPortSecurityStatus. */
export const CPS_STATUS = { 1: 'secureup', 2: 'securedown', 3: 'shutdown' } as const

/** CISCO-PORT-SECURITY-MIB::cpsIfViolationAction. */
export const CPS_VIOLATION_ACTION = { 1: 'shutdown', 2: 'dropNotify', 3: 'drop' } as const
