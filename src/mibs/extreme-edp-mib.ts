import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * EXTREME-EDP-MIB::extremeEdpTable, indexed by ifIndex and extremeEdpNeighborId (eight octets, the last six a MAC
 * address).
 */
export const extremeEdpTable = mibTable('EXTREME-EDP-MIB::extremeEdpTable', '1.3.6.1.4.1.1916.1.13.2.1', {
  extremeEdpNeighborName: col(3, 'DisplayString'),
  extremeEdpNeighborSoftwareVersion: col(4, 'DisplayString'),
  extremeEdpNeighborSlot: col(5, 'Integer'),
  extremeEdpNeighborPort: col(6, 'Integer'),
})
