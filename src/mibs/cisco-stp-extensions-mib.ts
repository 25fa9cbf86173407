import { scalar } from '@portlight/snmp/table.ts'

/** CISCO-STP-EXTENSIONS-MIB::stpxSpanningTreeType, the protocol that runs on a Cisco switch. */
export const stpxSpanningTreeType = scalar(
  'CISCO-STP-EXTENSIONS-MIB::stpxSpanningTreeType',
  '1.3.6.1.4.1.9.9.82.1.6.1.0',
  'Integer',
)

export const STPX_SPANNING_TREE_TYPE = {
  1: 'pvst',
  2: 'mistp',
  3: 'mistp-pvst',
  4: 'mstp',
  5: 'rapid-pvst',
} as const
