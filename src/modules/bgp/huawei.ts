import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { BGP_ADMIN_STATUS, BGP_PEER_STATE } from '../../mibs/bgp4-mib.ts'
import type {
  hwBgpPeerRouteTable,
  hwBgpPeerSessionExtTable,
  hwBgpPeerStatisticTable,
  hwBgpPeerTable,
} from '../../mibs/huawei-bgp-vpn-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { contextsOf } from './instances.ts'
import type { BgpCounterRow } from './observation.ts'
import type { Peer } from './peer.ts'
import { addressText, asNumber, family, idsOf, indexAddresses, lastError, textAddress } from './values.ts'

/** HUAWEI-BGP-VPN-MIB has one row per address family of a peer, all for the same session. */
export function huaweiPeers(
  peers: Rows<typeof hwBgpPeerTable>,
  counted: Rows<typeof hwBgpPeerStatisticTable>,
  described: Rows<typeof hwBgpPeerSessionExtTable>,
): readonly Peer[] {
  const placed = placedPeers(peers)
  const contextOf = contextsOf(placed)
  // by instance and address, and also by address alone: some agents number the instances differently in the two tables
  const statistics = new Map<string, Row<typeof hwBgpPeerStatisticTable>>()
  for (const [index, row] of counted) {
    const [, instance, octets] = decodeIndex(index, ['integer', 'integer', 'octets']) ?? []
    const address = addressText(octets)
    if (address === undefined) continue
    statistics.set(`${instance} ${address}`, row)
    statistics.set(address, row)
  }
  const descriptions = new Map<string, string>()
  for (const [index, { hwBgpPeerSessionExtDescription: text }] of described) {
    const [instance = 0, ...rest] = idsOf(index)
    const address = indexAddresses(rest, 1)?.[0]
    if (address === undefined || !text) continue
    descriptions.set(`${instance} ${address}`, text)
    descriptions.set(address, text)
  }
  return placed.flatMap(({ row, address, instance }) => {
    const counter = statistics.get(`${instance} ${address}`) ?? statistics.get(address)
    return [
      {
        bgpPeerIdentifier: address,
        context_name: contextOf(address, instance),
        bgpPeerRemoteAs: asNumber(row.hwBgpPeerRemoteAs),
        bgpPeerState: enumName(BGP_PEER_STATE, row.hwBgpPeerState),
        bgpPeerAdminStatus: enumName(BGP_ADMIN_STATUS, row.hwBgpPeerAdminStatus),
        bgpPeerRemoteAddr: textAddress(row.hwBgpPeerRemoteAddr),
        bgpPeerDescr:
          row.hwBgpPeerDescription || (descriptions.get(`${instance} ${address}`) ?? descriptions.get(address)),
        ...lastError(row.hwBgpPeerLastError),
        bgpPeerInUpdates: counter?.hwBgpPeerInUpdateMsgs,
        bgpPeerOutUpdates: counter?.hwBgpPeerOutUpdateMsgs,
        bgpPeerInTotalMessages: counter?.hwBgpPeerInTotalMsgs,
        bgpPeerOutTotalMessages: counter?.hwBgpPeerOutTotalMsgs,
        bgpPeerFsmEstablishedTime: row.hwBgpPeerFsmEstablishedTime,
      },
    ]
  })
}

/** The peers with their hwBgpPeerInstanceId, the first sub-identifier of the index; 0 is the public instance. */
function placedPeers(peers: Rows<typeof hwBgpPeerTable>) {
  return [...peers].flatMap(([index, row]) => {
    const ids = idsOf(index)
    const address = indexAddresses(ids.slice(3), 1)?.[0]
    return address === undefined ? [] : [{ row, address, instance: ids[0] ?? 0 }]
  })
}

export function huaweiCounters(
  routes: Rows<typeof hwBgpPeerRouteTable>,
  peers: Rows<typeof hwBgpPeerTable>,
): readonly BgpCounterRow[] {
  const contextOf = contextsOf(placedPeers(peers))
  return [...routes].flatMap(([index, row]) => {
    const ids = idsOf(index)
    const [instance = 0, afi, safi] = ids
    const address = indexAddresses(ids.slice(3), 1)?.[0]
    if (address === undefined || afi === undefined || safi === undefined) return []
    return [
      {
        bgpPeerIdentifier: address,
        context_name: contextOf(address, instance),
        ...family(afi, safi),
        AcceptedPrefixes: row.hwBgpPeerPrefixRcvCounter,
        AdvertisedPrefixes: row.hwBgpPeerPrefixAdvCounter,
      },
    ]
  })
}
