import type { PendingQuery, Row } from 'postgres'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { findRecord, type ListChunks, type ListQuery, listChunks } from '../database/list-chunks.ts'
import { type Fields, listedRecord, type Row as RecordRow } from '../records/fields.ts'
import * as records from '../records/tables.ts'

/** Filter of a list. */
export interface RoutingFilter {
  readonly scope: Scope
  /** Rows of one device; absent: of all. */
  readonly deviceId?: number | undefined
}

const columns = (record: Fields) => listedRecord(record, 't')

/** Each record as a select list over `t` joined with its device `d`. */
const COLUMNS = {
  bgpPeers: columns(records.BGP_PEER),
  bgpPeers_cbgp: columns(records.BGP_COUNTER),
  ospf_nbrs: columns(records.OSPF_NEIGHBOUR),
  ospf_ports: columns(records.OSPF_PORT),
  ospfv3_nbrs: columns(records.OSPFV3_NEIGHBOUR),
  ospfv3_ports: columns(records.OSPFV3_PORT),
  vrfs: columns(records.VRF),
  mpls_services: columns(records.MPLS_SERVICE),
  mpls_saps: columns(records.MPLS_SAP),
  ipsec_tunnels: columns(records.IPSEC_TUNNEL),
} as const

/** A BGP session; addresses are dotted IPv4 or uncompressed IPv6. `bgpPeerIface` is an ifIndex. */
export type BgpPeerRecord = RecordRow<typeof records.BGP_PEER>
/** A virtual routing and forwarding instance. `vrf_oid` is the index of its row in the MIB. */
export type VrfRecord = RecordRow<typeof records.VRF>

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
export async function findBgpPeer(store: Store, scope: Scope, id: number): Promise<BgpPeerRecord | null> {
  return await findRecord(
    store,
    query(store, 'bgpPeers', 't."bgpPeer_id"', { scope }, store.sql`t."bgpPeerState" <> ''`),
    id,
  )
}

/** A VRF; null: none in scope. */
export async function findVrf(store: Store, scope: Scope, id: number): Promise<VrfRecord | null> {
  return await findRecord(store, query(store, 'vrfs', 't.vrf_id', { scope }), id)
}
