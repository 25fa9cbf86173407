import { col, mibTable } from '@portlight/snmp/table.ts'

/** ALCATEL-IND1-VLAN-MGR-MIB of AOS 6, and of AOS 7 and later. */
const AOS6 = '1.3.6.1.4.1.6486.800.1.2.1.3.1.1'
const AOS7 = '1.3.6.1.4.1.6486.801.1.2.1.3.1.1'

const VLAN = { vlanDescription: col(2, 'DisplayString'), vlanOperStatus: col(4, 'Integer') } as const

/** vlanTable, indexed by VLAN. vlanOperStatus: 1 active, 2 inactive. */
export const aosVlanTable = mibTable('ALCATEL-IND1-VLAN-MGR-MIB::vlanTable', `${AOS7}.1.1.1`, VLAN)
export const aos6VlanTable = mibTable('ALCATEL-IND1-VLAN-MGR-MIB::vlanTable-6', `${AOS6}.1.1.1`, VLAN)

/** vpaTable: ports of VLANs, indexed by VLAN and ifIndex; the types differ between the versions. */
export const aosVpaTable = mibTable('ALCATEL-IND1-VLAN-MGR-MIB::vpaTable', `${AOS7}.2.1.1`, {
  vpaType: col(3, 'Integer'),
})
export const aos6VpaTable = mibTable('ALCATEL-IND1-VLAN-MGR-MIB::vpaTable-6', `${AOS6}.2.1.1`, {
  vpaType: col(3, 'Integer'),
})

/** vpaType of untagged members: cfgDefault, dynamic and unpUntagged; in AOS 6 cfgDefault and mobile. */
export const AOS_UNTAGGED: ReadonlySet<number> = new Set([1, 3, 9])
export const AOS6_UNTAGGED: ReadonlySet<number> = new Set([1, 3])
/** vpaType of ports that are no members: invalid, forbidden and mirrored; in AOS 6 mirrored. */
export const AOS_NO_MEMBER: ReadonlySet<number> = new Set([0, 6, 7])
export const AOS6_NO_MEMBER: ReadonlySet<number> = new Set([4])
