import { agentTable } from '../table.ts'

/** IF-MIB::interfaces (RFC 2863). */
export const interfaces = agentTable('IF-MIB::interfaces', '1.3.6.1.2.1.2', { ifNumber: [1, 'Integer32'] })

/** IF-MIB::ifTable (RFC 2863), indexed by ifIndex. */
export const ifTable = agentTable('IF-MIB::ifTable', '1.3.6.1.2.1.2.2.1', {
  ifIndex: [1, 'Integer32'],
  ifDescr: [2, 'Text'],
  ifType: [3, 'Integer32'],
  ifMtu: [4, 'Integer32'],
  ifSpeed: [5, 'Gauge32'],
  ifPhysAddress: [6, 'Octets'],
  ifAdminStatus: [7, 'Integer32'],
  ifOperStatus: [8, 'Integer32'],
  ifLastChange: [9, 'TimeTicks'],
  ifInOctets: [10, 'Counter32'],
  ifInUcastPkts: [11, 'Counter32'],
  ifInDiscards: [13, 'Counter32'],
  ifInErrors: [14, 'Counter32'],
  ifInUnknownProtos: [15, 'Counter32'],
  ifOutOctets: [16, 'Counter32'],
  ifOutUcastPkts: [17, 'Counter32'],
  ifOutDiscards: [19, 'Counter32'],
  ifOutErrors: [20, 'Counter32'],
})

/** IF-MIB::ifXTable (RFC 2863), indexed by ifIndex. */
export const ifXTable = agentTable('IF-MIB::ifXTable', '1.3.6.1.2.1.31.1.1.1', {
  ifName: [1, 'Text'],
  ifInMulticastPkts: [2, 'Counter32'],
  ifInBroadcastPkts: [3, 'Counter32'],
  ifOutMulticastPkts: [4, 'Counter32'],
  ifOutBroadcastPkts: [5, 'Counter32'],
  ifHCInOctets: [6, 'Counter64'],
  ifHCInUcastPkts: [7, 'Counter64'],
  ifHCInMulticastPkts: [8, 'Counter64'],
  ifHCInBroadcastPkts: [9, 'Counter64'],
  ifHCOutOctets: [10, 'Counter64'],
  ifHCOutUcastPkts: [11, 'Counter64'],
  ifHCOutMulticastPkts: [12, 'Counter64'],
  ifHCOutBroadcastPkts: [13, 'Counter64'],
  ifLinkUpDownTrapEnable: [14, 'Integer32'],
  ifHighSpeed: [15, 'Gauge32'],
  ifPromiscuousMode: [16, 'Integer32'],
  ifConnectorPresent: [17, 'Integer32'],
  ifAlias: [18, 'Text'],
  ifCounterDiscontinuityTime: [19, 'TimeTicks'],
})

/** EtherLike-MIB::dot3StatsTable (RFC 3635), indexed by ifIndex. */
export const dot3StatsTable = agentTable('EtherLike-MIB::dot3StatsTable', '1.3.6.1.2.1.10.7.2.1', {
  dot3StatsIndex: [1, 'Integer32'],
  dot3StatsAlignmentErrors: [2, 'Counter32'],
  dot3StatsFCSErrors: [3, 'Counter32'],
  dot3StatsLateCollisions: [8, 'Counter32'],
  dot3StatsFrameTooLongs: [13, 'Counter32'],
  dot3StatsDuplexStatus: [19, 'Integer32'],
})
