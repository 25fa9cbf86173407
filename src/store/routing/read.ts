import type { PendingQuery, Row } from 'postgres'
import { deviceInScope, type Scope } from '../access/scope.ts'
import type { Store } from '../client.ts'
import { findRecord, type ListChunks, type ListQuery, listChunks } from '../list-chunks.ts'
import type * as records from './records.ts'

/** Filter of a list. */
export interface RoutingFilter {
  readonly scope: Scope
  /** Rows of one device; absent: of all. */
  readonly deviceId?: number | undefined
}

/** Columns of each record in order, over `t` joined with its device `d`. */
const COLUMNS = {
  bgpPeers: `t."bgpPeer_id", t."device_id", t."vrf_id", coalesce(nullif(t."astext", ''), (select n.name from as_names n where n.asn = t."bgpPeerRemoteAs"), '') as "astext", t."bgpPeerIdentifier", t."bgpPeerRemoteAs", t."bgpPeerState", t."bgpPeerAdminStatus", t."bgpPeerLastErrorCode", t."bgpPeerLastErrorSubCode", t."bgpPeerLastErrorText", t."bgpPeerIface", t."bgpLocalAddr", t."bgpPeerRemoteAddr", t."bgpPeerDescr", t."bgpPeerInUpdates", t."bgpPeerOutUpdates", t."bgpPeerInTotalMessages", t."bgpPeerOutTotalMessages", t."bgpPeerFsmEstablishedTime", t."bgpPeerInUpdateElapsedTime", t."context_name"`,
  bgpPeers_cbgp: `t."device_id", t."bgpPeerIdentifier", t."afi", t."safi", t."AcceptedPrefixes", t."DeniedPrefixes", t."PrefixAdminLimit", t."PrefixThreshold", t."PrefixClearThreshold", t."AdvertisedPrefixes", t."SuppressedPrefixes", t."WithdrawnPrefixes", t."AcceptedPrefixes_delta", t."AcceptedPrefixes_prev", t."DeniedPrefixes_delta", t."DeniedPrefixes_prev", t."AdvertisedPrefixes_delta", t."AdvertisedPrefixes_prev", t."SuppressedPrefixes_delta", t."SuppressedPrefixes_prev", t."WithdrawnPrefixes_delta", t."WithdrawnPrefixes_prev", t."context_name"`,
  ospf_nbrs: `t."id", t."device_id", t."port_id", t."ospf_nbr_id", t."ospfNbrIpAddr", t."ospfNbrAddressLessIndex", t."ospfNbrRtrId", t."ospfNbrOptions", t."ospfNbrPriority", t."ospfNbrState", t."ospfNbrEvents", t."ospfNbrLsRetransQLen", t."ospfNbmaNbrStatus", t."ospfNbmaNbrPermanence", t."ospfNbrHelloSuppressed", t."context_name"`,
  ospf_ports: `t."id", t."device_id", t."port_id", t."ospf_port_id", t."ospfIfIpAddress", t."ospfAddressLessIf", t."ospfIfAreaId", t."ospfIfType", t."ospfIfAdminStat", t."ospfIfRtrPriority", t."ospfIfTransitDelay", t."ospfIfRetransInterval", t."ospfIfHelloInterval", t."ospfIfRtrDeadInterval", t."ospfIfPollInterval", t."ospfIfState", t."ospfIfDesignatedRouter", t."ospfIfBackupDesignatedRouter", t."ospfIfEvents", t."ospfIfAuthKey", t."ospfIfStatus", t."ospfIfMulticastForwarding", t."ospfIfDemand", t."ospfIfAuthType", t."ospfIfMetricIpAddress", t."ospfIfMetricAddressLessIf", t."ospfIfMetricTOS", t."ospfIfMetricValue", t."ospfIfMetricStatus", t."context_name"`,
  ospfv3_nbrs: `t."id", t."device_id", t."ospfv3_instance_id", t."port_id", t."router_id", t."ospfv3NbrIfIndex", t."ospfv3NbrIfInstId", t."ospfv3NbrRtrId", t."ospfv3NbrAddressType", t."ospfv3NbrAddress", t."ospfv3NbrOptions", t."ospfv3NbrPriority", t."ospfv3NbrState", t."ospfv3NbrEvents", t."ospfv3NbrLsRetransQLen", t."ospfv3NbrHelloSuppressed", t."ospfv3NbrIfId", t."ospfv3NbrRestartHelperStatus", t."ospfv3NbrRestartHelperAge", t."ospfv3NbrRestartHelperExitReason", t."context_name"`,
  ospfv3_ports: `t."id", t."device_id", t."ospfv3_instance_id", t."ospfv3_area_id", t."port_id", t."ospfv3IfIndex", t."ospfv3IfInstId", t."ospfv3IfAreaId", t."ospfv3IfType", t."ospfv3IfAdminStatus", t."ospfv3IfRtrPriority", t."ospfv3IfTransitDelay", t."ospfv3IfRetransInterval", t."ospfv3IfHelloInterval", t."ospfv3IfRtrDeadInterval", t."ospfv3IfPollInterval", t."ospfv3IfState", t."ospfv3IfDesignatedRouter", t."ospfv3IfBackupDesignatedRouter", t."ospfv3IfEvents", t."ospfv3IfDemand", t."ospfv3IfMetricValue", t."ospfv3IfLinkScopeLsaCount", t."ospfv3IfLinkLsaCksumSum", t."ospfv3IfDemandNbrProbe", t."ospfv3IfDemandNbrProbeRetransLimit", t."ospfv3IfDemandNbrProbeInterval", t."ospfv3IfTEDisabled", t."ospfv3IfLinkLSASuppression", t."context_name"`,
  vrfs: `t."vrf_id", t."vrf_oid", t."vrf_name", t."bgpLocalAs", t."mplsVpnVrfRouteDistinguisher", t."mplsVpnVrfDescription", t."device_id"`,
  mpls_services: `t."svc_id", t."device_id", t."svc_oid", t."svcRowStatus", t."svcType", t."svcCustId", t."svcAdminStatus", t."svcOperStatus", t."svcDescription", t."svcMtu", t."svcNumSaps", t."svcNumSdps", t."svcLastMgmtChange", t."svcLastStatusChange", t."svcVRouterId", t."svcTlsMacLearning", t."svcTlsStpAdminStatus", t."svcTlsStpOperStatus", t."svcTlsFdbTableSize", t."svcTlsFdbNumEntries", d.hostname`,
  mpls_saps: `t."sap_id", t."device_id", t."svc_id", t."svc_oid", t."sapPortId", t."ifName", t."sapEncapValue", t."sapRowStatus", t."sapType", t."sapDescription", t."sapAdminStatus", t."sapOperStatus", t."sapLastMgmtChange", t."sapLastStatusChange", d.hostname`,
  ipsec_tunnels: `d.hostname, t."tunnel_id", t."device_id", t."peer_port", t."peer_addr", t."local_addr", t."local_port", t."tunnel_name", t."tunnel_status"`,
} as const

/** Rows of a table in scope, of one device if given, that match `more`. */
function query(
  { sql }: Store,
  table: keyof typeof COLUMNS,
  key: string,
  filter: RoutingFilter,
  more?: PendingQuery<Row[]>,
): ListQuery {
  return {
    key,
    columns: COLUMNS[table],
    from: `"${table}" t join devices d on d.device_id = t.device_id`,
    where: sql`${deviceInScope(sql, filter.scope)}
      and ${filter.deviceId === undefined ? sql`true` : sql`t.device_id = ${filter.deviceId}`} and ${more ?? sql`true`}`,
  }
}

/** Filters of BGP sessions, which combine. Addresses as stored. */
export interface BgpFilter extends RoutingFilter {
  /** AS number of the device. */
  readonly localAs?: number
  readonly remoteAs?: number
  readonly remoteAddress?: string
  readonly localAddress?: string
  /** Part of the description. */
  readonly descr?: string
  readonly state?: string
  readonly adminStatus?: string
  /** By the local address. */
  readonly family?: 4 | 6
}

/** BGP sessions by id, without those that have no state. */
export function listBgpPeers(store: Store, f: BgpFilter): ListChunks {
  const { sql } = store
  const is = (column: PendingQuery<Row[]>, value: string | number | undefined) =>
    value === undefined ? sql`true` : sql`${column} = ${value}`
  const conditions = sql`t."bgpPeerState" <> '' and ${is(sql`d."bgpLocalAs"`, f.localAs)} and ${is(sql`t."bgpPeerRemoteAs"`, f.remoteAs)}
    and ${is(sql`t."bgpPeerIdentifier"`, f.remoteAddress)} and ${is(sql`t."bgpLocalAddr"`, f.localAddress)}
    and ${is(sql`t."bgpPeerState"`, f.state)} and ${is(sql`t."bgpPeerAdminStatus"`, f.adminStatus)}
    and ${f.descr === undefined ? sql`true` : sql`position(${f.descr} in t."bgpPeerDescr") > 0`}
    and ${f.family === undefined ? sql`true` : sql`(position(':' in t."bgpLocalAddr") > 0) = ${f.family === 6}`}`
  return listChunks(store, query(store, 'bgpPeers', 't."bgpPeer_id"', f, conditions))
}

export function listBgpCounters(store: Store, filter: RoutingFilter): ListChunks {
  return listChunks(store, query(store, 'bgpPeers_cbgp', 't.cbgp_id', filter))
}

/** OSPF neighbours by id, without those that have no state. */
export function listOspfNeighbours(store: Store, filter: RoutingFilter): ListChunks {
  return listChunks(store, query(store, 'ospf_nbrs', 't.id', filter, store.sql`t."ospfNbrState" <> ''`))
}

export function listOspfPorts(store: Store, filter: RoutingFilter): ListChunks {
  return listChunks(store, query(store, 'ospf_ports', 't.id', filter))
}

export function listOspfv3Neighbours(store: Store, filter: RoutingFilter): ListChunks {
  return listChunks(store, query(store, 'ospfv3_nbrs', 't.id', filter))
}

export function listOspfv3Ports(store: Store, filter: RoutingFilter): ListChunks {
  return listChunks(store, query(store, 'ospfv3_ports', 't.id', filter))
}

/** VRFs by id; `name` filters if given. */
export function listVrfs(store: Store, filter: RoutingFilter & { readonly name?: string }): ListChunks {
  const { sql } = store
  const more = filter.name === undefined ? sql`true` : sql`t.vrf_name = ${filter.name}`
  return listChunks(store, query(store, 'vrfs', 't.vrf_id', filter, more))
}

export function listMplsServices(store: Store, filter: RoutingFilter): ListChunks {
  return listChunks(store, query(store, 'mpls_services', 't.svc_id', filter))
}

export function listMplsSaps(store: Store, filter: RoutingFilter): ListChunks {
  return listChunks(store, query(store, 'mpls_saps', 't.sap_id', filter))
}

/** Active tunnels. */
export function listIpsecTunnels(store: Store, filter: RoutingFilter): ListChunks {
  return listChunks(store, query(store, 'ipsec_tunnels', 't.tunnel_id', filter, store.sql`t.tunnel_status = 'active'`))
}

/** A BGP session that has a state; null: none in scope. */
export async function findBgpPeer(store: Store, scope: Scope, id: number): Promise<records.BgpPeerRecord | null> {
  return await findRecord(
    store,
    query(store, 'bgpPeers', 't."bgpPeer_id"', { scope }, store.sql`t."bgpPeerState" <> ''`),
    id,
  )
}

/** A VRF; null: none in scope. */
export async function findVrf(store: Store, scope: Scope, id: number): Promise<records.VrfRecord | null> {
  return await findRecord(store, query(store, 'vrfs', 't.vrf_id', { scope }), id)
}
