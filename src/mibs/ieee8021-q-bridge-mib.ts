import { col, mibTable } from '@portlight/snmp/table.ts'

/** IEEE8021-Q-BRIDGE-MIB::ieee8021QBridgeVlanStaticTable (IEEE 802.1Q), indexed by component and VLAN. */
export const ieee8021QBridgeVlanStaticTable = mibTable(
  'IEEE8021-Q-BRIDGE-MIB::ieee8021QBridgeVlanStaticTable',
  '1.3.111.2.802.1.1.4.1.4.3.1',
  {
    ieee8021QBridgeVlanStaticName: col(3, 'DisplayString'),
    ieee8021QBridgeVlanStaticEgressPorts: col(4, 'OctetString'),
    ieee8021QBridgeVlanStaticUntaggedPorts: col(6, 'OctetString'),
  },
)

/** IEEE8021-Q-BRIDGE-MIB::ieee8021QBridgeTpFdbTable, indexed by component, filtering database and MAC address. */
export const ieee8021QBridgeTpFdbTable = mibTable(
  'IEEE8021-Q-BRIDGE-MIB::ieee8021QBridgeTpFdbTable',
  '1.3.111.2.802.1.1.4.1.2.2.1',
  {
    /** Bridge port; 0: not learned. */
    ieee8021QBridgeTpFdbPort: col(2, 'Integer'),
  },
)
