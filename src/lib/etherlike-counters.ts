/**
 * Counters of EtherLike-MIB::dot3StatsTable (RFC 3635) in the order of samples: the object, the column of its samples,
 * and what graphs call it.
 */
export const ETHERLIKE_COUNTERS = [
  { object: 'dot3StatsAlignmentErrors', series: 'alignment_errors', label: 'Alignment Errors' },
  { object: 'dot3StatsFCSErrors', series: 'fcs_errors', label: 'FCS Errors' },
  { object: 'dot3StatsSingleCollisionFrames', series: 'single_collision_frames', label: 'Single Collision Frames' },
  {
    object: 'dot3StatsMultipleCollisionFrames',
    series: 'multiple_collision_frames',
    label: 'Multiple Collision Frames',
  },
  { object: 'dot3StatsSQETestErrors', series: 'sqe_test_errors', label: 'SQE Test Errors' },
  { object: 'dot3StatsDeferredTransmissions', series: 'deferred_transmissions', label: 'Deferred Transmissions' },
  { object: 'dot3StatsLateCollisions', series: 'late_collisions', label: 'Late Collisions' },
  { object: 'dot3StatsExcessiveCollisions', series: 'excessive_collisions', label: 'Excessive Collisions' },
  {
    object: 'dot3StatsInternalMacTransmitErrors',
    series: 'internal_mac_transmit_errors',
    label: 'MAC Transmit Errors',
  },
  { object: 'dot3StatsCarrierSenseErrors', series: 'carrier_sense_errors', label: 'Carrier Sense Errors' },
  { object: 'dot3StatsFrameTooLongs', series: 'frames_too_long', label: 'Frames Too Long' },
  { object: 'dot3StatsInternalMacReceiveErrors', series: 'internal_mac_receive_errors', label: 'MAC Receive Errors' },
  { object: 'dot3StatsSymbolErrors', series: 'symbol_errors', label: 'Symbol Errors' },
] as const
