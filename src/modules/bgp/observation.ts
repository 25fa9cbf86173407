type Known<T> = T | null | undefined

/** One BGP session; natural key (bgpPeerIdentifier, context_name). Members are named after their columns. */
export interface BgpRow {
  /** The peer's address: dotted IPv4 or uncompressed IPv6. */
  readonly bgpPeerIdentifier: string
  /** SNMP context; '': the default context. */
  readonly context_name: string
  /** `vrf_oid` of the session's VRF; null or absent: none, or unknown. */
  readonly vrf_oid?: Known<string>
  /** Name of the remote AS; '': none known. */
  readonly astext: string
  readonly bgpPeerRemoteAs: number
  /** idle, connect, active, opensent, openconfirm, established. */
  readonly bgpPeerState?: Known<string>
  /** start or stop (BGP4-MIB), running or halted (BGP4V2-MIB). */
  readonly bgpPeerAdminStatus?: Known<string>
  /** Code and subcode of the last NOTIFICATION (RFC 4271 §4.5); 0: none. */
  readonly bgpPeerLastErrorCode?: Known<number>
  readonly bgpPeerLastErrorSubCode?: Known<number>
  readonly bgpPeerLastErrorText?: Known<string>
  /** 0.0.0.0: not reported. */
  readonly bgpLocalAddr?: Known<string>
  readonly bgpPeerRemoteAddr?: Known<string>
  readonly bgpPeerDescr?: Known<string>
  readonly bgpPeerInUpdates?: Known<number>
  readonly bgpPeerOutUpdates?: Known<number>
  readonly bgpPeerInTotalMessages?: Known<number>
  readonly bgpPeerOutTotalMessages?: Known<number>
  /** Seconds in or since the established state. */
  readonly bgpPeerFsmEstablishedTime?: Known<number>
  /** Seconds since the last UPDATE. */
  readonly bgpPeerInUpdateElapsedTime?: Known<number>
}

/** Prefix counters of a session for one address family; natural key (bgpPeerIdentifier, afi, safi, context_name). */
export interface BgpCounterRow {
  readonly bgpPeerIdentifier: string
  readonly context_name: string
  /** ipv4, ipv6, l2vpn, ...; the number as text if it has no name. */
  readonly afi: string
  /** unicast, multicast, vpn, ...; the number as text if it has no name. */
  readonly safi: string
  readonly AcceptedPrefixes?: Known<number>
  readonly DeniedPrefixes?: Known<number>
  readonly PrefixAdminLimit?: Known<number>
  readonly PrefixThreshold?: Known<number>
  readonly PrefixClearThreshold?: Known<number>
  readonly AdvertisedPrefixes?: Known<number>
  readonly SuppressedPrefixes?: Known<number>
  readonly WithdrawnPrefixes?: Known<number>
}
