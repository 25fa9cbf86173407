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

/** Prefix counters of BGP sessions by address family. */
export interface BgpCounterRecord {
  readonly device_id: number
  readonly bgpPeerIdentifier: string
  readonly afi: string
  readonly safi: string
  readonly AcceptedPrefixes: number
  readonly DeniedPrefixes: number
  readonly PrefixAdminLimit: number
  readonly PrefixThreshold: number
  readonly PrefixClearThreshold: number
  readonly AdvertisedPrefixes: number
  readonly SuppressedPrefixes: number
  readonly WithdrawnPrefixes: number
  readonly AcceptedPrefixes_delta: number
  readonly AcceptedPrefixes_prev: number
  readonly DeniedPrefixes_delta: number
  readonly DeniedPrefixes_prev: number
  readonly AdvertisedPrefixes_delta: number
  readonly AdvertisedPrefixes_prev: number
  readonly SuppressedPrefixes_delta: number
  readonly SuppressedPrefixes_prev: number
  readonly WithdrawnPrefixes_delta: number
  readonly WithdrawnPrefixes_prev: number
  readonly context_name: string | null
}

/** OSPF neighbours (OSPF-MIB::ospfNbrTable). */
export interface OspfNeighbourRecord {
  readonly id: number
  readonly device_id: number
  readonly port_id: number | null
  readonly ospf_nbr_id: string
  readonly ospfNbrIpAddr: string
  readonly ospfNbrAddressLessIndex: number
  readonly ospfNbrRtrId: string
  readonly ospfNbrOptions: number
  readonly ospfNbrPriority: number
  readonly ospfNbrState: string
  readonly ospfNbrEvents: number
  readonly ospfNbrLsRetransQLen: number
  readonly ospfNbmaNbrStatus: string
  readonly ospfNbmaNbrPermanence: string
  readonly ospfNbrHelloSuppressed: string
  readonly context_name: string | null
}

/** OSPF interfaces (OSPF-MIB::ospfIfTable with ospfIfMetricTable). `port_id` 0: no port of the device has the address. */
export interface OspfPortRecord {
  readonly id: number
  readonly device_id: number
  readonly port_id: number
  readonly ospf_port_id: string
  readonly ospfIfIpAddress: string
  readonly ospfAddressLessIf: number
  readonly ospfIfAreaId: string
  readonly ospfIfType: string | null
  readonly ospfIfAdminStat: string | null
  readonly ospfIfRtrPriority: number | null
  readonly ospfIfTransitDelay: number | null
  readonly ospfIfRetransInterval: number | null
  readonly ospfIfHelloInterval: number | null
  readonly ospfIfRtrDeadInterval: number | null
  readonly ospfIfPollInterval: number | null
  readonly ospfIfState: string | null
  readonly ospfIfDesignatedRouter: string | null
  readonly ospfIfBackupDesignatedRouter: string | null
  readonly ospfIfEvents: number | null
  readonly ospfIfAuthKey: string | null
  readonly ospfIfStatus: string | null
  readonly ospfIfMulticastForwarding: string | null
  readonly ospfIfDemand: string | null
  readonly ospfIfAuthType: string | null
  readonly ospfIfMetricIpAddress: string | null
  readonly ospfIfMetricAddressLessIf: number | null
  readonly ospfIfMetricTOS: number | null
  readonly ospfIfMetricValue: number | null
  readonly ospfIfMetricStatus: string | null
  readonly context_name: string | null
}

/** OSPFv3 neighbours (OSPFV3-MIB::ospfv3NbrTable). */
export interface Ospfv3NeighbourRecord {
  readonly id: number
  readonly device_id: number
  readonly ospfv3_instance_id: number
  readonly port_id: number | null
  readonly router_id: string
  readonly ospfv3NbrIfIndex: number
  readonly ospfv3NbrIfInstId: number
  readonly ospfv3NbrRtrId: number
  readonly ospfv3NbrAddressType: string
  readonly ospfv3NbrAddress: string
  readonly ospfv3NbrOptions: number
  readonly ospfv3NbrPriority: number
  readonly ospfv3NbrState: string
  readonly ospfv3NbrEvents: number
  readonly ospfv3NbrLsRetransQLen: number
  readonly ospfv3NbrHelloSuppressed: string
  readonly ospfv3NbrIfId: number
  readonly ospfv3NbrRestartHelperStatus: string | null
  readonly ospfv3NbrRestartHelperAge: number | null
  readonly ospfv3NbrRestartHelperExitReason: string | null
  readonly context_name: string | null
}

/** OSPFv3 interfaces (OSPFV3-MIB::ospfv3IfTable). */
export interface Ospfv3PortRecord {
  readonly id: number
  readonly device_id: number
  readonly ospfv3_instance_id: number
  readonly ospfv3_area_id: number | null
  readonly port_id: number | null
  readonly ospfv3IfIndex: number
  readonly ospfv3IfInstId: number
  readonly ospfv3IfAreaId: number
  readonly ospfv3IfType: string
  readonly ospfv3IfAdminStatus: string
  readonly ospfv3IfRtrPriority: number
  readonly ospfv3IfTransitDelay: number
  readonly ospfv3IfRetransInterval: number
  readonly ospfv3IfHelloInterval: number
  readonly ospfv3IfRtrDeadInterval: number
  readonly ospfv3IfPollInterval: number | null
  readonly ospfv3IfState: string
  readonly ospfv3IfDesignatedRouter: string
  readonly ospfv3IfBackupDesignatedRouter: string
  readonly ospfv3IfEvents: number
  readonly ospfv3IfDemand: string
  readonly ospfv3IfMetricValue: number
  readonly ospfv3IfLinkScopeLsaCount: number | null
  readonly ospfv3IfLinkLsaCksumSum: number | null
  readonly ospfv3IfDemandNbrProbe: string | null
  readonly ospfv3IfDemandNbrProbeRetransLimit: number | null
  readonly ospfv3IfDemandNbrProbeInterval: number | null
  readonly ospfv3IfTEDisabled: string | null
  readonly ospfv3IfLinkLSASuppression: string | null
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

/** Services of Nokia SR OS (TIMETRA-SERV-MIB::svcBaseInfoTable). */
export interface MplsServiceRecord {
  readonly svc_id: number
  readonly device_id: number
  readonly svc_oid: number
  readonly svcRowStatus: string | null
  readonly svcType: string | null
  readonly svcCustId: number | null
  readonly svcAdminStatus: string | null
  readonly svcOperStatus: string | null
  readonly svcDescription: string | null
  readonly svcMtu: number | null
  readonly svcNumSaps: number | null
  readonly svcNumSdps: number | null
  readonly svcLastMgmtChange: number | null
  readonly svcLastStatusChange: number | null
  readonly svcVRouterId: number | null
  readonly svcTlsMacLearning: string | null
  readonly svcTlsStpAdminStatus: string | null
  readonly svcTlsStpOperStatus: string | null
  readonly svcTlsFdbTableSize: number | null
  readonly svcTlsFdbNumEntries: number | null
  readonly hostname: string
}

/** Service access points of Nokia SR OS (TIMETRA-SAP-MIB::sapBaseInfoTable). */
export interface MplsSapRecord {
  readonly sap_id: number
  readonly device_id: number
  readonly svc_id: number
  readonly svc_oid: number
  readonly sapPortId: number
  readonly ifName: string | null
  readonly sapEncapValue: string | null
  readonly sapRowStatus: string | null
  readonly sapType: string | null
  readonly sapDescription: string | null
  readonly sapAdminStatus: string | null
  readonly sapOperStatus: string | null
  readonly sapLastMgmtChange: number | null
  readonly sapLastStatusChange: number | null
  readonly hostname: string
}

/** IPsec tunnels: the IKE peers of a device. */
export interface IpsecTunnelRecord {
  readonly hostname: string
  readonly tunnel_id: number
  readonly device_id: number
  readonly peer_port: number
  readonly peer_addr: string
  readonly local_addr: string
  readonly local_port: number
  readonly tunnel_name: string
  readonly tunnel_status: string
}
