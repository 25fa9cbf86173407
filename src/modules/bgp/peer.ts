import { decodeIndex } from '../../lib/index-decode.ts'
import { BGP_ADMIN_STATUS, BGP_PEER_STATE, type bgpPeerTable } from '../../mibs/bgp4-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { Rows } from '../../snmp/table.ts'
import type { BgpRow } from './observation.ts'
import { asNumber, lastError, textAddress } from './values.ts'

/** A session as one MIB reports it. */
export interface Peer extends Partial<Omit<BgpRow, 'bgpPeerIdentifier' | 'bgpPeerRemoteAs' | 'astext'>> {
  readonly bgpPeerIdentifier: string
  readonly bgpPeerRemoteAs?: number | undefined
}

/** BGP4-MIB and its copies. */
export function bgp4Peers(rows: Rows<typeof bgpPeerTable>): readonly Peer[] {
  return [...rows].flatMap(([index, row]) => {
    const address = decodeIndex(index, ['ipAddress'])?.[0]
    if (address === undefined) return []
    return [
      {
        bgpPeerIdentifier: address,
        bgpPeerRemoteAs: asNumber(row.bgpPeerRemoteAs),
        bgpPeerState: enumName(BGP_PEER_STATE, row.bgpPeerState),
        bgpPeerAdminStatus: enumName(BGP_ADMIN_STATUS, row.bgpPeerAdminStatus),
        bgpLocalAddr: textAddress(row.bgpPeerLocalAddr),
        bgpPeerRemoteAddr: textAddress(row.bgpPeerRemoteAddr),
        bgpPeerInUpdates: row.bgpPeerInUpdates,
        bgpPeerOutUpdates: row.bgpPeerOutUpdates,
        bgpPeerInTotalMessages: row.bgpPeerInTotalMessages,
        bgpPeerOutTotalMessages: row.bgpPeerOutTotalMessages,
        ...lastError(row.bgpPeerLastError),
        bgpPeerFsmEstablishedTime: row.bgpPeerFsmEstablishedTime,
        bgpPeerInUpdateElapsedTime: row.bgpPeerInUpdateElapsedTime,
      },
    ]
  })
}
