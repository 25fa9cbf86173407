import { col, mibTable } from '../snmp/table.ts'

/** EtherLike-MIB::dot3StatsTable (RFC 3635), indexed by ifIndex. */
export const dot3StatsTable = mibTable('EtherLike-MIB::dot3StatsTable', '1.3.6.1.2.1.10.7.2.1', {
  dot3StatsDuplexStatus: col(19, 'Integer'),
})

export const DOT3_DUPLEX_STATUS = { 1: 'unknown', 2: 'halfDuplex', 3: 'fullDuplex' } as const
