import { col, mibTable } from '@portlight/snmp/table.ts'

/** Q-BRIDGE-MIB::dot1qTpFdbTable (RFC 4363), indexed by filtering database and MAC address. */
export const dot1qTpFdbTable = mibTable('Q-BRIDGE-MIB::dot1qTpFdbTable', '1.3.6.1.2.1.17.7.1.2.2.1', {
  dot1qTpFdbPort: col(2, 'Integer'),
})

/** Q-BRIDGE-MIB::dot1qVlanCurrentTable (RFC 4363), indexed by time mark (TimeFilter) and VLAN. */
export const dot1qVlanCurrentTable = mibTable('Q-BRIDGE-MIB::dot1qVlanCurrentTable', '1.3.6.1.2.1.17.7.1.4.2.1', {
  dot1qVlanFdbId: col(3, 'Integer'),
  /** PortList: the most significant bit of the first octet is bridge port 1. */
  dot1qVlanCurrentEgressPorts: col(4, 'OctetString'),
  dot1qVlanCurrentUntaggedPorts: col(5, 'OctetString'),
})

/** Q-BRIDGE-MIB::dot1qVlanStaticTable (RFC 4363), indexed by VLAN. */
export const dot1qVlanStaticTable = mibTable('Q-BRIDGE-MIB::dot1qVlanStaticTable', '1.3.6.1.2.1.17.7.1.4.3.1', {
  dot1qVlanStaticName: col(1, 'DisplayString'),
  dot1qVlanStaticEgressPorts: col(2, 'OctetString'),
  dot1qVlanStaticUntaggedPorts: col(4, 'OctetString'),
})

/** Q-BRIDGE-MIB::dot1qPortVlanTable (RFC 4363), indexed by bridge port. */
export const dot1qPortVlanTable = mibTable('Q-BRIDGE-MIB::dot1qPortVlanTable', '1.3.6.1.2.1.17.7.1.4.5.1', {
  dot1qPvid: col(1, 'Integer'),
})
