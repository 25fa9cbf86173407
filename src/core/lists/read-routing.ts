import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'

/** Protocols whose sessions are listed. */
export type RoutingProtocol = 'BGP' | 'OSPF' | 'OSPFv3'

export interface SessionQuery {
  /** Protocols whose sessions the actor may see. */
  readonly protocols: readonly RoutingProtocol[]
  /** null: all of these. */
  readonly protocol: RoutingProtocol | null
  /** Only sessions that should be established and are not. */
  readonly down: boolean
  /** Part of the device, peer, description or AS; '' for all. */
  readonly text: string
  readonly offset: number
  readonly limit: number
}

/** A routing session of any device. null: unknown, or the protocol does not have it. */
export interface SessionRow {
  readonly protocol: RoutingProtocol
  readonly id: number
  readonly device_id: number
  readonly device: string
  readonly peer: string
  readonly name: string
  readonly remote_as: number | null
  readonly state: string
  /** `down`: should be established and is not; `off`: administratively stopped; `unknown`: the agent does not say. */
  readonly level: 'down' | 'up' | 'off' | 'unknown'
  /** Seconds. */
  readonly established_s: number | null
  /** Prefixes over all address families. */
  readonly accepted: number | null
  readonly advertised: number | null
  readonly error: string | null
}

export interface SessionCounts {
  readonly protocol: SessionRow['protocol']
  readonly all: number
  readonly down: number
}

/** The level of an OSPF adjacency with this state, as SQL. */
const ospfLevel = (state: string): string =>
  `case when lower(${state}) in ('full', 'twoway') then 'up' when coalesce(${state}, '') = '' then 'unknown' else 'down' end`

const SESSIONS = `
  select 'BGP' as protocol, b."bgpPeer_id" as id, b.device_id, b."bgpPeerIdentifier" as peer,
    coalesce(nullif(b."bgpPeerDescr", ''), b.astext) as name, b."bgpPeerRemoteAs"::float8 as remote_as, b."bgpPeerState" as state,
    case when lower(b."bgpPeerState") = 'established' then 'up' when b."bgpPeerAdminStatus" in ('stop', 'halted') then 'off'
      when coalesce(b."bgpPeerState", '') = '' then 'unknown' else 'down' end as level,
    case when lower(b."bgpPeerState") = 'established' then b."bgpPeerFsmEstablishedTime"::float8 end as established_s,
    c.accepted, c.advertised, nullif(b."bgpPeerLastErrorText", '') as error
  from public."bgpPeers" b left join (select device_id, "bgpPeerIdentifier" as peer, coalesce(context_name, '') as context,
      sum("AcceptedPrefixes")::float8 as accepted, sum("AdvertisedPrefixes")::float8 as advertised
      from public."bgpPeers_cbgp" group by 1, 2, 3) c
    on c.device_id = b.device_id and c.peer = b."bgpPeerIdentifier" and c.context = coalesce(b.context_name, '')
  union all select 'OSPF', o.id, o.device_id, o."ospfNbrIpAddr", o."ospfNbrRtrId", null, o."ospfNbrState",
    ${ospfLevel('o."ospfNbrState"')}, null, null, null, null from ospf_nbrs o
  union all select 'OSPFv3', o.id, o.device_id, o."ospfv3NbrAddress", o.router_id, null, o."ospfv3NbrState",
    ${ospfLevel('o."ospfv3NbrState"')}, null, null, null, null from ospfv3_nbrs o`

/** BGP and OSPF sessions of devices in scope, those that are down first, and how many match the text, by protocol. */
export async function listSessions(
  { sql }: Store,
  scope: Scope,
  query: SessionQuery,
): Promise<{ rows: SessionRow[]; counts: SessionCounts[] }> {
  const like = containing(query.text)
  const known = sql`
    select s.*, coalesce(nullif(d.display, ''), d.hostname) as device from (${sql.unsafe(SESSIONS)}) s
      join devices d on d.device_id = s.device_id
    where d.disabled = 0 and s.protocol = any(${[...query.protocols]}::text[]) and ${deviceInScope(sql, scope)} and ${
      query.text === ''
        ? sql`true`
        : sql`(s.peer ilike ${like} or s.name ilike ${like}
      or s.remote_as::bigint::text = ${query.text.replace(/^as/i, '')} or d.hostname ilike ${like} or d.display ilike ${like})`
    }`
  const [rows, counts] = await Promise.all([
    await sql<SessionRow[]>`
        select * from (${known}) x where ${query.protocol === null ? sql`true` : sql`protocol = ${query.protocol}`}
          and ${query.down ? sql`level = 'down'` : sql`true`}
        order by array_position(array['down', 'unknown', 'up', 'off'], level), protocol, natural_key(device), natural_key(peer), id
        limit ${query.limit} offset ${query.offset}`,
    await sql<SessionCounts[]>`
        select protocol, count(*)::int as all, count(*) filter (where level = 'down')::int as down from (${known}) x
        group by protocol order by protocol`,
  ])
  return { rows: [...rows], counts: [...counts] }
}

/** A session of one device. */
export type PeerRow = Pick<
  SessionRow,
  'protocol' | 'id' | 'peer' | 'name' | 'remote_as' | 'state' | 'level' | 'established_s'
>

const MAX_PEERS = 1000

/** Sessions of a device by these protocols. The caller has checked access. */
export async function listPeers(
  { sql }: Store,
  deviceId: number,
  protocols: readonly RoutingProtocol[],
): Promise<PeerRow[]> {
  return await sql<PeerRow[]>`
      select protocol, id, peer, name, remote_as, state, level, established_s from (${sql.unsafe(SESSIONS)}) s
      where device_id = ${deviceId} and protocol = any(${[...protocols]}::text[])
      order by protocol, natural_key(peer), id limit ${MAX_PEERS}`
}

/** A VRF of a device. */
export interface VrfListRow {
  readonly vrf_id: number
  readonly device_id: number
  readonly device: string
  readonly name: string | null
  readonly rd: string | null
  readonly descr: string | null
  readonly ports: number
}

/** VRFs of devices in scope by name, and how many there are. */
export async function listVrfs(
  { sql }: Store,
  scope: Scope,
  of: { readonly text: string; readonly offset: number; readonly limit: number },
): Promise<{ rows: VrfListRow[]; total: number }> {
  const like = containing(of.text)
  const rows = await sql<(VrfListRow & { total: number })[]>`
      select v.vrf_id, v.device_id, coalesce(nullif(d.display, ''), d.hostname) as device, v.vrf_name as name,
        v."mplsVpnVrfRouteDistinguisher" as rd, v."mplsVpnVrfDescription" as descr,
        (select count(*)::int from ports p where p.device_id = v.device_id and p."ifVrf" = v.vrf_id and p.deleted = 0) as ports,
        count(*) over ()::int as total
      from vrfs v join devices d on d.device_id = v.device_id where d.disabled = 0 and ${deviceInScope(sql, scope)}
        and ${of.text === '' ? sql`true` : sql`(v.vrf_name ilike ${like} or d.hostname ilike ${like} or d.display ilike ${like})`}
      order by natural_key(v.vrf_name), natural_key(d.hostname), v.vrf_id limit ${of.limit} offset ${of.offset}`
  return { rows, total: rows[0]?.total ?? 0 }
}
