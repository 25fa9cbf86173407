import type { Rows } from '@portlight/snmp/table.ts'
import { BGP_PEER_STATE, BGP_V2_ADMIN_STATUS } from '../../mibs/bgp4-mib.ts'
import type { Bgp4v2Tables } from '../../mibs/bgp4v2-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { contextsOf } from './instances.ts'
import type { BgpCounterRow } from './observation.ts'
import type { Peer } from './peer.ts'
import { addressFamily, addressText, asNumber, family, idsOf, indexAddresses } from './values.ts'

/** BGP4V2-MIB, rooted at any of the OIDs it is found at. Rows of the other tables are indexed by their peer. */
export function bgp4v2Peers(read: {
  readonly peers: Rows<Bgp4v2Tables['peers']>
  readonly errors: Rows<Bgp4v2Tables['errors']>
  readonly times: Rows<Bgp4v2Tables['times']>
  readonly counters: Rows<Bgp4v2Tables['counters']>
}): readonly Peer[] {
  const placed = placedPeers(read.peers)
  const contextOf = contextsOf(placed)
  return placed.flatMap(({ index, row, address, instance }) => {
    const [error, time, counter] = [read.errors.get(index), read.times.get(index), read.counters.get(index)]
    return [
      {
        bgpPeerIdentifier: address,
        context_name: contextOf(address, instance),
        bgpPeerRemoteAs: asNumber(row.remoteAs),
        bgpPeerState: enumName(BGP_PEER_STATE, row.state),
        bgpPeerAdminStatus: enumName(BGP_V2_ADMIN_STATUS, row.adminStatus),
        bgpLocalAddr: addressText(row.localAddr),
        bgpPeerDescr: row.description,
        bgpPeerLastErrorCode: error?.code,
        bgpPeerLastErrorSubCode: error?.subcode,
        bgpPeerLastErrorText: error?.text,
        bgpPeerInUpdates: counter?.inUpdates,
        bgpPeerOutUpdates: counter?.outUpdates,
        bgpPeerInTotalMessages: counter?.inTotalMessages,
        bgpPeerOutTotalMessages: counter?.outTotalMessages,
        bgpPeerFsmEstablishedTime: time?.establishedTime,
        bgpPeerInUpdateElapsedTime: time?.inUpdatesElapsedTime,
      },
    ]
  })
}

/** The peers with their bgp4V2PeerInstance, the first sub-identifier of the index. */
function placedPeers(peers: Rows<Bgp4v2Tables['peers']>) {
  return [...peers].flatMap(([index, row]) => {
    const [instance = 0, ...rest] = idsOf(index)
    const address = indexAddresses(rest, 1)?.[0]
    return address === undefined ? [] : [{ index, row, address, instance }]
  })
}

/** IANA's numbers of address families and of subsequent ones. */
const IPV4 = 1
const IPV6 = 2
const UNICAST = 1

/**
 * Prefix counters. Agents list every address family that they know for each peer: one with all counters 0 has most
 * likely not been negotiated and is left out, unless it is unicast of the peer's own address.
 */
export function bgp4v2Counters(
  rows: Rows<Bgp4v2Tables['prefixes']>,
  peers: Rows<Bgp4v2Tables['peers']>,
): readonly BgpCounterRow[] {
  const contextOf = contextsOf(placedPeers(peers))
  return [...rows].flatMap(([index, row]) => {
    const [instance = 0, ...rest] = idsOf(index)
    const key = addressFamily(rest)
    if (key === null) return []
    const [address, afi, safi] = key
    const own = afi === (address.includes(':') ? IPV6 : IPV4) && safi === UNICAST
    if (!own && row.accepted === 0 && (row.sent ?? 0) === 0) return []
    return [
      {
        bgpPeerIdentifier: address,
        context_name: contextOf(address, instance),
        ...family(afi, safi),
        AcceptedPrefixes: row.accepted,
        AdvertisedPrefixes: row.sent,
      },
    ]
  })
}
