import { col, mibTable } from '@portlight/snmp/table.ts'

/** IEEE8023-LAG-MIB::dot3adAggPortTable (IEEE 802.3ad), indexed by the ifIndex of a member. */
export const dot3adAggPortTable = mibTable('IEEE8023-LAG-MIB::dot3adAggPortTable', '1.2.840.10006.300.43.1.2.1.1', {
  /** ifIndex of the aggregator that the port has selected; 0 or its own ifIndex: none. */
  dot3adAggPortSelectedAggID: col(12, 'Integer'),
})
