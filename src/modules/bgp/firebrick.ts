import type { Rows } from '@portlight/snmp/table.ts'
import { FB_BGP_PEER_STATE, FB_BGP_SHUTDOWN, type fbBgpPeerTable } from '../../mibs/firebrick-bgp-mib.ts'
import type { BgpCounterRow } from './observation.ts'
import type { Peer } from './peer.ts'
import { addressText, asNumber, family, idsOf, indexAddresses } from './values.ts'

const peerOf = (index: string) => indexAddresses(idsOf(index), 1)?.[0]

/** FIREBRICK-BGP-MIB, the only BGP MIB that FireBrick devices have. */
export function firebrickPeers(rows: Rows<typeof fbBgpPeerTable>): readonly Peer[] {
  return [...rows].flatMap(([index, row]) => {
    const address = peerOf(index)
    if (address === undefined) return []
    const state = row.fbBgpPeerState
    return [
      {
        bgpPeerIdentifier: address,
        bgpPeerRemoteAddr: address,
        bgpPeerRemoteAs: asNumber(row.fbBgpPeerRemoteAS),
        bgpPeerState: state === undefined ? undefined : FB_BGP_PEER_STATE[state],
        bgpPeerAdminStatus: state === undefined ? undefined : state === FB_BGP_SHUTDOWN ? 'stop' : 'start',
        bgpPeerDescr: row.fbBgpPeerName,
        bgpLocalAddr: addressText(row.fbBgpPeerLocalAddress),
        bgpPeerFsmEstablishedTime: row.fbBgpPeerSecondsSinceLastChange,
      },
    ]
  })
}

/** One row per address family with prefixes. */
export function firebrickCounters(rows: Rows<typeof fbBgpPeerTable>): readonly BgpCounterRow[] {
  return [...rows].flatMap(([index, row]) => {
    const address = peerOf(index)
    if (address === undefined) return []
    const families = [
      [1, row.fbBgpPeerReceivedIpv4Prefixes],
      [2, row.fbBgpPeerReceivedIpv6Prefixes],
    ] as const
    return families.flatMap(([afi, AcceptedPrefixes]) =>
      AcceptedPrefixes === undefined || AcceptedPrefixes <= 0
        ? []
        : [{ bgpPeerIdentifier: address, context_name: '', ...family(afi, 1), AcceptedPrefixes }],
    )
  })
}
