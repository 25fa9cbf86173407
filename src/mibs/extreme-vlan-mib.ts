import { col, mibTable } from '@portlight/snmp/table.ts'

/** EXTREME-VLAN-MIB::extremeVlanIfTable, indexed by the ifIndex of the VLAN. */
export const extremeVlanIfTable = mibTable('EXTREME-VLAN-MIB::extremeVlanIfTable', '1.3.6.1.4.1.1916.1.2.1.2.1', {
  extremeVlanIfVlanId: col(10, 'Integer'),
  extremeVlanIfDescr: col(2, 'DisplayString'),
})

/** EXTREME-VLAN-MIB::extremeVlanOpaqueTable, indexed by the ifIndex of the VLAN and the slot; PortLists of the slot. */
export const extremeVlanOpaqueTable = mibTable(
  'EXTREME-VLAN-MIB::extremeVlanOpaqueTable',
  '1.3.6.1.4.1.1916.1.2.6.1.1',
  {
    extremeVlanOpaqueTaggedPorts: col(1, 'OctetString'),
    extremeVlanOpaqueUntaggedPorts: col(2, 'OctetString'),
  },
)
