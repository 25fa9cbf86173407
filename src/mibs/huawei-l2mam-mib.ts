import { col, mibTable } from '@portlight/snmp/table.ts'

/** HUAWEI-L2MAM-MIB::hwdbDynFdbTable, indexed by MAC address, VLAN (0: in a VSI) and VSI name. */
export const hwdbDynFdbTable = mibTable('HUAWEI-L2MAM-MIB::hwdbDynFdbTable', '1.3.6.1.4.1.2011.5.25.42.2.1.3.1', {
  /** ifIndex; 0: none. */
  hwDynFdbPort: col(4, 'Integer'),
})
