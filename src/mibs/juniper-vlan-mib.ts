import { col, mibTable } from '@portlight/snmp/table.ts'

/** JUNIPER-VLAN-MIB::jnxExVlanTable (EX series without ELS), indexed by an internal VLAN ID. */
export const jnxExVlanTable = mibTable('JUNIPER-VLAN-MIB::jnxExVlanTable', '1.3.6.1.4.1.2636.3.40.1.5.1.5.1', {
  jnxExVlanName: col(2, 'DisplayString'),
  jnxExVlanType: col(3, 'Integer'),
  jnxExVlanTag: col(5, 'Integer'),
})

/** JUNIPER-VLAN-MIB::jnxExVlanPortGroupTable, indexed by the internal VLAN ID and bridge port. */
export const jnxExVlanPortGroupTable = mibTable(
  'JUNIPER-VLAN-MIB::jnxExVlanPortGroupTable',
  '1.3.6.1.4.1.2636.3.40.1.5.1.7.1',
  {
    jnxExVlanPortStatus: col(3, 'Integer'),
    jnxExVlanPortTagness: col(4, 'Integer'),
  },
)

/** JUNIPER-L2ALD-MIB::jnxL2aldVlanTable (ELS), indexed by an internal VLAN ID. */
export const jnxL2aldVlanTable = mibTable('JUNIPER-L2ALD-MIB::jnxL2aldVlanTable', '1.3.6.1.4.1.2636.3.48.1.3.1.1', {
  jnxL2aldVlanName: col(2, 'DisplayString'),
  jnxL2aldVlanTag: col(3, 'Integer'),
  jnxL2aldVlanFdbId: col(5, 'Integer'),
})

/** JUNIPER-VLAN-MIB::jnxExVlanType. */
export const JNX_EX_VLAN_TYPE = { 1: 'static', 2: 'dynamic' } as const
