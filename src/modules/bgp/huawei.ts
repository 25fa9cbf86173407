import { decodeIndex } from '../../lib/index-decode.ts'
import { BGP_ADMIN_STATUS, BGP_PEER_STATE } from '../../mibs/bgp4-mib.ts'
import type { hwBgpPeerRouteTable, hwBgpPeerStatisticTable, hwBgpPeerTable } from '../../mibs/huawei-bgp-vpn-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { Rows } from '../../snmp/table.ts'
import type { BgpCounterRow } from './observation.ts'
import type { Peer } from './peer.ts'
import { addressText, asNumber, family, idsOf, indexAddresses, lastError, textAddress } from './values.ts'

/** HUAWEI-BGP-VPN-MIB: one row for each address family of a peer, all of the same session. */
export function huaweiPeers(
  peers: Rows<typeof hwBgpPeerTable>,
  counted: Rows<typeof hwBgpPeerStatisticTable>,
): readonly Peer[] {
  const statistics = new Map(
    [...counted].flatMap(([index, row]) => {
      const octets = decodeIndex(index, ['integer', 'integer', 'octets'])?.[2]
      const address = addressText(octets)
      return address === undefined ? [] : [[address, row]]
    }),
  )
  return [...peers].flatMap(([index, row]) => {
    const address = indexAddresses(idsOf(index).slice(3), 1)?.[0]
    if (address === undefined) return []
    const counter = statistics.get(address)
    return [
      {
        bgpPeerIdentifier: address,
        bgpPeerRemoteAs: asNumber(row.hwBgpPeerRemoteAs),
        bgpPeerState: enumName(BGP_PEER_STATE, row.hwBgpPeerState),
        bgpPeerAdminStatus: enumName(BGP_ADMIN_STATUS, row.hwBgpPeerAdminStatus),
        bgpPeerRemoteAddr: textAddress(row.hwBgpPeerRemoteAddr),
        bgpPeerDescr: row.hwBgpPeerDescription,
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

export function huaweiCounters(routes: Rows<typeof hwBgpPeerRouteTable>): readonly BgpCounterRow[] {
  return [...routes].flatMap(([index, row]) => {
    const ids = idsOf(index)
    const [, afi, safi] = ids
    const address = indexAddresses(ids.slice(3), 1)?.[0]
    if (address === undefined || afi === undefined || safi === undefined) return []
    return [
      {
        bgpPeerIdentifier: address,
        context_name: '',
        ...family(afi, safi),
        AcceptedPrefixes: row.hwBgpPeerPrefixRcvCounter,
        AdvertisedPrefixes: row.hwBgpPeerPrefixAdvCounter,
      },
    ]
  })
}
