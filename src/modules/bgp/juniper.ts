import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { BGP_PEER_STATE, BGP_V2_ADMIN_STATUS } from '../../mibs/bgp4-mib.ts'
import type {
  jnxBgpM2PeerCountersTable,
  jnxBgpM2PeerErrorsTable,
  jnxBgpM2PeerEventTimesTable,
  jnxBgpM2PeerTable,
  jnxBgpM2PrefixCountersTable,
} from '../../mibs/juniper-bgp4-v2-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { contextsOf } from './instances.ts'
import type { BgpCounterRow } from './observation.ts'
import type { Peer } from './peer.ts'
import { addressText, asNumber, family, idsOf, indexAddresses, lastError } from './values.ts'

export interface JuniperRows {
  readonly peers: Rows<typeof jnxBgpM2PeerTable>
  readonly errors: Rows<typeof jnxBgpM2PeerErrorsTable>
  readonly times: Rows<typeof jnxBgpM2PeerEventTimesTable>
  readonly counters: Rows<typeof jnxBgpM2PeerCountersTable>
  readonly prefixes: Rows<typeof jnxBgpM2PrefixCountersTable>
}

const juniperAddress = (index: string, row: Row<typeof jnxBgpM2PeerTable>) =>
  addressText(row.jnxBgpM2PeerRemoteAddr) ?? indexAddresses(idsOf(index).slice(1), 2)?.[1]

/** BGP4-V2-MIB-JUNIPER. */
export function juniperPeers(read: JuniperRows): readonly Peer[] {
  const placed = placedPeers(read.peers)
  const contextOf = contextsOf(placed)
  return placed.flatMap(({ index, row, address, instance }) => {
    const [error, time, counter] = [read.errors.get(index), read.times.get(index), read.counters.get(index)]
    return [
      {
        bgpPeerIdentifier: address,
        context_name: contextOf(address, instance),
        bgpPeerRemoteAs: asNumber(row.jnxBgpM2PeerRemoteAs),
        bgpPeerState: enumName(BGP_PEER_STATE, row.jnxBgpM2PeerState),
        bgpPeerAdminStatus: enumName(BGP_V2_ADMIN_STATUS, row.jnxBgpM2PeerStatus),
        bgpLocalAddr: addressText(row.jnxBgpM2PeerLocalAddr),
        ...lastError(error?.jnxBgpM2PeerLastErrorReceived),
        bgpPeerLastErrorText: error?.jnxBgpM2PeerLastErrorReceivedText,
        bgpPeerInUpdates: counter?.jnxBgpM2PeerInUpdates,
        bgpPeerOutUpdates: counter?.jnxBgpM2PeerOutUpdates,
        bgpPeerInTotalMessages: counter?.jnxBgpM2PeerInTotalMessages,
        bgpPeerOutTotalMessages: counter?.jnxBgpM2PeerOutTotalMessages,
        bgpPeerFsmEstablishedTime: time?.jnxBgpM2PeerFsmEstablishedTime,
        bgpPeerInUpdateElapsedTime: time?.jnxBgpM2PeerInUpdatesElapsedTime,
      },
    ]
  })
}

/** The peers with their jnxBgpM2PeerRoutingInstance, the first sub-identifier of the index. */
function placedPeers(peers: JuniperRows['peers']) {
  return [...peers].flatMap(([index, row]) => {
    const address = juniperAddress(index, row)
    return address === undefined ? [] : [{ index, row, address, instance: idsOf(index)[0] ?? 0 }]
  })
}

export function juniperCounters({ peers, prefixes }: JuniperRows): readonly BgpCounterRow[] {
  const placed = placedPeers(peers)
  const contextOf = contextsOf(placed)
  const byIndex = new Map(placed.map((peer) => [peer.row.jnxBgpM2PeerIndex, peer]))
  return [...prefixes].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['integer', 'integer', 'integer'])
    const peer = key === null ? undefined : byIndex.get(key[0])
    if (key === null || peer === undefined) return []
    return [
      {
        bgpPeerIdentifier: peer.address,
        context_name: contextOf(peer.address, peer.instance),
        ...family(key[1], key[2]),
        AcceptedPrefixes: row.jnxBgpM2PrefixInPrefixesAccepted,
        DeniedPrefixes: row.jnxBgpM2PrefixInPrefixesRejected,
        AdvertisedPrefixes: row.jnxBgpM2PrefixOutPrefixes,
      },
    ]
  })
}
