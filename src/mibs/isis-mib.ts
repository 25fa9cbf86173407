import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * ISIS-MIB (RFC 4444) and CISCO-IETF-ISIS-MIB, its draft under another root. The columns are the same but for those of
 * circuits, of which the draft has one more before the administrative state (`adminState`: its column).
 */
const isisMib = (name: string, prefix: string, root: string, adminState: number) => ({
  /** Indexed by the circuit. */
  circuits: mibTable(`${name}::${prefix}CircTable`, `${root}.3.2.1`, {
    isisCircIfIndex: col(2, 'Integer'),
    isisCircAdminState: col(adminState, 'Integer'),
  }),
  /** Indexed by the circuit and a number of the adjacency. */
  adjacencies: mibTable(`${name}::${prefix}ISAdjTable`, `${root}.6.1.1`, {
    isisISAdjState: col(2, 'Integer'),
    isisISAdjNeighSysType: col(5, 'Integer'),
    isisISAdjNeighSysID: col(6, 'OctetString'),
    isisISAdjUsage: col(8, 'Integer'),
    isisISAdjHoldTimer: col(9, 'Integer'),
    isisISAdjNeighPriority: col(10, 'Integer'),
    isisISAdjLastUpTime: col(11, 'Integer'),
  }),
  /** Indexed by the adjacency and a number. */
  areas: mibTable(`${name}::${prefix}ISAdjAreaAddrTable`, `${root}.6.2.1`, {
    isisISAdjAreaAddress: col(2, 'OctetString'),
  }),
  /** Indexed by the adjacency and a number. */
  addresses: mibTable(`${name}::${prefix}ISAdjIPAddrTable`, `${root}.6.3.1`, {
    isisISAdjIPAddrType: col(2, 'Integer'),
    isisISAdjIPAddrAddress: col(3, 'OctetString'),
  }),
})

export const ISIS = isisMib('ISIS-MIB', 'isis', '1.3.6.1.2.1.138.1', 3)
export const CISCO_ISIS = isisMib('CISCO-IETF-ISIS-MIB', 'cii', '1.3.6.1.4.1.9.10.118.1', 4)

export const ISIS_ADJ_STATE = { 1: 'down', 2: 'initializing', 3: 'up', 4: 'failed' } as const

export const ISIS_NEIGH_SYS_TYPE = {
  1: 'l1IntermediateSystem',
  2: 'l2IntermediateSystem',
  3: 'l1L2IntermediateSystem',
  4: 'unknown',
} as const

/** IsisLevel. */
export const ISIS_LEVEL = { 1: 'level1', 2: 'level2', 3: 'level1and2' } as const

/** IsisAdminState. */
export const ISIS_ADMIN_STATE = { 1: 'on', 2: 'off' } as const
