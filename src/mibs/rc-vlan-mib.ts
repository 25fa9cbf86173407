import { col, mibTable } from '@portlight/snmp/table.ts'

/** RAPID-CITY::rcVlanTable (Nortel, Avaya, Extreme), indexed by VLAN. */
export const rcVlanTable = mibTable('RAPID-CITY::rcVlanTable', '1.3.6.1.4.1.2272.1.3.2.1', {
  rcVlanName: col(2, 'DisplayString'),
  /** The most significant bit of the first octet is port 0; ports are numbered by ifIndex. */
  rcVlanPortMembers: col(11, 'OctetString'),
})

/** RAPID-CITY::rcVlanPortTable, indexed by ifIndex. */
export const rcVlanPortTable = mibTable('RAPID-CITY::rcVlanPortTable', '1.3.6.1.4.1.2272.1.3.3.1', {
  rcVlanPortDefaultVlanId: col(7, 'Integer'),
})
