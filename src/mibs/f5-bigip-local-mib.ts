import { col, mibTable } from '@portlight/snmp/table.ts'

/** F5-BIGIP-LOCAL-MIB::ltmPoolTable, indexed by ltmPoolName. */
export const ltmPoolTable = mibTable('F5-BIGIP-LOCAL-MIB::ltmPoolTable', '1.3.6.1.4.1.3375.2.2.5.1.2.1', {
  ltmPoolName: col(1, 'DisplayString'),
  ltmPoolLbMode: col(2, 'Integer'),
  ltmPoolMinUpMembers: col(4, 'Integer'),
  ltmPoolMinUpMembersEnable: col(5, 'Integer'),
  ltmPoolMinUpMembersAction: col(6, 'Integer'),
  ltmPoolActiveMemberCnt: col(8, 'Integer'),
  ltmPoolMonitorRule: col(17, 'DisplayString'),
})

/** F5-BIGIP-LOCAL-MIB::ltmPoolMemberTable, indexed by pool name, node name and port. */
export const ltmPoolMemberTable = mibTable('F5-BIGIP-LOCAL-MIB::ltmPoolMemberTable', '1.3.6.1.4.1.3375.2.2.5.3.2.1', {
  ltmPoolMemberPoolName: col(1, 'DisplayString'),
  ltmPoolMemberAddr: col(3, 'OctetString'),
  ltmPoolMemberPort: col(4, 'Integer'),
  ltmPoolMemberRatio: col(6, 'Integer'),
  ltmPoolMemberWeight: col(7, 'Integer'),
  ltmPoolMemberPriority: col(8, 'Integer'),
  ltmPoolMemberNodeName: col(19, 'DisplayString'),
})

/** F5-BIGIP-LOCAL-MIB::ltmPoolMbrStatusTable, indexed like ltmPoolMemberTable. */
export const ltmPoolMbrStatusTable = mibTable(
  'F5-BIGIP-LOCAL-MIB::ltmPoolMbrStatusTable',
  '1.3.6.1.4.1.3375.2.2.5.6.2.1',
  {
    ltmPoolMbrStatusAvailState: col(5, 'Integer'),
    ltmPoolMbrStatusEnabledState: col(6, 'Integer'),
    ltmPoolMbrStatusDetailReason: col(8, 'DisplayString'),
  },
)

/** F5-BIGIP-LOCAL-MIB::ltmVirtualServTable, indexed by ltmVirtualServName. */
export const ltmVirtualServTable = mibTable(
  'F5-BIGIP-LOCAL-MIB::ltmVirtualServTable',
  '1.3.6.1.4.1.3375.2.2.10.1.2.1',
  {
    ltmVirtualServName: col(1, 'DisplayString'),
    ltmVirtualServAddr: col(3, 'OctetString'),
    ltmVirtualServPort: col(6, 'Integer'),
    ltmVirtualServDefaultPool: col(19, 'DisplayString'),
  },
)

/** F5-BIGIP-LOCAL-MIB::ltmVsStatusTable, indexed like ltmVirtualServTable. */
export const ltmVsStatusTable = mibTable('F5-BIGIP-LOCAL-MIB::ltmVsStatusTable', '1.3.6.1.4.1.3375.2.2.10.13.2.1', {
  ltmVsStatusAvailState: col(2, 'Integer'),
  ltmVsStatusDetailReason: col(5, 'DisplayString'),
})

/** F5-BIGIP-LOCAL-MIB::ltmBwcPolicyStatTable: policies that limit bandwidth, indexed by name. */
export const ltmBwcPolicyStatTable = mibTable(
  'F5-BIGIP-LOCAL-MIB::ltmBwcPolicyStatTable',
  '1.3.6.1.4.1.3375.2.2.13.1.3.1',
  { ltmBwcPolicyStatName: col(1, 'DisplayString') },
)
