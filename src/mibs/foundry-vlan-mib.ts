import { col, mibTable } from '@portlight/snmp/table.ts'

/** FOUNDRY-SN-SWITCH-GROUP-MIB::snVLanByPortCfgTable, indexed by VLAN. */
export const snVLanByPortCfgTable = mibTable(
  'FOUNDRY-SN-SWITCH-GROUP-MIB::snVLanByPortCfgTable',
  '1.3.6.1.4.1.1991.1.1.3.2.7.1',
  { snVLanByPortCfgVLanName: col(21, 'DisplayString') },
)

/** FOUNDRY-SN-SWITCH-GROUP-MIB::snVLanByPortMemberTable, indexed by VLAN and ifIndex. */
export const snVLanByPortMemberTable = mibTable(
  'FOUNDRY-SN-SWITCH-GROUP-MIB::snVLanByPortMemberTable',
  '1.3.6.1.4.1.1991.1.1.3.2.6.1',
  {
    /** 1: tagged, 2: untagged. */
    snVLanByPortMemberTagMode: col(4, 'Integer'),
  },
)
