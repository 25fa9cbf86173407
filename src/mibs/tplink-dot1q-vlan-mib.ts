import { col, mibTable } from '@portlight/snmp/table.ts'

/** TPLINK-DOT1Q-VLAN-MIB::vlanConfigTable, indexed by VLAN. Members are port names as text: `1/0/1-4,1/0/9`. */
export const tplinkVlanConfigTable = mibTable(
  'TPLINK-DOT1Q-VLAN-MIB::vlanConfigTable',
  '1.3.6.1.4.1.11863.6.14.1.2.1.1',
  {
    dot1qVlanDescription: col(2, 'DisplayString'),
    vlanTagPortMemberAdd: col(3, 'DisplayString'),
    vlanUntagPortMemberAdd: col(4, 'DisplayString'),
  },
)

/** TPLINK-DOT1Q-VLAN-MIB::vlanPortConfigTable, indexed by ifIndex. */
export const tplinkVlanPortConfigTable = mibTable(
  'TPLINK-DOT1Q-VLAN-MIB::vlanPortConfigTable',
  '1.3.6.1.4.1.11863.6.14.1.1.1.1',
  { vlanPortNumber: col(1, 'DisplayString'), vlanPortPvid: col(3, 'Integer') },
)
