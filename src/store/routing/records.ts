/** BGP sessions; addresses are dotted IPv4 or uncompressed IPv6. `bgpPeerIface` is an ifIndex. */
export interface BgpPeerRecord {
  readonly bgpPeer_id: number
  readonly device_id: number
  readonly vrf_id: number | null
  readonly astext: string
  readonly bgpPeerIdentifier: string
  readonly bgpPeerRemoteAs: number
  readonly bgpPeerState: string
  readonly bgpPeerAdminStatus: string
  readonly bgpPeerLastErrorCode: number | null
  readonly bgpPeerLastErrorSubCode: number | null
  readonly bgpPeerLastErrorText: string | null
  readonly bgpPeerIface: number | null
  readonly bgpLocalAddr: string
  readonly bgpPeerRemoteAddr: string
  readonly bgpPeerDescr: string
  readonly bgpPeerInUpdates: number
  readonly bgpPeerOutUpdates: number
  readonly bgpPeerInTotalMessages: number
  readonly bgpPeerOutTotalMessages: number
  readonly bgpPeerFsmEstablishedTime: number
  readonly bgpPeerInUpdateElapsedTime: number
  readonly context_name: string | null
}

/** Virtual routing and forwarding instances. `vrf_oid` is the index of their row in the MIB. */
export interface VrfRecord {
  readonly vrf_id: number
  readonly vrf_oid: string
  readonly vrf_name: string | null
  readonly bgpLocalAs: number | null
  readonly mplsVpnVrfRouteDistinguisher: string | null
  readonly mplsVpnVrfDescription: string | null
  readonly device_id: number
}
