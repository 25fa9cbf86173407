import { col, mibTable } from '@portlight/snmp/table.ts'

const PEERS = '1.3.6.1.4.1.6527.3.1.2.14.4'

/** TIMETRA-BGP-MIB::tBgpPeerNgTable, indexed by virtual router, InetAddressType and InetAddress. */
export const tBgpPeerNgTable = mibTable('TIMETRA-BGP-MIB::tBgpPeerNgTable', `${PEERS}.7.1`, {
  tBgpPeerNgConnState: col(59, 'Integer'),
  /** TruthValue; true: shut down. */
  tBgpPeerNgShutdown: col(6, 'Integer'),
  tBgpPeerNgDescription: col(7, 'DisplayString'),
  tBgpPeerNgPeerAS4Byte: col(66, 'Integer'),
})

/** TIMETRA-BGP-MIB::tBgpPeerNgOperTable, indexed like tBgpPeerNgTable. */
export const tBgpPeerNgOperTable = mibTable('TIMETRA-BGP-MIB::tBgpPeerNgOperTable', `${PEERS}.8.1`, {
  tBgpPeerFsmEstablishedTime: col(177, 'Integer'),
  tBgpPeerOperLocalAddress: col(162, 'OctetString'),
  tBgpPeerNgOperLastError: col(178, 'OctetString'),
  tBgpPeerNgOperInUpdates: col(182, 'Integer'),
  tBgpPeerNgOperOutUpdates: col(183, 'Integer'),
  tBgpPeerNgOperInTotalMessages: col(184, 'Integer'),
  tBgpPeerNgOperOutTotalMessages: col(185, 'Integer'),
  tBgpPeerNgOperInUpdElapsedTime: col(188, 'Integer'),
})
