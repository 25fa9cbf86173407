import type { Row, Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { BGP_ADMIN_STATUS, BGP_PEER_STATE } from '../../mibs/bgp4-mib.ts'
import type {
  cbgpFamilyTable,
  cbgpPeer2Table,
  cbgpPeer3Table,
  cbgpPrefix2Table,
  cbgpPrefixTable,
} from '../../mibs/cisco-bgp4-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { BgpCounterRow } from './observation.ts'
import type { Peer } from './peer.ts'
import { addressFamily, addressText, asNumber, family, idsOf, indexAddresses, lastError } from './values.ts'

/** CISCO-BGP4-MIB::cbgpPeer2Table, which also covers IPv6 peers. */
export function ciscoPeers(rows: Rows<typeof cbgpPeer2Table>): readonly Peer[] {
  return [...rows].flatMap(([index, row]) => {
    const address = indexAddresses(idsOf(index), 1)?.[0]
    if (address === undefined) return []
    return [
      {
        bgpPeerIdentifier: address,
        bgpPeerRemoteAs: asNumber(row.cbgpPeer2RemoteAs),
        bgpPeerState: enumName(BGP_PEER_STATE, row.cbgpPeer2State),
        bgpPeerAdminStatus: enumName(BGP_ADMIN_STATUS, row.cbgpPeer2AdminStatus),
        bgpLocalAddr: addressText(row.cbgpPeer2LocalAddr),
        bgpPeerInUpdates: row.cbgpPeer2InUpdates,
        bgpPeerOutUpdates: row.cbgpPeer2OutUpdates,
        bgpPeerInTotalMessages: row.cbgpPeer2InTotalMessages,
        bgpPeerOutTotalMessages: row.cbgpPeer2OutTotalMessages,
        ...lastError(row.cbgpPeer2LastError),
        bgpPeerLastErrorText: row.cbgpPeer2LastErrorTxt,
        bgpPeerFsmEstablishedTime: row.cbgpPeer2FsmEstablishedTime,
        bgpPeerInUpdateElapsedTime: row.cbgpPeer2InUpdateElapsedTime,
      },
    ]
  })
}

/**
 * CISCO-BGP4-MIB::cbgpPeer3Table of newer IOS XE: sessions in VRFs, which the other tables show only in SNMP contexts.
 * Sessions that another table already has (`known`, by address) are left out.
 */
export function ciscoVrfPeers(rows: Rows<typeof cbgpPeer3Table>, known: ReadonlySet<string>): readonly Peer[] {
  return [...rows].flatMap(([index, row]) => {
    const address = indexAddresses(idsOf(index).slice(1), 1)?.[0]
    const vrf = row.cbgpPeer3VrfName?.trim() ?? ''
    if (address === undefined || vrf === '' || vrf === 'default' || known.has(address)) return []
    return [
      {
        bgpPeerIdentifier: address,
        context_name: vrf,
        // MPLS-L3VPN-STD-MIB indexes a VRF by its name, preceded by the length.
        vrf_oid: [vrf.length, ...new TextEncoder().encode(vrf)].join('.'),
        bgpPeerRemoteAs: asNumber(row.cbgpPeer3RemoteAs),
        bgpPeerState: enumName(BGP_PEER_STATE, row.cbgpPeer3State),
        bgpPeerAdminStatus: enumName(BGP_ADMIN_STATUS, row.cbgpPeer3AdminStatus),
        bgpLocalAddr: addressText(row.cbgpPeer3LocalAddr),
        bgpPeerInUpdates: row.cbgpPeer3InUpdates,
        bgpPeerOutUpdates: row.cbgpPeer3OutUpdates,
        bgpPeerInTotalMessages: row.cbgpPeer3InTotalMessages,
        bgpPeerOutTotalMessages: row.cbgpPeer3OutTotalMessages,
        ...lastError(row.cbgpPeer3LastError),
        bgpPeerLastErrorText: row.cbgpPeer3LastErrorTxt,
        bgpPeerFsmEstablishedTime: row.cbgpPeer3FsmEstablishedTime,
        bgpPeerInUpdateElapsedTime: row.cbgpPeer3InUpdateElapsedTime,
      },
    ]
  })
}

type Prefixes = Row<typeof cbgpPrefixTable>

function ciscoCounter(address: string, afi: number, safi: number, row: Partial<Prefixes>): BgpCounterRow {
  return {
    bgpPeerIdentifier: address,
    context_name: '',
    ...family(afi, safi),
    AcceptedPrefixes: row.accepted,
    DeniedPrefixes: row.denied,
    PrefixAdminLimit: row.adminLimit,
    PrefixThreshold: row.threshold,
    PrefixClearThreshold: row.clearThreshold,
    AdvertisedPrefixes: row.advertised,
    SuppressedPrefixes: row.suppressed,
    WithdrawnPrefixes: row.withdrawn,
  }
}

/**
 * Prefix counters from both tables of CISCO-BGP4-MIB; the newer table wins if both have a session. The counters of a
 * session's other address families are unknown.
 */
export function ciscoCounters(
  old: Rows<typeof cbgpPrefixTable>,
  now: Rows<typeof cbgpPrefix2Table>,
  families: Rows<typeof cbgpFamilyTable>,
): readonly BgpCounterRow[] {
  const uncounted = [...families.keys()].flatMap((index) => {
    const key = addressFamily(idsOf(index))
    return key === null ? [] : [ciscoCounter(...key, {})]
  })
  const older = [...old].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['ipAddress', 'integer', 'integer'])
    return key === null ? [] : [ciscoCounter(...key, row)]
  })
  const newer = [...now].flatMap(([index, row]) => {
    const key = addressFamily(idsOf(index))
    return key === null ? [] : [ciscoCounter(...key, row)]
  })
  return [...uncounted, ...older, ...newer]
}
