import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * The tables of draft-ietf-idr-bgp4-mibv2, which vendors define below their own nodes. Indexed by instance,
 * InetAddressType and InetAddress of the peer; FRRouting omits the length of the address.
 */
function bgp4v2Tables(module: string, prefix: string, objects: string) {
  const table = (name: string) => `${module}::${prefix}${name}Table`
  return {
    peers: mibTable(table('Peer'), `${objects}.2.1`, {
      state: col(13, 'Integer'),
      remoteAs: col(10, 'Integer'),
      adminStatus: col(12, 'Integer'),
      localAddr: col(3, 'OctetString'),
      localAs: col(7, 'Integer'),
      description: col(14, 'DisplayString'),
    }),
    errors: mibTable(table('PeerErrors'), `${objects}.3.1`, {
      code: col(1, 'Integer'),
      subcode: col(2, 'Integer'),
      text: col(4, 'DisplayString'),
    }),
    times: mibTable(table('PeerEventTimes'), `${objects}.4.1`, {
      establishedTime: col(1, 'Integer'),
      inUpdatesElapsedTime: col(2, 'Integer'),
    }),
    counters: mibTable(table('PeerCounters'), `${objects}.7.1`, {
      inUpdates: col(1, 'Integer'),
      outUpdates: col(2, 'Integer'),
      inTotalMessages: col(3, 'Integer'),
      outTotalMessages: col(4, 'Integer'),
    }),
    /** The index continues with AFI and SAFI. */
    prefixes: mibTable(table('PrefixGauges'), `${objects}.8.1`, {
      accepted: col(4, 'Integer'),
      received: col(3, 'Integer'),
      sent: col(5, 'Integer'),
    }),
  }
}

/** ARISTA-BGP4V2-MIB. */
export const aristaBgp4v2 = bgp4v2Tables('ARISTA-BGP4V2-MIB', 'aristaBgp4V2', '1.3.6.1.4.1.30065.4.1.1')

/** DELLEMC-OS10-BGP4V2-MIB. */
export const os10Bgp4v2 = bgp4v2Tables('DELLEMC-OS10-BGP4V2-MIB', 'os10bgp4V2', '1.3.6.1.4.1.674.11000.5000.200.1.1')

/** BGP4V2-MIB at the draft's experimental node, as in FRRouting. */
export const draftBgp4v2 = bgp4v2Tables('BGP4V2-MIB', 'bgp4V2', '1.3.6.1.3.5.1.1')

export type Bgp4v2Tables = ReturnType<typeof bgp4v2Tables>
