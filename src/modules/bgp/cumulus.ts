import type { Rows } from '@portlight/snmp/table.ts'
import { CUMULUS_PEER_IPV4, CUMULUS_PEER_IPV6, type cumulusVrfBgpPeerTable } from '../../mibs/bgp4-mib.ts'
import { contextsOf } from './instances.ts'
import { bgp4Session, type Peer } from './peer.ts'
import { addressText, idsOf, textAddress } from './values.ts'

/**
 * CUMULUS-BGPVRF-MIB: sessions of all VRFs, over IPv4, IPv6 or an unnumbered interface. An unnumbered session is
 * identified by the peer's link-local address, and left out until that is known.
 */
export function cumulusPeers(rows: Rows<typeof cumulusVrfBgpPeerTable>): readonly Peer[] {
  const placed = [...rows].flatMap(([index, row]) => {
    const [instance = 0, kind, ...rest] = idsOf(index)
    const remote = addressText(row.bgpPeerRemoteAddr)
    const address = ofIndex(kind, rest) ?? (remote === '0.0.0.0' ? undefined : remote)
    return address === undefined ? [] : [{ row, address, instance }]
  })
  const contextOf = contextsOf(placed)
  return placed.map(({ row, address, instance }) => ({
    bgpPeerIdentifier: address,
    context_name: contextOf(address, instance),
    ...bgp4Session(row),
    bgpLocalAddr: addressText(row.bgpPeerLocalAddr),
    bgpPeerDescr: row.bgpPeerDesc,
  }))
}

/** The address in an index: 4 or 16 octets, with or without a leading length; undefined for an unnumbered interface. */
function ofIndex(kind: number | undefined, ids: readonly number[]): string | undefined {
  if (ids.some((id) => id > 255)) return undefined
  const octets = ids.length === 5 || ids.length === 17 ? ids.slice(1) : ids
  if (kind === CUMULUS_PEER_IPV4 && octets.length === 4) return textAddress(octets.join('.'))
  return kind === CUMULUS_PEER_IPV6 && octets.length === 16 ? addressText(Uint8Array.from(octets)) : undefined
}
