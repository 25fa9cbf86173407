import { BGP_PEER_STATE } from '../../mibs/bgp4-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { tBgpPeerNgOperTable, tBgpPeerNgTable } from '../../mibs/timetra-bgp-mib.ts'
import type { Rows } from '../../snmp/table.ts'
import type { Peer } from './peer.ts'
import { addressText, asNumber, idsOf, indexAddresses, lastError } from './values.ts'

/** TIMETRA-BGP-MIB. The virtual router of a session is its VRF. */
export function nokiaPeers(
  peers: Rows<typeof tBgpPeerNgTable>,
  states: Rows<typeof tBgpPeerNgOperTable>,
): readonly Peer[] {
  return [...peers].flatMap(([index, row]) => {
    const ids = idsOf(index)
    const address = indexAddresses(ids.slice(1), 1)?.[0]
    if (address === undefined) return []
    const state = states.get(index)
    return [
      {
        bgpPeerIdentifier: address,
        vrf_oid: String(ids[0]),
        bgpPeerRemoteAs: asNumber(row.tBgpPeerNgPeerAS4Byte),
        bgpPeerState: enumName(BGP_PEER_STATE, row.tBgpPeerNgConnState),
        bgpPeerAdminStatus:
          row.tBgpPeerNgShutdown === undefined ? undefined : row.tBgpPeerNgShutdown === 1 ? 'stop' : 'start',
        bgpPeerDescr: row.tBgpPeerNgDescription,
        bgpLocalAddr: addressText(state?.tBgpPeerOperLocalAddress),
        ...lastError(state?.tBgpPeerNgOperLastError),
        bgpPeerInUpdates: state?.tBgpPeerNgOperInUpdates,
        bgpPeerOutUpdates: state?.tBgpPeerNgOperOutUpdates,
        bgpPeerInTotalMessages: state?.tBgpPeerNgOperInTotalMessages,
        bgpPeerOutTotalMessages: state?.tBgpPeerNgOperOutTotalMessages,
        bgpPeerFsmEstablishedTime: state?.tBgpPeerFsmEstablishedTime,
        bgpPeerInUpdateElapsedTime: state?.tBgpPeerNgOperInUpdElapsedTime,
      },
    ]
  })
}
