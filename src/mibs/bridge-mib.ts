import { col, mibTable, scalar } from '@portlight/snmp/table.ts'

/** BRIDGE-MIB::dot1dBasePortTable (RFC 4188), indexed by bridge port. */
export const dot1dBasePortTable = mibTable('BRIDGE-MIB::dot1dBasePortTable', '1.3.6.1.2.1.17.1.4.1', {
  dot1dBasePortIfIndex: col(2, 'Integer'),
})

/** BRIDGE-MIB::dot1dStpPortTable (RFC 4188), indexed by bridge port. */
export const dot1dStpPortTable = mibTable('BRIDGE-MIB::dot1dStpPortTable', '1.3.6.1.2.1.17.2.15.1', {
  dot1dStpPortPriority: col(2, 'Integer'),
  dot1dStpPortState: col(3, 'Integer'),
  dot1dStpPortPathCost: col(5, 'Integer'),
  dot1dStpPortDesignatedBridge: col(8, 'OctetString'),
  dot1dStpPortDesignatedPort: col(9, 'OctetString'),
  dot1dStpPortForwardTransitions: col(10, 'Integer'),
})

/** RSTP-MIB::dot1dStpExtPortTable (RFC 4318), indexed by bridge port. */
export const dot1dStpExtPortTable = mibTable('RSTP-MIB::dot1dStpExtPortTable', '1.3.6.1.2.1.17.2.19.1', {
  dot1dStpPortOperEdgePort: col(3, 'Integer'),
})

/** BRIDGE-MIB::dot1dStp (RFC 4188) and the version of RSTP-MIB (RFC 4318). Times are hundredths of a second. */
export const DOT1D_STP = {
  address: scalar('BRIDGE-MIB::dot1dBaseBridgeAddress', '1.3.6.1.2.1.17.1.1.0', 'PhysAddress'),
  priority: scalar('BRIDGE-MIB::dot1dStpPriority', '1.3.6.1.2.1.17.2.2.0', 'Integer'),
  sinceChange: scalar('BRIDGE-MIB::dot1dStpTimeSinceTopologyChange', '1.3.6.1.2.1.17.2.3.0', 'Integer'),
  changes: scalar('BRIDGE-MIB::dot1dStpTopChanges', '1.3.6.1.2.1.17.2.4.0', 'Integer'),
  root: scalar('BRIDGE-MIB::dot1dStpDesignatedRoot', '1.3.6.1.2.1.17.2.5.0', 'OctetString'),
  rootCost: scalar('BRIDGE-MIB::dot1dStpRootCost', '1.3.6.1.2.1.17.2.6.0', 'Integer'),
  rootPort: scalar('BRIDGE-MIB::dot1dStpRootPort', '1.3.6.1.2.1.17.2.7.0', 'Integer'),
  maxAge: scalar('BRIDGE-MIB::dot1dStpMaxAge', '1.3.6.1.2.1.17.2.8.0', 'Integer'),
  helloTime: scalar('BRIDGE-MIB::dot1dStpHelloTime', '1.3.6.1.2.1.17.2.9.0', 'Integer'),
  forwardDelay: scalar('BRIDGE-MIB::dot1dStpForwardDelay', '1.3.6.1.2.1.17.2.11.0', 'Integer'),
  version: scalar('RSTP-MIB::dot1dStpVersion', '1.3.6.1.2.1.17.2.16.0', 'Integer'),
} as const

/** RSTP-MIB::dot1dStpVersion. */
export const DOT1D_STP_VERSION = { 0: 'stp', 2: 'rstp', 3: 'mstp' } as const

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
