import { col, mibTable } from '@portlight/snmp/table.ts'

/** CISCO-VTP-MIB::vtpVlanTable, indexed by management domain and VLAN. */
export const vtpVlanTable = mibTable('CISCO-VTP-MIB::vtpVlanTable', '1.3.6.1.4.1.9.9.46.1.3.1.1', {
  vtpVlanState: col(2, 'Integer'),
  vtpVlanType: col(3, 'Integer'),
  vtpVlanName: col(4, 'DisplayString'),
})

/** CISCO-VTP-MIB::vlanTrunkPortTable, indexed by ifIndex. */
export const vlanTrunkPortTable = mibTable('CISCO-VTP-MIB::vlanTrunkPortTable', '1.3.6.1.4.1.9.9.46.1.6.1.1', {
  vlanTrunkPortNativeVlan: col(5, 'Integer'),
  vlanTrunkPortEncapsulationOperType: col(16, 'Integer'),
})

/** CISCO-VTP-MIB::VlanType. */
export const VTP_VLAN_TYPE = {
  1: 'ethernet',
  2: 'fddi',
  3: 'tokenRing',
  4: 'fddiNet',
  5: 'trNet',
  6: 'deprecated',
} as const

/** CISCO-VTP-MIB::vlanTrunkPortEncapsulationOperType of trunk ports; 5 is negotiating, 6 notApplicable. */
export const TRUNK_ENCAPSULATION = { 1: 'isl', 2: 'dot10', 3: 'lane', 4: 'dot1Q' } as const

/** CISCO-VLAN-MEMBERSHIP-MIB::vmMembershipTable, indexed by the ifIndex of an access port. */
export const vmMembershipTable = mibTable(
  'CISCO-VLAN-MEMBERSHIP-MIB::vmMembershipTable',
  '1.3.6.1.4.1.9.9.68.1.2.2.1',
  {
    /** 0: not assigned to a VLAN. */
    vmVlan: col(2, 'Integer'),
  },
)
