import { col, mibTable } from '@portlight/snmp/table.ts'

const OBJECTS = '1.3.6.1.4.1.2636.5.1.1.2'

/**
 * BGP4-V2-MIB-JUNIPER::jnxBgpM2PeerTable, indexed by routing instance and by local and remote address with their types.
 * Junos omits the lengths of the addresses.
 */
export const jnxBgpM2PeerTable = mibTable('BGP4-V2-MIB-JUNIPER::jnxBgpM2PeerTable', `${OBJECTS}.1.1.1`, {
  jnxBgpM2PeerState: col(2, 'Integer'),
  jnxBgpM2PeerStatus: col(3, 'Integer'),
  jnxBgpM2PeerLocalAddr: col(7, 'OctetString'),
  jnxBgpM2PeerRemoteAddr: col(11, 'OctetString'),
  jnxBgpM2PeerRemoteAs: col(13, 'Integer'),
  /** Identifies the peer in jnxBgpM2PrefixCountersTable. */
  jnxBgpM2PeerIndex: col(14, 'Integer'),
})

/** jnxBgpM2PeerErrorsTable, indexed like jnxBgpM2PeerTable. */
export const jnxBgpM2PeerErrorsTable = mibTable('BGP4-V2-MIB-JUNIPER::jnxBgpM2PeerErrorsTable', `${OBJECTS}.2.1.1`, {
  jnxBgpM2PeerLastErrorReceived: col(1, 'OctetString'),
  jnxBgpM2PeerLastErrorReceivedText: col(5, 'DisplayString'),
})

/** jnxBgpM2PeerEventTimesTable, indexed like jnxBgpM2PeerTable. */
export const jnxBgpM2PeerEventTimesTable = mibTable(
  'BGP4-V2-MIB-JUNIPER::jnxBgpM2PeerEventTimesTable',
  `${OBJECTS}.4.1.1`,
  {
    jnxBgpM2PeerFsmEstablishedTime: col(1, 'Integer'),
    jnxBgpM2PeerInUpdatesElapsedTime: col(2, 'Integer'),
  },
)

/** jnxBgpM2PeerCountersTable, indexed like jnxBgpM2PeerTable. */
export const jnxBgpM2PeerCountersTable = mibTable(
  'BGP4-V2-MIB-JUNIPER::jnxBgpM2PeerCountersTable',
  `${OBJECTS}.6.1.1`,
  {
    jnxBgpM2PeerInUpdates: col(1, 'Integer'),
    jnxBgpM2PeerOutUpdates: col(2, 'Integer'),
    jnxBgpM2PeerInTotalMessages: col(3, 'Integer'),
    jnxBgpM2PeerOutTotalMessages: col(4, 'Integer'),
  },
)

/** jnxBgpM2PrefixCountersTable, indexed by jnxBgpM2PeerIndex, AFI and SAFI. */
export const jnxBgpM2PrefixCountersTable = mibTable(
  'BGP4-V2-MIB-JUNIPER::jnxBgpM2PrefixCountersTable',
  `${OBJECTS}.6.2.1`,
  {
    jnxBgpM2PrefixInPrefixesAccepted: col(8, 'Integer'),
    jnxBgpM2PrefixInPrefixesRejected: col(9, 'Integer'),
    jnxBgpM2PrefixOutPrefixes: col(10, 'Integer'),
  },
)
