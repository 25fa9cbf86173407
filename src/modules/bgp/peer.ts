import type { Row, Rows } from '@portlight/snmp/table.ts'
import { looseIpv4 } from '../../lib/loose-index.ts'
import { BGP_ADMIN_STATUS, BGP_PEER_STATE, type bgpPeerTable } from '../../mibs/bgp4-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
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
    const address = looseIpv4(index, 0, row.bgpPeerRemoteAddr)
    if (address === null) return []
    return [
      {
        bgpPeerIdentifier: address,
        ...bgp4Session(row),
        bgpLocalAddr: textAddress(row.bgpPeerLocalAddr),
        bgpPeerRemoteAddr: textAddress(row.bgpPeerRemoteAddr),
      },
    ]
  })
}

type BgpSession = Omit<Row<typeof bgpPeerTable>, 'bgpPeerLocalAddr' | 'bgpPeerRemoteAddr'>

/** The fields that BGP4-MIB and its copies share: all but the addresses, whose syntax differs. */
export function bgp4Session(row: BgpSession) {
  return {
    bgpPeerRemoteAs: asNumber(row.bgpPeerRemoteAs),
    bgpPeerState: enumName(BGP_PEER_STATE, row.bgpPeerState),
    bgpPeerAdminStatus: enumName(BGP_ADMIN_STATUS, row.bgpPeerAdminStatus),
    bgpPeerInUpdates: row.bgpPeerInUpdates,
    bgpPeerOutUpdates: row.bgpPeerOutUpdates,
    bgpPeerInTotalMessages: row.bgpPeerInTotalMessages,
    bgpPeerOutTotalMessages: row.bgpPeerOutTotalMessages,
    ...lastError(row.bgpPeerLastError),
    bgpPeerFsmEstablishedTime: row.bgpPeerFsmEstablishedTime,
    bgpPeerInUpdateElapsedTime: row.bgpPeerInUpdateElapsedTime,
  }
}
