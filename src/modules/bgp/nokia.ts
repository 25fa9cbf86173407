import type { Rows } from '@portlight/snmp/table.ts'
import { BGP_PEER_STATE } from '../../mibs/bgp4-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { tBgpPeerNgOperTable, tBgpPeerNgTable } from '../../mibs/timetra-bgp-mib.ts'
import { contextsOf } from './instances.ts'
import type { Peer } from './peer.ts'
import { addressText, asNumber, idsOf, indexAddresses, lastError } from './values.ts'

/** TIMETRA-BGP-MIB. A session's virtual router is its VRF; number 1 is the base router. */
export function nokiaPeers(
  peers: Rows<typeof tBgpPeerNgTable>,
  states: Rows<typeof tBgpPeerNgOperTable>,
): readonly Peer[] {
  const placed = [...peers].flatMap(([index, row]) => {
    const [instance = 0, ...rest] = idsOf(index)
    const address = indexAddresses(rest, 1)?.[0]
    return address === undefined ? [] : [{ index, row, address, instance }]
  })
  const contextOf = contextsOf(placed)
  return placed.flatMap(({ index, row, address, instance }) => {
    const state = states.get(index)
    return [
      {
        bgpPeerIdentifier: address,
        context_name: contextOf(address, instance),
        vrf_oid: String(instance),
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
