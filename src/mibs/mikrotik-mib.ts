import { col, mibTable } from '@portlight/snmp/table.ts'

/** MIKROTIK-MIB::mtxrNeighborTable, indexed by a number that RouterOS also uses as index of lldpRemTable. */
export const mtxrNeighborTable = mibTable('MIKROTIK-MIB::mtxrNeighborTable', '1.3.6.1.4.1.14988.1.1.11.1.1', {
  /** ifIndex of the local interface. */
  mtxrNeighborInterfaceID: col(8, 'Integer'),
})
