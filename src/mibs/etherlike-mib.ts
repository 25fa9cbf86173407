import { col, mibTable } from '@portlight/snmp/table.ts'

/** EtherLike-MIB::dot3StatsTable (RFC 3635), indexed by ifIndex. */
export const dot3StatsTable = mibTable('EtherLike-MIB::dot3StatsTable', '1.3.6.1.2.1.10.7.2.1', {
  dot3StatsAlignmentErrors: col(2, 'Integer'),
  dot3StatsFCSErrors: col(3, 'Integer'),
  dot3StatsSingleCollisionFrames: col(4, 'Integer'),
  dot3StatsMultipleCollisionFrames: col(5, 'Integer'),
  dot3StatsSQETestErrors: col(6, 'Integer'),
  dot3StatsDeferredTransmissions: col(7, 'Integer'),
  dot3StatsLateCollisions: col(8, 'Integer'),
  dot3StatsExcessiveCollisions: col(9, 'Integer'),
  dot3StatsInternalMacTransmitErrors: col(10, 'Integer'),
  dot3StatsCarrierSenseErrors: col(11, 'Integer'),
  dot3StatsFrameTooLongs: col(13, 'Integer'),
  dot3StatsInternalMacReceiveErrors: col(16, 'Integer'),
  dot3StatsSymbolErrors: col(18, 'Integer'),
  dot3StatsDuplexStatus: col(19, 'Integer'),
})

export const DOT3_DUPLEX_STATUS = { 1: 'unknown', 2: 'halfDuplex', 3: 'fullDuplex' } as const
