import { col, mibTable } from '@portlight/snmp/table.ts'

/** BRIDGE-MIB::dot1dBasePortTable (RFC 4188), indexed by bridge port. */
export const dot1dBasePortTable = mibTable('BRIDGE-MIB::dot1dBasePortTable', '1.3.6.1.2.1.17.1.4.1', {
  dot1dBasePortIfIndex: col(2, 'Integer'),
})

/** BRIDGE-MIB::dot1dStpPortTable (RFC 4188), indexed by bridge port. */
export const dot1dStpPortTable = mibTable('BRIDGE-MIB::dot1dStpPortTable', '1.3.6.1.2.1.17.2.15.1', {
  dot1dStpPortPriority: col(2, 'Integer'),
  dot1dStpPortState: col(3, 'Integer'),
  dot1dStpPortPathCost: col(5, 'Integer'),
})

/** BRIDGE-MIB::dot1dTpFdbTable (RFC 4188), indexed by MAC address. */
export const dot1dTpFdbTable = mibTable('BRIDGE-MIB::dot1dTpFdbTable', '1.3.6.1.2.1.17.4.3.1', {
  dot1dTpFdbPort: col(2, 'Integer'),
})

/** BRIDGE-MIB::dot1dStpPortState. */
export const DOT1D_STP_PORT_STATE = {
  1: 'disabled',
  2: 'blocking',
  3: 'listening',
  4: 'learning',
  5: 'forwarding',
  6: 'broken',
} as const
